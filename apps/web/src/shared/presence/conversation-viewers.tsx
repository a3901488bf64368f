import { PencilLine } from 'lucide-react';
import { AvatarGroup } from '../../ui/avatar.tsx';
import { t } from '../messages.ts';
import { usePresence, useViewers } from './use-presence.ts';

const SHOWN = 3;

/** In the head of a chat: which colleagues look at it as well. Shown there, it says that this person does. */
export function ConversationViewers({ conversationId }: { conversationId: string }) {
  const { viewers } = usePresence(conversationId);
  if (viewers.length === 0) return null;
  return <AvatarGroup people={viewers} max={SHOWN} label={t('viewers.here', { names: namesOf(viewers) })} />;
}

/** In the row of a list: the same, small. */
export function ViewersMark({ conversationId }: { conversationId: string }) {
  const viewers = useViewers(conversationId);
  if (viewers.length === 0) return null;
  return <AvatarGroup people={viewers} max={2} label={t('viewers.here', { names: namesOf(viewers) })} />;
}

/** Above the composer: that a colleague writes already, so that nobody is answered twice. */
export function TypingWarning({ conversationId }: { conversationId: string }) {
  const { typists } = usePresence(conversationId);
  return (
    <p
      role="status"
      className="flex min-h-6 items-center gap-1.5 px-4 text-sm text-muted empty:hidden [&>svg]:size-4"
    >
      {typists.length > 0 ? (
        <>
          <PencilLine aria-hidden />
          <span className="truncate">
            {t('viewers.typing', { names: namesOf(typists), n: typists.length })}
          </span>
        </>
      ) : null}
    </p>
  );
}

function namesOf(people: readonly { name: string }[]): string {
  return people.map(({ name }) => name).join(', ');
}
