import { useQuery, useQueryClient } from '@tanstack/react-query';
import { RotateCcw } from 'lucide-react';
import { useAction } from '../../shared/actions/use-action.ts';
import { api, orpc } from '../../shared/api.ts';
import { formatDateTime, formatNumber } from '../../shared/formats.ts';
import { t } from '../../shared/messages.ts';
import { can } from '../../shared/session.ts';
import { Button } from '../../ui/button.tsx';
import { OpeningRow } from '../../ui/table/opening-row.tsx';
import { Dialog } from '../../ui/overlays/dialog.tsx';
import { ErrorState, Skeleton } from '../../ui/states.tsx';
import { notify } from '../../ui/toast.ts';
import { DeliveryBadge } from './deliveries-panel.tsx';
import {
  reasonText,
  webhookErrorMessage,
  webhookKeys,
  type Attempt,
  type DeliveryDetails,
} from './webhook-queries.ts';

/** One delivery with its body and every attempt, and a way to send it again. */
export function DeliveryDialog({ deliveryId, onClose }: { deliveryId: string; onClose: () => void }) {
  const { data, error, refetch } = useQuery(
    orpc.webhookDeliveries.get.queryOptions({ input: { deliveryId } }),
  );
  const queryClient = useQueryClient();
  // One that waits has an attempt before it: a person who has mended the receiver does not wait for its time.
  const isWaiting = data?.status === 'waiting';
  const resend = useAction({
    mutationFn: () => api.webhookDeliveries.resend({ deliveryId }),
    onSuccess: async () => {
      notify.success(t(isWaiting ? 'webhookEndpoints.delivery.tried' : 'webhookEndpoints.delivery.resent'));
      for (const queryKey of webhookKeys()) await queryClient.invalidateQueries({ queryKey });
    },
    onError: (failure) => notify.error(webhookErrorMessage(failure)),
  });
  return (
    <Dialog
      open
      onOpenChange={(open) => {
        if (!open) onClose();
      }}
      size="large"
      title={data?.type ?? t('webhookEndpoints.delivery.details')}
      footer={
        data && data.body !== null && can('settings:manage') ? (
          <Button
            variant="primary"
            icon={<RotateCcw aria-hidden />}
            loading={resend.isPending}
            onClick={() => resend.mutate()}
          >
            {t(isWaiting ? 'webhookEndpoints.delivery.tryNow' : 'webhookEndpoints.delivery.resend')}
          </Button>
        ) : undefined
      }
    >
      {error && !data ? (
        <ErrorState text={webhookErrorMessage(error)} onRetry={() => void refetch()} />
      ) : null}
      {!data && !error ? <Skeleton className="h-48" /> : null}
      {data ? <Details delivery={data} /> : null}
    </Dialog>
  );
}

function Details({ delivery }: { delivery: DeliveryDetails }) {
  return (
    <div className="grid gap-4">
      <dl className="grid gap-x-4 gap-y-1 text-sm sm:grid-cols-[auto_1fr]">
        <dt className="text-muted">{t('webhookEndpoints.delivery.status')}</dt>
        <dd>
          <DeliveryBadge status={delivery.status} />
        </dd>
        <dt className="text-muted">{t('webhookEndpoints.delivery.id')}</dt>
        <dd>
          <code className="wrap-anywhere select-all">{delivery.id}</code>
        </dd>
        <dt className="text-muted">{t('webhookEndpoints.delivery.occurred')}</dt>
        <dd>{formatDateTime(delivery.occurredAt)}</dd>
      </dl>
      {delivery.body === null ? (
        <p className="text-muted">{t('webhookEndpoints.delivery.bodyGone')}</p>
      ) : (
        <Text label={t('webhookEndpoints.delivery.body')} text={indented(delivery.body)} />
      )}
      <section className="grid gap-2">
        <h3 className="font-medium">{t('webhookEndpoints.delivery.log')}</h3>
        {delivery.log.length === 0 ? (
          <p className="text-sm text-muted">{t('webhookEndpoints.delivery.noAttempt')}</p>
        ) : null}
        <ul className="grid divide-y divide-border">
          {delivery.log.map((attempt) => (
            <AttemptRow key={attempt.number} attempt={attempt} />
          ))}
        </ul>
      </section>
    </div>
  );
}

function AttemptRow({ attempt }: { attempt: Attempt }) {
  const { number, startedAt, durationMs, outcome, requestHeaders, responseBody, isResponseCut } = attempt;
  const headers = Object.entries(requestHeaders).map(([name, value]) => `${name}: ${value}`);
  return (
    <OpeningRow
      line={
        <>
          <span className="tabular-nums">{`${number}. ${formatDateTime(startedAt)}`}</span>
          <span className={outcome === 'ok' || outcome === 'begun' ? undefined : 'text-danger'}>
            {reasonText(attempt)}
          </span>
          {durationMs === null ? null : (
            <span className="text-muted tabular-nums">{`${formatNumber(durationMs)} ms`}</span>
          )}
        </>
      }
    >
      <Text
        label={t('webhookEndpoints.delivery.requestHeaders')}
        text={[attempt.url, ...headers].join('\n')}
      />
      {responseBody === null ? null : (
        <Text
          label={t('webhookEndpoints.delivery.response')}
          text={responseBody}
          note={isResponseCut ? t('webhookEndpoints.delivery.cut') : undefined}
        />
      )}
    </OpeningRow>
  );
}

function Text({ label, text, note }: { label: string; text: string; note?: string | undefined }) {
  return (
    <figure className="min-w-0">
      <figcaption className="mb-1 text-sm text-muted">{label}</figcaption>
      <pre
        dir="ltr"
        // What does not fit is reached by the keyboard too.
        tabIndex={0}
        aria-label={label}
        className="max-h-72 overflow-auto rounded-card bg-sunken p-3 text-xs whitespace-pre-wrap wrap-anywhere"
      >
        {text}
      </pre>
      {note ? <p className="mt-1 text-sm text-muted">{note}</p> : null}
    </figure>
  );
}

function indented(body: string): string {
  try {
    return JSON.stringify(JSON.parse(body), null, 2);
  } catch {
    return body;
  }
}
