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
import { storeTicket } from './consent/consent-ticket.ts';
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
  const { kind, title, webhookUrl, setupUrl, status, consent } = integration;
  // A person allows it on a page of the service, in place of a key that is pasted.
  const [isConsent, setIsConsent] = useState(false);
  const { fields, sandbox } = isConsent && consent ? consent : integration;
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
  const consentTo = useAction({
    mutationFn: () => api.integrations.beginConsent({ kind, values: { ...values } }),
    onSuccess: ({ address, ticket }) => {
      storeTicket({ kind, ticket });
      closeSaved(() => location.assign(address));
    },
  });
  const way = isConsent ? consentTo : connect;
  const isDirty = Object.values(values).some((value) => value !== '');
  const closeSaved = useUnsavedWarning(isDirty && !way.isSuccess, 'dialog');
  const missing = fields.filter(({ name, isOptional }) => !isOptional && !values[name]?.trim());
  const failure = way.error ? readFailure(way.error) : null;
  const isRefused = failure?.code === 'integration_refused';
  const isNamed = isRefused || failure?.code === 'integration_incomplete';
  const wrong = isNamed && fields.some(({ name }) => name === failure.field) ? failure.field : null;
  const needsChoice = failure?.values['word'] === 'choice_needed';
  const wrongText = ({ format }: Integration['fields'][number]) =>
    isRefused ? connectErrorMessage(way.error) : t(`integrations.fieldWrong.${format}`);
  const inputOf = (field: Integration['fields'][number]) => {
    const Control = field.isSecret ? PasswordInput : Input;
    return (
      <Field
        key={field.name}
        label={fieldText(field)}
        hint={fieldHint(field)}
        required={!field.isOptional}
        error={wrong === field.name ? wrongText(field) : undefined}
      >
        <Control
          dir="ltr"
          autoComplete="off"
          value={values[field.name] ?? ''}
          onChange={({ target }) => {
            setValues((before) => ({ ...before, [field.name]: target.value }));
            way.reset();
          }}
        />
      </Field>
    );
  };
  const advanced = fields.filter(({ isAdvanced }) => isAdvanced);
  const steps = stepsOf(integration, isConsent);
  return (
    <FormDialog
      title={t(isFix ? 'integrations.fixOf' : 'integrations.connectOf', { name: title })}
      submitLabel={isConsent ? t('integrations.consentContinue', { name: title }) : t('integrations.connect')}
      isReady={missing.length === 0}
      whyNot={t('integrations.connectNeeds', { fields: missing.map(fieldText).join(', ') })}
      isSaving={way.isPending || consentTo.isSuccess}
      onSubmit={() => way.mutate()}
      onClose={onClose}
    >
      {/* What the service said just now takes the place of what it said before. */}
      {isFix && !(way.error && (isRefused || wrong === null)) ? (
        <FixBanner integration={integration} />
      ) : null}
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
      {way.error && wrong === null ? <Banner tone="danger">{connectErrorMessage(way.error)}</Banner> : null}
      {isConsent && consent && values !== sandbox ? (
        <RedirectAddress name={title} url={consent.redirectUrl} />
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
      {sandbox || consent ? (
        <div className="flex flex-wrap gap-2">
          {sandbox ? (
            <Button size="small" onClick={() => setValues(sandbox)}>
              {t('integrations.useSandbox')}
            </Button>
          ) : null}
          {consent ? (
            <Button
              size="small"
              onClick={() => {
                way.reset();
                setIsConsent(!isConsent);
              }}
            >
              {isConsent ? t('integrations.tokenInstead') : t('integrations.consentInstead', { name: title })}
            </Button>
          ) : null}
        </div>
      ) : null}
    </FormDialog>
  );
}

/** Vendors send a browser back only to an address that the app names, and only over https. */
function RedirectAddress({ name, url }: { name: string; url: string }) {
  if (!url.startsWith('https://'))
    return <p className="text-sm text-muted">{t('integrations.consentLocal', { name })}</p>;
  return <Address text={t('integrations.consentRedirect')} url={url} />;
}

/** Vendors call an address only over https. */
function WebhookAddress({ name, url }: { name: string; url: string }) {
  if (!url.startsWith('https://'))
    return <p className="text-sm text-muted">{t('integrations.webhookLocal', { name })}</p>;
  return <Address text={t('integrations.webhookText', { name })} url={url} />;
}

function Address({ text, url }: { text: string; url: string }) {
  return (
    <div className="text-sm">
      <p className="text-muted">{text}</p>
      <p className="mt-1 flex flex-wrap items-center gap-2">
        <code dir="ltr" className="min-w-0 wrap-anywhere">
          {url}
        </code>
        <CopyButton text={url} label={t('integrations.copyAddress')} />
      </p>
    </div>
  );
}
