import type { DraftKind } from '@app/domain/drafts/draft';
import { useQueryClient, type QueryClient } from '@tanstack/react-query';
import { useCallback, useEffect, useRef, useState } from 'react';
import { api, newKey } from '../../../shared/api.ts';
import { listKeys } from '../../../shared/conversations/conversation-keys.ts';
import { OFFLINE_PREFIX } from '../../../shared/offline/offline-copy.ts';
import { ownerHere } from '../../../shared/session.ts';
import { createDraftKeeper, type DraftPlaces, type KeptWriting, type Writing } from './draft-keeper.ts';

/** So long nobody types before it is saved, and so long somebody may type until it is. */
const QUIET_MS = 700;
const LONGEST_MS = 4_000;

type Timers = Record<'quiet' | 'longest', ReturnType<typeof setTimeout> | undefined>;

export type Draft = Omit<Writing, 'writingId'> & {
  change(part: Partial<Omit<Writing, 'writingId'>>): void;
  /** Takes it away to be sent. */
  take(): Writing;
  /** As it stands now, for what waits until it was taken. */
  writing(): Writing;
};

/** What one has begun to write in a conversation: kept here at once, on the server soon, and shown as it is on other devices. */
export function useDraft(conversationId: string, kind: DraftKind): Draft {
  const queryClient = useQueryClient();
  const [shown, setShown] = useState<Omit<Writing, 'writingId'>>();
  const [keeper] = useState(() =>
    createDraftKeeper(placesOf(ownerHere(), conversationId, kind), ({ text, replyTo, files, buttons }) =>
      setShown({ text, replyTo, files, buttons }),
    ),
  );
  const { text, replyTo, files, buttons } = shown ?? keeper.writing();
  const timers = useRef<Timers>({ quiet: undefined, longest: undefined });

  const flush = useCallback(() => {
    clearTimeout(timers.current.quiet);
    clearTimeout(timers.current.longest);
    timers.current.quiet = timers.current.longest = undefined;
    // Without a connection it stays on this device, and is saved when there is one.
    keeper.flush().catch(() => undefined);
  }, [keeper]);

  useEffect(() => {
    const before = keeper.writing().text;
    const running = timers.current;
    const meet = () => void keeper.refresh().then(flush, () => undefined);
    const onVisibility = () => (document.visibilityState === 'hidden' ? flush() : meet());
    meet();
    document.addEventListener('visibilitychange', onVisibility);
    addEventListener('focus', meet);
    addEventListener('online', meet);
    return () => {
      document.removeEventListener('visibilitychange', onVisibility);
      removeEventListener('focus', meet);
      removeEventListener('online', meet);
      clearTimeout(running.quiet);
      clearTimeout(running.longest);
      const { text: after } = keeper.writing();
      keeper
        .flush()
        // The list shows how a draft begins.
        .then(() => (after === before ? undefined : refreshLists(queryClient)))
        .catch(() => undefined);
    };
  }, [keeper, flush, queryClient]);

  return {
    ...{ text, replyTo, files, buttons },
    change(part) {
      keeper.change(part);
      const next = keeper.writing();
      setShown({ text: next.text, replyTo: next.replyTo, files: next.files, buttons: next.buttons });
      clearTimeout(timers.current.quiet);
      timers.current.quiet = setTimeout(flush, QUIET_MS);
      timers.current.longest ??= setTimeout(flush, LONGEST_MS);
    },
    take: () => keeper.take(),
    writing: () => keeper.writing(),
  };
}

function refreshLists(queryClient: QueryClient): Promise<unknown> {
  return Promise.all(listKeys().map((queryKey) => queryClient.invalidateQueries({ queryKey })));
}

function placesOf(owner: string, conversationId: string, kind: DraftKind): DraftPlaces {
  const key = `${OFFLINE_PREFIX}draft.${owner}.${conversationId}.${kind}`;
  return {
    newId: newKey,
    read() {
      try {
        const kept: unknown = JSON.parse(localStorage.getItem(key) ?? 'null');
        // What was kept before there were buttons and files has none.
        return isKept(kept) ? { ...kept, buttons: kept.buttons ?? [], files: kept.files ?? [] } : null;
      } catch {
        return null; // Storage is off or holds something else: the server has what was saved.
      }
    },
    write(kept) {
      try {
        if (kept) localStorage.setItem(key, JSON.stringify(kept));
        else localStorage.removeItem(key);
      } catch {
        // Storage is off or full: the server is told all the same.
      }
    },
    load: async () => (await api.drafts.get({ conversationId }))[kind],
    async save(draft) {
      const [files, buttons] = [[...draft.files], [...draft.buttons]];
      const saved = await api.drafts.save({ conversationId, kind, ...draft, files, buttons });
      return saved.outcome === 'saved' ? saved.version : saved.outcome;
    },
  };
}

type Later = 'buttons' | 'files';

function isKept(kept: unknown): kept is Omit<KeptWriting, Later> & Partial<Pick<KeptWriting, Later>> {
  return (
    typeof kept === 'object' &&
    kept !== null &&
    ['writingId', 'text'].every((name) => typeof (kept as Record<string, unknown>)[name] === 'string') &&
    'sent' in kept &&
    Array.isArray(kept.sent) &&
    'seen' in kept &&
    typeof kept.seen === 'number'
  );
}
