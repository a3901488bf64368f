import { useQueryClient } from '@tanstack/react-query';
import { ExternalLink } from 'lucide-react';
import { useState } from 'react';
import { useAction } from '../../shared/actions/use-action.ts';
import { readFailure } from '../../shared/api-client.ts';
import { api } from '../../shared/api.ts';
import { t } from '../../shared/messages.ts';
import { useUnsavedWarning } from '../../shared/use-unsaved-warning.ts';
import { Button } from '../../ui/button.tsx';
import { MoreOptions } from '../../ui/controls/more-options.tsx';
import { CopyButton } from '../../ui/copy-button.tsx';
import { Field } from '../../ui/field.tsx';
import { Input, PasswordInput } from '../../ui/input.tsx';
import { FormDialog } from '../../ui/overlays/form-dialog.tsx';
import { Banner } from '../../ui/states.tsx';
import { notify } from '../../ui/toast.ts';
import { FixBanner } from './fix-banner.tsx';
import {
  connectErrorMessage,
  fieldHint,
  fieldText,
  integrationKeys,
  stepsOf,
  type Integration,
} from './integrations-queries.ts';

/** Asks for what opens an account, with the steps at the vendor. The service is asked before anything is stored. It also mends a connection that shows an error. */
export function ConnectDialog({
  integration,
  onDone,
  onClose,
}: {
  integration: Integration;
  onDone: () => void;
  onClose: () => void;
}) {
  const { kind, title, fields, sandbox, webhookUrl, setupUrl, status } = integration;
  const [values, setValues] = useState<Readonly<Record<string, string>>>({});
  // What the dialog was opened for: the connection may work again while it is open.
  const [isFix] = useState(status === 'error');
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
  const failure = connect.error ? readFailure(connect.error) : null;
  const wrong = failure?.code === 'integration_incomplete' ? failure.field : null;
  const needsChoice = failure?.values['word'] === 'choice_needed';
  const inputOf = (field: Integration['fields'][number]) => {
    const Control = field.isSecret ? PasswordInput : Input;
    return (
      <Field
        key={field.name}
        label={fieldText(field)}
        hint={fieldHint(field)}
        required={!field.isOptional}
        error={wrong === field.name ? t(`integrations.fieldWrong.${field.format}`) : undefined}
      >
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
  };
  const advanced = fields.filter(({ isAdvanced }) => isAdvanced);
  const steps = stepsOf(integration);
  return (
    <FormDialog
      title={t(isFix ? 'integrations.fixOf' : 'integrations.connectOf', { name: title })}
      submitLabel={t('integrations.connect')}
      isReady={missing.length === 0}
      whyNot={t('integrations.connectNeeds', { fields: missing.map(fieldText).join(', ') })}
      isSaving={connect.isPending}
      onSubmit={() => connect.mutate()}
      onClose={onClose}
    >
      {isFix ? <FixBanner integration={integration} /> : null}
      {steps.length > 0 ? (
        <div className="grid gap-3">
          <ol className="grid list-decimal gap-1.5 ps-5 text-pretty text-muted">
            {steps.map((step) => (
              <li key={step}>{step}</li>
            ))}
          </ol>
          {setupUrl ? (
            <a
              href={setupUrl}
              target="_blank"
              rel="noreferrer"
              className="inline-flex w-fit items-center gap-1.5 font-medium text-primary-text underline underline-offset-2"
            >
              {t('integrations.openVendor', { name: title })}
              <ExternalLink aria-hidden className="size-4" />
            </a>
          ) : null}
        </div>
      ) : null}
      {connect.error && wrong === null ? (
        <Banner tone="danger">{connectErrorMessage(connect.error)}</Banner>
      ) : null}
      {fields.filter(({ isAdvanced }) => !isAdvanced).map(inputOf)}
      {advanced.length > 0 || webhookUrl ? (
        <MoreOptions
          key={String(needsChoice)}
          label={t('integrations.moreOptions')}
          isUsed={needsChoice || advanced.some(({ name }) => values[name])}
        >
          {advanced.map(inputOf)}
          {webhookUrl ? <WebhookAddress name={title} url={webhookUrl} /> : null}
        </MoreOptions>
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

/** Vendors call an address only over https. */
function WebhookAddress({ name, url }: { name: string; url: string }) {
  if (!url.startsWith('https://'))
    return <p className="text-sm text-muted">{t('integrations.webhookLocal', { name })}</p>;
  return (
    <div className="text-sm">
      <p className="text-muted">{t('integrations.webhookText', { name })}</p>
      <p className="mt-1 flex flex-wrap items-center gap-2">
        <code dir="ltr" className="min-w-0 wrap-anywhere">
          {url}
        </code>
        <CopyButton text={url} label={t('integrations.copyAddress')} />
      </p>
    </div>
  );
}
