import { useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { cleanText, contactLimits } from '@app/domain/contacts/contact';
import { orpc, readFailure } from '../../../shared/api.ts';
import { useAction } from '../../../shared/actions/use-action.ts';
import type { ContactChoice } from '../../../shared/contacts/bulk-removal.ts';
import { refreshContacts } from '../../../shared/contacts/contacts-queries.ts';
import { t } from '../../../shared/messages.ts';
import { Field } from '../../../ui/field.tsx';
import { Input } from '../../../ui/input.tsx';
import { FormDialog } from '../../../ui/overlays/form-dialog.tsx';
import { notify } from '../../../ui/toast.ts';
import { tellEdited } from '../../../shared/contacts/tell-edited.ts';
import { segmentErrorMessage } from '../../segments/segments-menu.tsx';

/** Keeps the people who are chosen under a name. */
export function SaveSegmentDialog({
  count,
  choice,
  onSaved,
  onClose,
}: {
  count: number;
  choice: ContactChoice;
  onSaved: (segmentId: string) => void;
  onClose: () => void;
}) {
  const [name, setName] = useState('');
  const [problem, setProblem] = useState<string>();
  const queryClient = useQueryClient();
  const saveAs = useAction(orpc.contactActs.saveAsSegment.mutationOptions());

  async function save() {
    if (cleanText(name) === '') {
      setProblem(t('contacts.segment.nameNeeded'));
      return;
    }
    try {
      const { segment, tag, operation } = await saveAs.mutateAsync({ choice, name });
      void tellEdited(operation, (n) => t('contacts.bulk.segmentSaved', { n, tag }));
      onClose();
      onSaved(segment.id);
    } catch (error) {
      if (readFailure(error).code === 'segment_name_taken') setProblem(segmentErrorMessage(error));
      else notify.error(segmentErrorMessage(error));
    }
    await refreshContacts(queryClient);
  }

  return (
    <FormDialog
      closeOnOutsidePress={name === ''}
      size="small"
      title={t('contacts.bulk.segment')}
      description={t('contacts.bulk.segmentText', { n: count })}
      submitLabel={t('common.save')}
      isSaving={saveAs.isPending}
      onSubmit={() => void save()}
      onClose={onClose}
    >
      <Field label={t('contacts.segment.name')} required error={problem}>
        <Input
          value={name}
          maxLength={contactLimits.tag}
          autoComplete="off"
          onChange={(event) => {
            setProblem(undefined);
            setName(event.target.value);
          }}
        />
      </Field>
    </FormDialog>
  );
}
