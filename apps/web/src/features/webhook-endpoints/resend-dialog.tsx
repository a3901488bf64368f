import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { useAction } from '../../shared/actions/use-action.ts';
import { api, orpc } from '../../shared/api.ts';
import { t } from '../../shared/messages.ts';
import { Radio } from '../../ui/controls/choice.tsx';
import { Field, FieldGroup } from '../../ui/field.tsx';
import { DateTimeInput } from '../../ui/input.tsx';
import { FormDialog } from '../../ui/overlays/form-dialog.tsx';
import { Banner } from '../../ui/states.tsx';
import { notify } from '../../ui/toast.ts';
import { webhookErrorMessage, type WebhookEndpoint } from './webhook-queries.ts';

/** Has many deliveries of an endpoint sent again. How far that is, the banner of every page says. */
export function ResendDialog({
  endpoint: { id: endpointId, pausedAt },
  onClose,
}: {
  endpoint: WebhookEndpoint;
  onClose: () => void;
}) {
  const [which, setWhich] = useState<'failed' | 'all'>('failed');
  const [from, setFrom] = useState('');
  const [to, setTo] = useState('');
  const instant = (local: string) => (local === '' ? undefined : new Date(local).toISOString());
  const wish = {
    ...{ endpointId, which },
    ...(which === 'all' && { from: instant(from), to: instant(to) }),
  };
  const isChosen = which === 'failed' || from !== '';
  const { data, error } = useQuery(
    orpc.webhookDeliveries.previewResend.queryOptions({ input: wish, enabled: isChosen }),
  );
  const count = isChosen ? data?.count : undefined;
  const resend = useAction({
    mutationFn: () => api.webhookDeliveries.resendMany(wish),
    onSuccess: () => {
      notify.success(
        t(pausedAt === null ? 'webhookEndpoints.resendStarted' : 'webhookEndpoints.resendWaits'),
      );
      onClose();
    },
  });
  return (
    <FormDialog
      title={t('webhookEndpoints.resendMany')}
      description={t('webhookEndpoints.resendText')}
      submitLabel={
        count ? t('webhookEndpoints.resendCount', { n: count }) : t('webhookEndpoints.delivery.resend')
      }
      isReady={count !== undefined && count > 0}
      whyNot={t(whyNotKey(isChosen, count))}
      isSaving={resend.isPending}
      onSubmit={() => resend.mutate()}
      onClose={onClose}
      closeOnOutsidePress
    >
      {(resend.error ?? error) ? (
        <Banner tone="danger">{webhookErrorMessage(resend.error ?? error)}</Banner>
      ) : null}
      {pausedAt === null ? null : <Banner tone="info">{t('webhookEndpoints.resendPaused')}</Banner>}
      <FieldGroup legend={t('webhookEndpoints.resendWhich')}>
        <Radio
          name="which"
          label={t('webhookEndpoints.resendFailed')}
          checked={which === 'failed'}
          onChange={() => setWhich('failed')}
        />
        <Radio
          name="which"
          label={t('webhookEndpoints.resendPeriod')}
          checked={which === 'all'}
          onChange={() => setWhich('all')}
        />
      </FieldGroup>
      {which === 'all' ? (
        <div className="grid gap-4 sm:grid-cols-2">
          <Field label={t('webhookEndpoints.from')} required>
            <DateTimeInput value={from} onChange={({ target }) => setFrom(target.value)} />
          </Field>
          <Field label={t('webhookEndpoints.to')}>
            <DateTimeInput value={to} onChange={({ target }) => setTo(target.value)} />
          </Field>
        </div>
      ) : null}
      <p role="status" className="text-sm text-muted">
        {isChosen && count === undefined && !error ? t('webhookEndpoints.resendCounting') : null}
        {count === undefined ? null : t('webhookEndpoints.resendFound', { n: count })}
      </p>
    </FormDialog>
  );
}

function whyNotKey(isChosen: boolean, count: number | undefined) {
  if (!isChosen) return 'webhookEndpoints.resendNeeds';
  return count === undefined ? 'webhookEndpoints.resendCounting' : 'webhookEndpoints.resendNone';
}
