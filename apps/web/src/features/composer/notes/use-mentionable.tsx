import type { Mention } from '@app/domain/conversations/note-rules';
import { useQuery } from '@tanstack/react-query';
import { Users } from 'lucide-react';
import { useMemo } from 'react';
import { orpc } from '../../../shared/api.ts';
import { t } from '../../../shared/messages.ts';
import { useSession } from '../../../shared/session.ts';
import { Avatar } from '../../../ui/avatar.tsx';
import type { Suggestion } from '../field/suggestion-list.tsx';

const MOST_SHOWN = 20;

/** Colleagues and teams whose name fits what is typed behind the sign; undefined while nothing is asked or known. */
export function useMentionable(typed: string | null): Mention[] | undefined {
  const isOn = typed !== null;
  const { user } = useSession();
  const found = useQuery({
    ...orpc.conversations.listMentionable.queryOptions({ input: {}, staleTime: 60_000 }),
    enabled: isOn,
  }).data;
  return useMemo(() => {
    if (!found || typed === null) return undefined;
    const words = typed.trim().toLowerCase();
    const all: Mention[] = [
      ...found.people
        .filter(({ id }) => id !== user?.id)
        .map(({ id, name }) => ({ kind: 'user' as const, id, name })),
      ...found.teams.map(({ id, name }) => ({ kind: 'team' as const, id, name })),
    ];
    // Whoever begins with it stands before whoever has it somewhere.
    const begins = (name: string) => (name.toLowerCase().startsWith(words) ? 0 : 1);
    return all
      .filter(({ name }) => name.toLowerCase().includes(words))
      .toSorted((a, b) => begins(a.name) - begins(b.name))
      .slice(0, MOST_SHOWN);
  }, [found, typed, user?.id]);
}

export function mentionSuggestion({ kind, id, name }: Mention): Suggestion {
  return {
    id,
    content: (
      <>
        {kind === 'team' ? (
          <span className="grid size-7 shrink-0 place-items-center rounded-full bg-neutral-soft">
            <Users aria-hidden className="size-4" />
          </span>
        ) : (
          <Avatar name={name} size="small" />
        )}
        <span className="min-w-0 flex-1 self-center truncate">{name}</span>
        {kind === 'team' ? (
          <span className="self-center text-sm text-muted">{t('composer.note.team')}</span>
        ) : null}
      </>
    ),
  };
}
