import { useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { useAction } from '../../shared/actions/use-action.ts';
import { api } from '../../shared/api.ts';
import { t } from '../../shared/messages.ts';
import { useUnsavedWarning } from '../../shared/use-unsaved-warning.ts';
import { Button } from '../../ui/button.tsx';
import { CopyButton } from '../../ui/copy-button.tsx';
import { Field } from '../../ui/field.tsx';
import { Input, PasswordInput } from '../../ui/input.tsx';
import { FormDialog } from '../../ui/overlays/form-dialog.tsx';
import { Banner } from '../../ui/states.tsx';
import { notify } from '../../ui/toast.ts';
import {
  fieldText,
  hintOf,
  integrationErrorMessage,
  integrationKeys,
  type Integration,
} from './integrations-queries.ts';

/** Asks for what opens an account. The service is asked before anything is stored. */
export function ConnectDialog({
  integration,
  onDone,
  onClose,
}: {
  integration: Integration;
  onDone: () => void;
  onClose: () => void;
}) {
  const { kind, title, fields, sandbox, webhookUrl } = integration;
  const [values, setValues] = useState<Readonly<Record<string, string>>>({});
  const queryClient = useQueryClient();
  const connect = useAction({
    mutationFn: () => api.integrations.connect({ kind, values: { ...values } }),
    onSuccess: async () => {
      notify.success(t('integrations.connectedNow', { name: title }));
      for (const queryKey of integrationKeys()) await queryClient.invalidateQueries({ queryKey });
      closeSaved(onDone);
    },
  });
  const isDirty = Object.values(values).some((value) => value !== '');
  const closeSaved = useUnsavedWarning(isDirty && !connect.isSuccess, 'dialog');
  const missing = fields.filter(({ name, isOptional }) => !isOptional && !values[name]?.trim());
  return (
    <FormDialog
      title={t('integrations.connectOf', { name: title })}
      description={hintOf(integration)}
      submitLabel={t('integrations.connect')}
      isReady={missing.length === 0}
      whyNot={t('integrations.connectNeeds', { fields: missing.map(fieldText).join(', ') })}
      isSaving={connect.isPending}
      onSubmit={() => connect.mutate()}
      onClose={onClose}
    >
      {connect.error ? <Banner tone="danger">{integrationErrorMessage(connect.error)}</Banner> : null}
      {fields.map((field) => {
        const Control = field.isSecret ? PasswordInput : Input;
        return (
          <Field key={field.name} label={fieldText(field)} required={!field.isOptional}>
            <Control
              dir="ltr"
              autoComplete="off"
              value={values[field.name] ?? ''}
              onChange={({ target }) => {
                setValues((before) => ({ ...before, [field.name]: target.value }));
                connect.reset();
              }}
            />
          </Field>
        );
      })}
      {webhookUrl ? (
        <div className="text-sm">
          <p className="text-muted">{t('integrations.webhookText', { name: title })}</p>
          <p className="mt-1 flex items-center gap-2">
            <code dir="ltr" className="min-w-0 wrap-anywhere">
              {webhookUrl}
            </code>
            <CopyButton text={webhookUrl} label={t('integrations.copyAddress')} />
          </p>
        </div>
      ) : null}
      {sandbox ? (
        <div>
          <Button size="small" onClick={() => setValues(sandbox)}>
            {t('integrations.useSandbox')}
          </Button>
        </div>
      ) : null}
    </FormDialog>
  );
}
