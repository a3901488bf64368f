import { deliveryStatuses, type DeliveryStatus } from '@app/domain/webhook-endpoints/webhook-rules';
import { useInfiniteQuery, useQuery } from '@tanstack/react-query';
import { ChevronRight, ListChecks } from 'lucide-react';
import { formatDateTime } from '../../shared/formats.ts';
import { t } from '../../shared/messages.ts';
import { Badge, type BadgeTone } from '../../ui/badge.tsx';
import { Button } from '../../ui/button.tsx';
import { Panel } from '../../ui/page-frame.tsx';
import { EmptyState, ErrorState, Skeleton } from '../../ui/states.tsx';
import { FilterSelect } from '../../ui/table/filter-select.tsx';
import { SearchInput } from '../../ui/table/search-input.tsx';
import {
  deliveriesOptions,
  endpointsOptions,
  webhookErrorMessage,
  type Delivery,
  type WebhooksSearch,
} from './webhook-queries.ts';

type Filter = {
  of?: string | undefined;
  status?: DeliveryStatus | undefined;
  search?: string | undefined;
};
type Props = {
  url: WebhooksSearch;
  onFilter: (filter: Filter) => void;
  onOpen: (deliveryId: string) => void;
};

/** What was sent, the newest first. */
export function DeliveriesPanel({ url, onFilter, onOpen }: Props) {
  const endpoints = useQuery(endpointsOptions()).data?.items ?? [];
  const { data, error, refetch, hasNextPage, fetchNextPage, isFetchingNextPage } = useInfiniteQuery(
    deliveriesOptions(url),
  );
  const isNarrowed = url.of !== '' || url.status !== '' || url.search !== '';
  const deliveries = data?.pages.flatMap(({ items }) => items);
  // The page above says how to begin.
  if (endpoints.length === 0 && !isNarrowed && !deliveries?.length) return null;
  return (
    <Panel
      title={t('webhookEndpoints.delivery.title')}
      purpose={t('webhookEndpoints.delivery.purpose')}
      flush
    >
      <div className="flex flex-wrap gap-2 px-5 pt-3">
        <SearchInput
          className="w-full md:w-72"
          value={url.search}
          onChange={(search) => onFilter({ search: search || undefined })}
          placeholder={t('webhookEndpoints.delivery.search')}
        />
        <FilterSelect
          label={t('webhookEndpoints.delivery.endpoint')}
          value={url.of}
          onChange={(of) => onFilter({ of: of || undefined })}
          options={[
            { value: '', label: t('webhookEndpoints.delivery.allEndpoints') },
            ...endpoints.map(({ id, url: address }) => ({ value: id, label: address })),
          ]}
        />
        <FilterSelect
          label={t('webhookEndpoints.delivery.status')}
          value={url.status}
          onChange={(status) => onFilter({ status: status || undefined })}
          options={[
            { value: '', label: t('webhookEndpoints.delivery.allStatuses') },
            ...deliveryStatuses.map((value) => ({
              value,
              label: t(`webhookEndpoints.delivery.status.${value}`),
            })),
          ]}
        />
      </div>
      {error && !data ? (
        <ErrorState text={webhookErrorMessage(error)} onRetry={() => void refetch()} />
      ) : null}
      {!data && !error ? <Skeleton className="mx-5 my-4 h-24" /> : null}
      {deliveries?.length === 0 ? (
        <EmptyState
          icon={<ListChecks aria-hidden />}
          title={t(isNarrowed ? 'webhookEndpoints.delivery.noMatch' : 'webhookEndpoints.delivery.empty')}
          text={isNarrowed ? undefined : t('webhookEndpoints.delivery.emptyText')}
          action={
            isNarrowed ? (
              <Button onClick={() => onFilter({ of: undefined, status: undefined, search: undefined })}>
                {t('webhookEndpoints.delivery.clear')}
              </Button>
            ) : undefined
          }
        />
      ) : null}
      {deliveries && deliveries.length > 0 ? (
        <ul aria-label={t('webhookEndpoints.delivery.title')} className="mt-3">
          {deliveries.map((delivery) => (
            <DeliveryRow key={delivery.id} delivery={delivery} onOpen={() => onOpen(delivery.id)} />
          ))}
        </ul>
      ) : null}
      {hasNextPage ? (
        <div className="flex justify-center border-t border-border py-3">
          <Button loading={isFetchingNextPage} onClick={() => void fetchNextPage()}>
            {t('webhookEndpoints.delivery.more')}
          </Button>
        </div>
      ) : null}
    </Panel>
  );
}

const tones: Record<DeliveryStatus, BadgeTone> = {
  ...{ waiting: 'info', delivered: 'success', failed: 'danger', cancelled: 'neutral' },
};

export function DeliveryBadge({ status }: { status: DeliveryStatus }) {
  return <Badge tone={tones[status]}>{t(`webhookEndpoints.delivery.status.${status}`)}</Badge>;
}

function DeliveryRow({ delivery, onOpen }: { delivery: Delivery; onOpen: () => void }) {
  const { type, status, createdAt, attempts, responseStatus, nextAttemptAt } = delivery;
  const time = formatDateTime(createdAt);
  const facts = [
    ...(responseStatus === null ? [] : [String(responseStatus)]),
    t('webhookEndpoints.delivery.attempts', { n: attempts }),
    ...(nextAttemptAt && attempts > 0
      ? [t('webhookEndpoints.delivery.nextAttempt', { time: formatDateTime(nextAttemptAt) })]
      : []),
  ];
  return (
    <li className="border-t border-border">
      <button
        type="button"
        onClick={onOpen}
        className="flex w-full items-center gap-3 px-5 py-2.5 text-left hover:bg-hover"
      >
        <span className="flex min-w-0 flex-1 flex-wrap items-center gap-x-3 gap-y-1">
          <code className="font-medium wrap-anywhere">{type}</code>
          <DeliveryBadge status={status} />
          <span className="text-sm text-muted tabular-nums">{facts.join(' · ')}</span>
        </span>
        <time dateTime={createdAt} className="shrink-0 text-sm text-muted tabular-nums max-sm:hidden">
          {time}
        </time>
        <ChevronRight aria-hidden className="size-4 shrink-0 text-muted" />
      </button>
    </li>
  );
}
