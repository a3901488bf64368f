import { LONGEST_KEY_NAME } from '@app/domain/api-keys/api-key-rules';
import { useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { api } from '../../shared/api.ts';
import { useAction } from '../../shared/actions/use-action.ts';
import { t } from '../../shared/messages.ts';
import { Field } from '../../ui/field.tsx';
import { Input } from '../../ui/input.tsx';
import { FormDialog } from '../../ui/overlays/form-dialog.tsx';
import { notify } from '../../ui/toast.ts';
import { refreshKeys, type ApiKey } from './api-keys-queries.ts';
import { keyErrorMessage } from './key-words.ts';

export function RenameKeyDialog({ apiKey, onClose }: { apiKey: ApiKey; onClose: () => void }) {
  const [name, setName] = useState(apiKey.name);
  const queryClient = useQueryClient();
  const rename = useAction({
    mutationFn: () => api.apiKeys.rename({ keyId: apiKey.id, name: name.trim() }),
    onSuccess: async () => {
      await refreshKeys(queryClient);
      notify.success(t('apiKeys.renamed'));
      onClose();
    },
  });
  return (
    <FormDialog
      size="small"
      title={t('apiKeys.renameTitle')}
      submitLabel={t('common.save')}
      isReady={name.trim() !== ''}
      whyNot={t('apiKeys.nameNeeded')}
      isSaving={rename.isPending}
      onSubmit={() => rename.mutate()}
      onClose={onClose}
    >
      <Field
        label={t('apiKeys.name')}
        required
        error={rename.error ? keyErrorMessage(rename.error) : undefined}
      >
        <Input
          value={name}
          maxLength={LONGEST_KEY_NAME}
          autoComplete="off"
          onChange={(event) => setName(event.target.value)}
        />
      </Field>
    </FormDialog>
  );
}
