import { useQuery } from '@tanstack/react-query';
import { useRouter } from '@tanstack/react-router';
import { Bell } from 'lucide-react';
import { useEffect } from 'react';
import { formatCapped } from '../formats.ts';
import { useLiveQuery } from '../live/use-live-query.ts';
import { t } from '../messages.ts';
import { useSession } from '../session.ts';
import { IconButton } from '../../ui/button.tsx';
import { keepBrowserHere, onPressedNotification } from './push-here.ts';
import { notificationKeys, unreadOptions } from './notification-queries.ts';

const MOST_COUNTED = 99;

/** Opens the list, and says how much of it is unread; live, in every tab. */
export function NotificationBell({ onOpen }: { onOpen: () => void }) {
  const session = useSession();
  const { data } = useQuery(unreadOptions);
  const ownId = session.user?.id;
  const workspaceId = session.status === 'signed-in' ? session.workspace.id : undefined;
  const router = useRouter();
  useEffect(() => {
    if (ownId) keepBrowserHere(ownId).catch(() => undefined); // the next page tries again
  }, [ownId]);
  useEffect(
    () => onPressedNotification(workspaceId, (path) => router.history.push(path)),
    [router, workspaceId],
  );
  useLiveQuery(['notifications'], notificationKeys(), {
    concerns: ({ userIds }) => Array.isArray(userIds) && userIds.some((id) => id === ownId),
  });
  const unread = data?.unread ?? 0;
  return (
    <IconButton
      label={unread > 0 ? t('bell.unread', { n: unread }) : t('bell.label')}
      aria-haspopup="dialog"
      className="relative"
      onClick={onOpen}
    >
      <Bell aria-hidden />
      {unread > 0 ? (
        <span
          aria-hidden
          className="absolute -top-0.5 -right-0.5 min-w-4 rounded-full bg-primary px-1 text-xs leading-4 font-semibold text-on-primary tabular-nums"
        >
          {formatCapped(unread, MOST_COUNTED)}
        </span>
      ) : null}
    </IconButton>
  );
}
