import { generalLimits } from '@app/domain/settings/general-settings';
import { pageInWorkspace, readWorkspaceName } from '@app/domain/workspaces/workspace-rules';
import { useRef, useState } from 'react';
import { useAction } from '../../shared/actions/use-action.ts';
import { api, newKey } from '../../shared/api.ts';
import { errorMessageOf } from '../../shared/error-message.ts';
import { t } from '../../shared/messages.ts';
import { paths } from '../../shared/paths.ts';
import { Field } from '../../ui/field.tsx';
import { Input } from '../../ui/input.tsx';
import { FormDialog } from '../../ui/overlays/form-dialog.tsx';

const createFailure = errorMessageOf({ workspaces_by_admins: 'workspaces.notAdmin' });

/** Makes another workspace and goes there, to where its number is connected. */
export function CreateWorkspaceDialog({ onClose }: { onClose: () => void }) {
  const [name, setName] = useState('');
  // One workspace, however often the answer was lost and it was tried again.
  const [key] = useState(newKey);
  const field = useRef<HTMLInputElement>(null);
  const create = useAction({
    mutationFn: () => api.workspaces.create({ name }, { context: { idempotencyKey: key } }),
    onSuccess: ({ workspaceId }) =>
      location.assign(pageInWorkspace(`${paths.settings}?tab=api`, workspaceId)),
  });
  return (
    <FormDialog
      title={t('workspaces.create')}
      description={t('workspaces.createText')}
      size="small"
      initialFocus={field}
      submitLabel={t('workspaces.createSubmit')}
      isReady={readWorkspaceName(name) !== ''}
      whyNot={t('workspaces.nameNeeded')}
      // The next page is on its way once it is made.
      isSaving={create.isPending || create.isSuccess}
      onSubmit={() => create.mutate()}
      onClose={onClose}
      closeOnOutsidePress={name === ''}
    >
      <Field
        label={t('workspaces.name')}
        required
        error={create.isError ? createFailure(create.error) : undefined}
      >
        <Input
          ref={field}
          value={name}
          maxLength={generalLimits.businessName}
          autoComplete="organization"
          onChange={(event) => {
            setName(event.target.value);
            if (create.isError) create.reset();
          }}
        />
      </Field>
    </FormDialog>
  );
}
