import { useInfiniteQuery, useQueryClient } from '@tanstack/react-query';
import { CircleCheck, RotateCcw } from 'lucide-react';
import { connectorProblems } from '@app/domain/integrations/connector-problems';
import { useAction } from '../../shared/actions/use-action.ts';
import { api, orpc } from '../../shared/api.ts';
import { formatDateTime } from '../../shared/formats.ts';
import { findText, t } from '../../shared/messages.ts';
import { can } from '../../shared/session.ts';
import { Badge, type BadgeTone } from '../../ui/badge.tsx';
import { Button } from '../../ui/button.tsx';
import { EmptyState } from '../../ui/states.tsx';
import { notify } from '../../ui/toast.ts';
import {
  integrationErrorMessage,
  integrationKeys,
  problemText,
  type Events,
  type Integration,
} from './integrations-queries.ts';
import { PagedRecords } from './records/paged-records.tsx';

type Delivery = Awaited<ReturnType<typeof api.integrationEvents.listDeliveries>>['items'][number];
const tones: Record<Delivery['status'], BadgeTone> = {
  ...{ waiting: 'warning', delivered: 'success', failed: 'danger', cancelled: 'neutral' },
};

/** Events that were sent or wait, the newest first, with a retry of those that failed. */
export function DeliveriesList({
  integration: { kind, title, status },
  events,
}: {
  integration: Integration;
  events: Events;
}) {
  const queryClient = useQueryClient();
  const query = useInfiniteQuery(
    orpc.integrationEvents.listDeliveries.infiniteOptions({
      input: (cursor: string | undefined) => ({ kind, limit: 20, cursor }),
      initialPageParam: undefined as string | undefined,
      getNextPageParam: ({ nextCursor }) => nextCursor ?? undefined,
    }),
  );
  const retry = useAction({
    mutationFn: () => api.integrationEvents.retry({ kind }),
    onSuccess: async () => {
      for (const queryKey of integrationKeys()) await queryClient.invalidateQueries({ queryKey });
    },
    onError: (problem) => notify.error(integrationErrorMessage(problem)),
  });
  return (
    <PagedRecords
      query={query}
      className="grid gap-3"
      empty={<EmptyState icon={<CircleCheck aria-hidden />} title={t('integrations.noDeliveries')} />}
    >
      {(deliveries) => (
        <>
          {can('settings:manage') && events.failed > 0 ? (
            <div>
              <Button
                size="small"
                icon={<RotateCcw aria-hidden />}
                disabled={status === 'error'}
                loading={retry.isPending}
                onClick={() => retry.mutate()}
              >
                {t('integrations.retryAll')}
              </Button>
            </div>
          ) : null}
          <ul
            className="grid divide-y divide-border"
            aria-label={t('integrations.deliveriesOf', { name: title })}
          >
            {deliveries.map((one) => (
              <li key={one.id} className="grid gap-1 py-3">
                <p className="flex flex-wrap items-center gap-2">
                  <span className="font-medium wrap-anywhere">{eventText(one.type)}</span>
                  <Badge tone={tones[one.status]}>{t(`integrations.delivery.${one.status}`)}</Badge>
                  <span className="text-sm text-muted tabular-nums">{formatDateTime(one.occurredAt)}</span>
                </p>
                {one.failureReason && one.status !== 'delivered' ? (
                  <p className="text-sm text-danger">{reasonText(one.failureReason)}</p>
                ) : null}
                {one.nextAttemptAt && one.attempts > 0 ? (
                  <p className="text-sm text-muted tabular-nums">
                    {t('integrations.nextAttempt', { time: formatDateTime(one.nextAttemptAt) })}
                  </p>
                ) : null}
              </li>
            ))}
          </ul>
        </>
      )}
    </PagedRecords>
  );
}

/** Types of events, in the words of people; a type that has none stands as it is. */
const eventText = (type: string): string => findText(`integrations.event.${type}`) ?? type;

function reasonText(reason: string): string {
  const problem = connectorProblems.find((known) => known === reason);
  return problem ? problemText(problem, null) : (findText(`integrations.reason.${reason}`) ?? reason);
}
