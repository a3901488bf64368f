import { useQuery } from '@tanstack/react-query';
import { CalendarDays, ExternalLink, Package, ShoppingCart } from 'lucide-react';
import { orpc, type api } from '../../shared/api.ts';
import { formatDateTime, formatMoney } from '../../shared/formats.ts';
import { useLiveQuery } from '../../shared/live/use-live-query.ts';
import { t } from '../../shared/messages.ts';
import { Badge } from '../../ui/badge.tsx';
import { ErrorState } from '../../ui/states.tsx';

type Item = Awaited<ReturnType<typeof api.integrations.listItemsOfContact>>['items'][number];

const icons = { order: Package, checkout: ShoppingCart, booking: CalendarDays };

/** What connected services know of the person: the newest orders, checkouts and bookings. */
export function ContactOrders({ contactId }: { contactId: string }) {
  const options = orpc.integrations.listItemsOfContact.queryOptions({ input: { contactId } });
  const { data, error, refetch } = useQuery(options);
  const items = data?.items ?? [];
  useLiveQuery(['contacts', 'integrations'], [options.queryKey], {
    concerns: ({ contactId: changed }) => changed === undefined || changed === contactId,
  });
  if (!data && error)
    return (
      <ErrorState
        className="rounded-card border border-border py-4"
        title={t('contactPanel.ordersFailed')}
        onRetry={() => void refetch()}
      />
    );
  if (items.length === 0) return null;
  return (
    <section className="grid grid-cols-1 gap-2">
      <h3 className="font-semibold">{t('contactPanel.orders')}</h3>
      <ul className="grid grid-cols-1 gap-1">
        {items.map((item) => (
          <OrderRow key={item.id} item={item} />
        ))}
      </ul>
    </section>
  );
}

function OrderRow({
  item: { type, service, title, status, amount, currency, url, at, startsAt },
}: {
  item: Item;
}) {
  const Icon = icons[type];
  return (
    <li className="grid grid-cols-1 rounded-card border border-border px-3 py-2">
      <span className="flex items-center justify-between gap-2">
        <span className="flex min-w-0 items-center gap-2 font-medium [&>svg]:size-4 [&>svg]:shrink-0">
          <Icon aria-hidden />
          {url ? (
            <a
              href={url}
              target="_blank"
              rel="noreferrer"
              className="flex min-w-0 items-center gap-1 hover:underline"
            >
              <bdi className="truncate">{title}</bdi>
              <ExternalLink aria-hidden className="size-3.5 shrink-0" />
            </a>
          ) : (
            <bdi className="truncate">{title}</bdi>
          )}
        </span>
        <Badge>{t(`contactPanel.orderStatus.${status}`)}</Badge>
      </span>
      <span className="flex flex-wrap justify-between gap-x-2 text-sm text-muted">
        <span>
          {service}
          {amount !== null && currency !== null ? ` · ${formatMoney(Number(amount), currency)}` : null}
        </span>
        <span>{formatDateTime(startsAt ?? at)}</span>
      </span>
    </li>
  );
}
