import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { orpc } from '../../shared/api.ts';
import { useChannelNames } from '../../shared/conversations/channel-names.ts';
import type { Conversation } from '../../shared/conversations/conversations-queries.ts';
import { sayLine } from '../../shared/conversations/line-words.ts';
import { formatRelativeTime } from '../../shared/formats.ts';
import { useLiveQuery } from '../../shared/live/use-live-query.ts';
import { t } from '../../shared/messages.ts';
import { paths } from '../../shared/paths.ts';
import { Badge } from '../../ui/badge.tsx';

/** What is said with the same person over other channels. */
export function OtherConversations({ conversation }: { conversation: Conversation }) {
  const options = orpc.conversations.listOfContact.queryOptions({
    input: { contactId: conversation.contact.id },
  });
  const others = useQuery(options).data?.items.filter(({ id }) => id !== conversation.id) ?? [];
  const channels = useChannelNames();
  useLiveQuery(['messages'], [options.queryKey]);
  if (others.length === 0) return null;
  return (
    <section className="grid grid-cols-1 gap-2">
      <h3 className="font-semibold">{t('contactPanel.others')}</h3>
      <ul className="grid grid-cols-1 gap-1">
        {others.map(({ id, channelId, lastMessage, lastActivityAt, unread }) => (
          <li key={id}>
            <Link
              to={paths.conversation(id)}
              search={true}
              className="grid grid-cols-1 rounded-card border border-border px-3 py-2 hover:bg-hover"
            >
              <span className="flex items-center justify-between gap-2">
                <span className="truncate font-medium">{channels?.get(channelId)?.full ?? '—'}</span>
                {unread > 0 ? <Badge tone="primary">{unread > 9 ? '9+' : unread}</Badge> : null}
              </span>
              <span className="flex justify-between gap-2 text-sm text-muted">
                <span dir="auto" className="truncate">
                  {lastMessage ? sayLine(lastMessage.line) : null}
                </span>
                <span className="shrink-0">{formatRelativeTime(lastActivityAt)}</span>
              </span>
            </Link>
          </li>
        ))}
      </ul>
    </section>
  );
}
