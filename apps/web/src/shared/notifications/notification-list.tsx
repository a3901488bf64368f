import { useInfiniteQuery, useQueryClient } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { BellOff, Check } from 'lucide-react';
import { useAct } from '../acts/use-act.ts';
import { orpc } from '../api.ts';
import { failureText } from '../failure-text.ts';
import { formatDateTime, formatRelativeTime } from '../formats.ts';
import { t } from '../messages.ts';
import { can } from '../session.ts';
import { Button, IconButton } from '../../ui/button.tsx';
import { classNames } from '../../ui/class-names.ts';
import { Drawer } from '../../ui/overlays/dialog.tsx';
import { EmptyState, ErrorState, Skeleton, SkeletonRegion } from '../../ui/states.tsx';
import { notify } from '../../ui/toast.ts';
import { listOptions, notificationKeys, type Notification } from './notification-queries.ts';
import { targetOf } from './notification-target.ts';

/** What the person was told of, beside whichever page they are on. */
export function NotificationList({ onClose }: { onClose: () => void }) {
  const { data, error, refetch, hasNextPage, isFetchingNextPage, fetchNextPage } =
    useInfiniteQuery(listOptions);
  const { markRead, markAllRead } = useReading();
  const items = data?.pages.flatMap((page) => page.items);
  const newest = items?.[0];
  const hasUnread = items?.some(({ isRead }) => !isRead) === true;
  return (
    <Drawer
      open
      onOpenChange={(open) => {
        if (!open) onClose();
      }}
      title={t('notifications.title')}
      description={t('notifications.kept')}
      footer={
        <Button
          disabled={!hasUnread}
          loading={markAllRead.isPending}
          // What comes meanwhile stays unread.
          onClick={() => newest && markAllRead.mutate({ until: newest.createdAt })}
        >
          {t('notifications.allRead')}
        </Button>
      }
    >
      {error && !items ? <ErrorState text={failureText(error)} onRetry={() => void refetch()} /> : null}
      {!items && !error ? (
        <SkeletonRegion className="grid gap-3">
          {[1, 2, 3].map((line) => (
            <Skeleton key={line} className="h-12" />
          ))}
        </SkeletonRegion>
      ) : null}
      {items?.length === 0 ? (
        <EmptyState icon={<BellOff />} title={t('notifications.empty')} text={t('notifications.emptyText')} />
      ) : null}
      {items && items.length > 0 ? (
        <ul aria-label={t('notifications.title')} className="-mx-2 flex flex-col">
          {items.map((item) => (
            <Entry
              key={item.id}
              item={item}
              onRead={() => markRead.mutate({ notificationId: item.id })}
              onFollow={() => {
                if (!item.isRead) markRead.mutate({ notificationId: item.id });
                onClose();
              }}
            />
          ))}
        </ul>
      ) : null}
      {hasNextPage ? (
        <Button className="mt-2 w-full" loading={isFetchingNextPage} onClick={() => void fetchNextPage()}>
          {t('notifications.more')}
        </Button>
      ) : null}
    </Drawer>
  );
}

function Entry({ item, onRead, onFollow }: { item: Notification; onRead: () => void; onFollow: () => void }) {
  const { isRead, createdAt } = item;
  const target = targetOf(item, can);
  const sentence = <bdi>{t(`notifications.kind.${item.kind}`, item.values)}</bdi>;
  return (
    <li className="flex items-start gap-2 border-b border-border px-2 py-2.5 last:border-b-0">
      <span
        aria-hidden
        className={classNames(
          'mt-1.5 size-2 shrink-0 rounded-full',
          isRead ? 'bg-transparent' : 'bg-primary',
        )}
      />
      <div className="min-w-0 flex-1">
        <p className={classNames('wrap-anywhere', !isRead && 'font-medium')}>
          {isRead ? null : <span className="sr-only">{t('notifications.unread')}: </span>}
          {target ? (
            <Link {...target} onClick={onFollow} className="rounded-md underline-offset-2 hover:underline">
              {sentence}
            </Link>
          ) : (
            sentence
          )}
        </p>
        <time dateTime={createdAt} title={formatDateTime(createdAt)} className="text-sm text-muted">
          {formatRelativeTime(createdAt)}
        </time>
      </div>
      {isRead ? null : (
        <IconButton label={t('notifications.markRead')} size="small" onClick={onRead}>
          <Check aria-hidden />
        </IconButton>
      )}
    </li>
  );
}

function useReading() {
  const queryClient = useQueryClient();
  const onSuccess = () =>
    Promise.all(notificationKeys().map((queryKey) => queryClient.invalidateQueries({ queryKey })));
  const onError = (error: unknown) => notify.error(failureText(error));
  return {
    markRead: useAct(orpc.notifications.markRead.mutationOptions({ onSuccess, onError })),
    markAllRead: useAct(orpc.notifications.markAllRead.mutationOptions({ onSuccess, onError })),
  };
}
