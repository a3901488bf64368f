import { Link } from '@tanstack/react-router';
import { Check } from 'lucide-react';
import { formatDateTime, formatRelativeTime } from '../formats.ts';
import { t } from '../messages.ts';
import { can } from '../session.ts';
import { IconButton } from '../../ui/button.tsx';
import { classNames } from '../../ui/class-names.ts';
import { NotificationIcon } from './notification-icon.tsx';
import type { Notification } from './notification-queries.ts';
import { targetOf } from './notification-target.ts';

const ROW =
  'block w-full min-w-0 rounded-md text-left wrap-anywhere after:absolute after:inset-0 after:rounded-md';

/** One thing that somebody was told of: all of it leads to where it is looked at, where there is such a page for them. */
export function NotificationEntry({
  item,
  now,
  onRead,
  onFollow,
}: {
  item: Notification;
  now: number;
  onRead: () => void;
  onFollow: () => void;
}) {
  const { isRead, createdAt, kind } = item;
  const target = targetOf(item, can);
  const sentence = (
    <>
      {isRead ? null : <span className="sr-only">{t('notifications.unread')}: </span>}
      <bdi>{t(`notifications.kind.${kind}`, item.values)}</bdi>
    </>
  );
  return (
    <li
      className={classNames(
        'relative flex items-start gap-3 rounded-md px-2 py-2.5 transition-colors',
        target && 'hover:bg-hover',
      )}
    >
      <NotificationIcon kind={kind} isRead={isRead} />
      <div className={classNames('min-w-0 flex-1', isRead ? 'text-muted' : 'font-medium')}>
        {target ? (
          <Link {...target} data-entry onClick={onFollow} className={ROW}>
            {sentence}
          </Link>
        ) : (
          <p data-entry tabIndex={-1} className="rounded-md wrap-anywhere">
            {sentence}
          </p>
        )}
        <time
          dateTime={createdAt}
          title={formatDateTime(createdAt)}
          className="text-sm font-normal text-muted"
        >
          {formatRelativeTime(createdAt, now)}
        </time>
      </div>
      {isRead ? null : (
        // Above the link that covers the entry.
        <IconButton
          label={t('notifications.markRead')}
          size="small"
          className="relative layer-row"
          onClick={onRead}
        >
          <Check aria-hidden />
        </IconButton>
      )}
    </li>
  );
}
