import { useInfiniteQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { MessageSquarePlus } from 'lucide-react';
import { conversationsOptions } from '../../shared/conversations/conversations-queries.ts';
import { t } from '../../shared/messages.ts';
import { paths } from '../../shared/paths.ts';
import { can } from '../../shared/session.ts';
import { useUrlState } from '../../shared/url-state.ts';
import { IconButton } from '../../ui/button.tsx';
import { readInboxSearch } from './inbox-search.ts';

/** The conversations that one may open. */
export function ConversationList({ openId }: { openId: string | undefined }) {
  const [, setUrl] = useUrlState(readInboxSearch);
  const { data } = useInfiniteQuery(conversationsOptions());
  return (
    <>
      <header className="flex h-14 shrink-0 items-center justify-between gap-2 border-b border-border px-4">
        <h1 className="text-lg font-semibold">{t('inbox.title')}</h1>
        {can('messages:create') ? (
          <IconButton
            label={t('inbox.newChat')}
            onClick={() => setUrl({ dialog: 'new-chat' }, { push: true })}
          >
            <MessageSquarePlus aria-hidden />
          </IconButton>
        ) : null}
      </header>
      <ul className="min-h-0 flex-1 overflow-y-auto">
        {data?.pages
          .flatMap(({ items }) => items)
          .map(({ id, contact, lastMessage }) => (
            <li key={id}>
              <Link
                to={paths.conversation(id)}
                search={true}
                aria-current={id === openId ? 'page' : undefined}
                className="block border-b border-border px-4 py-2.5 hover:bg-hover"
              >
                <span className="block truncate font-medium">
                  <bdi>{contact.name}</bdi>
                </span>
                <span dir="auto" className="block truncate text-muted">
                  {lastMessage?.text}
                </span>
              </Link>
            </li>
          ))}
      </ul>
    </>
  );
}
