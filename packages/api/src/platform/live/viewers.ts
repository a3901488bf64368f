import {
  MOST_TABS,
  TYPING_ENDS_MS,
  VIEW_ENDS_MS,
  type Viewer,
  type ViewerState,
} from '@app/domain/conversations/viewer-rules';
import type { Clock } from '../clock.ts';
import type { LiveEvents } from '../live-events.ts';
import { createHeardWords, type HeardWords } from './heard-words.ts';

export type ViewerWord = {
  conversationId: string;
  userId: string;
  name: string;
  /** A tab shows one conversation at a time. */
  tab: string;
  state: ViewerState;
};

export type Viewers = {
  /** What a tab says; every process hears of it. */
  tell(workspaceId: string, word: ViewerWord): Promise<void>;
  /** What this process asked or left for them a moment ago, and need not again. */
  lately: HeardWords;
  list(workspaceId: string): { conversationId: string; people: Viewer[] }[];
  /** Forgets tabs that have been silent for too long; done every second by itself. */
  sweep(): void;
  close(): void;
};

type Tab = Omit<ViewerWord, 'state' | 'tab'> & { seenUntil: number; typingUntil: number };

const SWEEP_MS = 1_000;

/**
 * Who looks at which conversation, and who types in it: in the memory of each process, made of what tabs say again and again. Nothing is written
 * down. A process that has just begun knows it as soon as every tab has spoken once more. Browsers hear of a conversation when what they would
 * show of it changes.
 */
export function openViewers({ liveEvents, clock }: { liveEvents: LiveEvents; clock: Clock }): Viewers {
  const workspaces = new Map<string, Map<string, Tab>>();
  const stopHearing = liveEvents.onPassed((workspaceId, payload) => {
    hear(workspaceId, payload as ViewerWord); // passed by `tell` alone
  });
  const timer = setInterval(sweep, SWEEP_MS);
  timer.unref();

  function hear(workspaceId: string, { state, tab, ...word }: ViewerWord): void {
    const tabs = workspaces.get(workspaceId) ?? new Map<string, Tab>();
    workspaces.set(workspaceId, tabs);
    const key = `${word.userId} ${tab}`;
    const before = tabs.get(key);
    const now = clock().getTime();
    change(workspaceId, [word.conversationId, before?.conversationId ?? word.conversationId], () => {
      // What speaks last stands last.
      tabs.delete(key);
      if (state === 'gone') return;
      const typingUntil = state === 'typing' ? now + TYPING_ENDS_MS : 0;
      tabs.set(key, { ...word, seenUntil: now + VIEW_ENDS_MS, typingUntil });
      const own = [...tabs.keys()].filter((other) => other.startsWith(`${word.userId} `));
      for (const oldest of own.slice(0, -MOST_TABS)) tabs.delete(oldest);
    });
    if (tabs.size === 0) workspaces.delete(workspaceId);
  }

  function sweep(): void {
    const now = clock().getTime();
    for (const [workspaceId, tabs] of workspaces) {
      const stale = [...tabs].filter(
        ([, { seenUntil, typingUntil }]) => seenUntil <= now || (typingUntil > 0 && typingUntil <= now),
      );
      if (stale.length === 0) continue;
      change(
        workspaceId,
        stale.map(([, { conversationId }]) => conversationId),
        () => {
          for (const [key, tab] of stale)
            if (tab.seenUntil <= now) tabs.delete(key);
            else tab.typingUntil = 0;
        },
      );
      if (tabs.size === 0) workspaces.delete(workspaceId);
    }
  }

  /** Tells the browsers of this process what is another one afterwards; each process tells its own. */
  function change(workspaceId: string, conversationIds: readonly string[], work: () => void): void {
    const concerned = [...new Set(conversationIds)];
    const before = concerned.map((id) => JSON.stringify(peopleIn(workspaceId, id)));
    work();
    for (const [index, conversationId] of concerned.entries()) {
      const people = peopleIn(workspaceId, conversationId);
      if (JSON.stringify(people) !== before[index])
        liveEvents.tellHere(workspaceId, 'viewers', { conversationId, people });
    }
  }

  function peopleIn(workspaceId: string, conversationId: string): Viewer[] {
    const people = new Map<string, Viewer>();
    for (const tab of workspaces.get(workspaceId)?.values() ?? []) {
      if (tab.conversationId !== conversationId) continue;
      const isTyping = tab.typingUntil > 0 || people.get(tab.userId)?.isTyping === true;
      people.set(tab.userId, { id: tab.userId, name: tab.name, isTyping });
    }
    return [...people.values()].toSorted((one, other) => (one.id < other.id ? -1 : 1));
  }

  return {
    tell: (workspaceId, word) => liveEvents.pass(workspaceId, word),
    lately: createHeardWords(),
    list(workspaceId) {
      const ids = new Set(
        [...(workspaces.get(workspaceId)?.values() ?? [])].map(({ conversationId }) => conversationId),
      );
      return [...ids].map((conversationId) => ({
        conversationId,
        people: peopleIn(workspaceId, conversationId),
      }));
    },
    sweep,
    close() {
      clearInterval(timer);
      stopHearing();
    },
  };
}
