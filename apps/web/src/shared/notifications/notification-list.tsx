import { useInfiniteQuery, useQuery, useQueryClient } from '@tanstack/react-query';
import { BellOff, CheckCheck, Settings2 } from 'lucide-react';
import { useState, type KeyboardEvent } from 'react';
import { useAction } from '../actions/use-action.ts';
import { orpc } from '../api.ts';
import { useNow } from '../conversations/use-now.ts';
import { dayLabel, dayOf } from '../conversations/day-label.ts';
import { errorMessage } from '../error-message.ts';
import { formatCapped } from '../formats.ts';
import { ButtonLink } from '../links.tsx';
import { t } from '../messages.ts';
import { paths } from '../paths.ts';
import { Button } from '../../ui/button.tsx';
import { Drawer } from '../../ui/overlays/dialog.tsx';
import { EmptyState, ErrorState, Skeleton, SkeletonRegion } from '../../ui/states.tsx';
import { LoadMore } from '../../ui/table/load-more.tsx';
import { Tabs } from '../../ui/tabs.tsx';
import { notify } from '../../ui/toast.ts';
import { NotificationEntry } from './notification-entry.tsx';
import { listOptions, notificationKeys, unreadOptions, type Notification } from './notification-queries.ts';

const shelves = ['all', 'unread'] as const;
type Shelf = (typeof shelves)[number];

const MOST_COUNTED = 99;

/** What the person was told of, beside whichever page they are on. */
export function NotificationList({ onClose }: { onClose: () => void }) {
  const [shelf, setShelf] = useState<Shelf>('all');
  const { data: counted } = useQuery(unreadOptions);
  const { markRead, markAllRead } = useReading();
  const all = useInfiniteQuery(listOptions(shelf === 'unread'));
  const items = all.data && withoutRepeats(all.data.pages.flatMap((page) => page.items));
  const newest = items?.[0];
  const unread = counted?.unread ?? 0;
  const hasUnread = unread > 0 || items?.some(({ isRead }) => !isRead) === true;
  return (
    <Drawer
      open
      onOpenChange={(open) => {
        if (!open) onClose();
      }}
      title={t('notifications.title')}
      description={t('notifications.kept')}
      footer={
        <>
          <ButtonLink
            to={paths.profile}
            search={{ tab: 'notifications' }}
            variant="ghost"
            className="mr-auto -ml-2"
            icon={<Settings2 aria-hidden />}
            onClick={onClose}
          >
            {t('notifications.choose')}
          </ButtonLink>
          <Button
            icon={<CheckCheck aria-hidden />}
            disabled={!hasUnread || !newest}
            loading={markAllRead.isPending}
            // What comes meanwhile stays unread.
            onClick={() => newest && markAllRead.mutate({ until: newest.createdAt })}
          >
            {t('notifications.allRead')}
          </Button>
        </>
      }
    >
      <Tabs<Shelf>
        label={t('notifications.title')}
        value={shelf}
        onChange={setShelf}
        tabs={shelves.map((value) => ({
          value,
          label: t(`notifications.tab.${value}`),
          ...(value === 'unread' && unread > 0 && { count: formatCapped(unread, MOST_COUNTED) }),
        }))}
      >
        {all.error && !items ? (
          <ErrorState text={errorMessage(all.error)} onRetry={() => void all.refetch()} />
        ) : null}
        {!items && !all.error ? (
          <SkeletonRegion className="grid gap-3">
            {[1, 2, 3].map((line) => (
              <Skeleton key={line} className="h-12" />
            ))}
          </SkeletonRegion>
        ) : null}
        {items?.length === 0 ? (
          <EmptyState
            icon={shelf === 'unread' ? <CheckCheck /> : <BellOff />}
            title={t(shelf === 'unread' ? 'notifications.emptyUnread' : 'notifications.empty')}
            text={t(shelf === 'unread' ? 'notifications.emptyUnreadText' : 'notifications.emptyText')}
          />
        ) : null}
        {items && items.length > 0 ? (
          <Days
            items={items}
            onRead={(notificationId) => markRead.mutate({ notificationId })}
            onFollow={({ id: notificationId, isRead }) => {
              if (!isRead) markRead.mutate({ notificationId });
              onClose();
            }}
          />
        ) : null}
        {all.hasNextPage ? (
          <LoadMore
            label={t('notifications.more')}
            loading={all.isFetchingNextPage}
            onReached={() => {
              if (!all.isFetching) void all.fetchNextPage();
            }}
          />
        ) : null}
      </Tabs>
    </Drawer>
  );
}

/** By the days of the reader; arrow keys move from one entry to the next, over all days. */
function Days({
  items,
  onRead,
  onFollow,
}: {
  items: readonly Notification[];
  onRead: (id: string) => void;
  onFollow: (item: Notification) => void;
}) {
  const now = useNow();
  const days = Map.groupBy(items, ({ createdAt }) => dayOf(createdAt));
  return (
    // The keys are those of the entries in it, which have the focus.
    // oxlint-disable-next-line jsx-a11y/no-static-element-interactions
    <div className="flex flex-col gap-3" onKeyDown={moveFocus}>
      {[...days].map(([day, entries]) => {
        const label = dayLabel(entries[0]?.createdAt ?? day, now);
        return (
          <section key={day} aria-label={label}>
            <h3 className="sticky -top-1 layer-sticky -mx-2 bg-raised px-2 py-1 text-xs font-semibold text-muted">
              {label}
            </h3>
            <ul aria-label={label} className="-mx-2 flex flex-col">
              {entries.map((item) => (
                <NotificationEntry
                  key={item.id}
                  item={item}
                  now={now}
                  onRead={() => onRead(item.id)}
                  onFollow={() => onFollow(item)}
                />
              ))}
            </ul>
          </section>
        );
      })}
    </div>
  );
}

function moveFocus(event: KeyboardEvent<HTMLElement>): void {
  const entries = [...event.currentTarget.querySelectorAll<HTMLElement>('[data-entry]')];
  const at = entries.findIndex((entry) => entry.closest('li')?.contains(document.activeElement));
  const next = { ArrowDown: at + 1, ArrowUp: at - 1, Home: 0, End: entries.length - 1 }[event.key];
  if (next === undefined || at < 0) return;
  event.preventDefault();
  entries[Math.min(Math.max(next, 0), entries.length - 1)]?.focus();
}

/** What arrives between two pages moves the rest on, so that one entry may stand on both. */
function withoutRepeats(items: readonly Notification[]): Notification[] {
  return [...new Map(items.map((item) => [item.id, item])).values()];
}

function useReading() {
  const queryClient = useQueryClient();
  const onSuccess = () =>
    Promise.all(notificationKeys().map((queryKey) => queryClient.invalidateQueries({ queryKey })));
  const onError = (error: unknown) => notify.error(errorMessage(error));
  return {
    markRead: useAction(orpc.notifications.markRead.mutationOptions({ onSuccess, onError })),
    markAllRead: useAction(orpc.notifications.markAllRead.mutationOptions({ onSuccess, onError })),
  };
}
