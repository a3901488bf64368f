import { useEffect, useRef } from 'react';
import {
  runConversationCommand,
  type ConversationCommand,
} from '../../shared/conversations/conversation-commands.ts';
import { isKeyTaken, usePageShortcuts, type PageShortcut } from '../../shared/actions/page-shortcuts.ts';

/** What the keys do with the conversation that is open. */
const commands: Readonly<Record<string, ConversationCommand>> = {
  r: 'reply',
  n: 'note',
  q: 'quickReply',
  s: 'template',
  a: 'assign',
  A: 'assignToMe',
  e: 'resolve',
  h: 'snooze',
  z: 'snooze',
  t: 'label',
  '!': 'priority',
  y: 'archive',
  u: 'markUnread',
  p: 'pin',
  m: 'mute',
  i: 'panel',
  f: 'searchWithin',
};

const shortcuts: readonly PageShortcut[] = [
  ['inbox.keys.next', ['j', '↓']],
  ['inbox.keys.previous', ['k', '↑']],
  ['inbox.keys.open', ['o', 'Enter']],
  ['inbox.keys.select', ['x']],
  ['inbox.keys.newChat', ['c']],
  ['inbox.keys.reply', ['r']],
  ['inbox.keys.note', ['n']],
  ['inbox.keys.quickReply', ['q']],
  ['inbox.keys.template', ['s']],
  ['inbox.keys.assign', ['a']],
  ['inbox.keys.assignToMe', ['Shift', 'a']],
  ['inbox.keys.resolve', ['e']],
  ['inbox.keys.snooze', ['h', 'z']],
  ['inbox.keys.label', ['t']],
  ['inbox.keys.priority', ['!']],
  ['inbox.keys.archive', ['y']],
  ['inbox.keys.markUnread', ['u']],
  ['inbox.keys.pin', ['p']],
  ['inbox.keys.mute', ['m']],
  ['inbox.keys.panel', ['i']],
  ['inbox.keys.searchWithin', ['f']],
  ['inbox.keys.views', ['v']],
  ['inbox.keys.close', ['Esc']],
];

interface InboxKeys {
  rows: readonly { id: string }[];
  openId: string | undefined;
  open: (id: string) => void;
  close: () => void;
  /** Undefined for who may not. */
  toggle: ((id: string) => void) | undefined;
  newChat: (() => void) | undefined;
  views: () => void;
}

/** Letters that do something while nobody types. */
export function useInboxKeys(keys: InboxKeys): void {
  usePageShortcuts(shortcuts);
  const latest = useRef(keys);
  // Keys may come faster than pages: the next one goes on from where the last one led.
  const aimedAt = useRef(keys.openId);
  useEffect(() => {
    latest.current = {
      ...keys,
      open: (id) => {
        aimedAt.current = id;
        keys.open(id);
      },
    };
  });
  useEffect(() => {
    aimedAt.current = keys.openId;
  }, [keys.openId]);
  useEffect(() => {
    function onKeyDown(event: KeyboardEvent) {
      if (isKeyTaken(event) || !act(event, { ...latest.current, openId: aimedAt.current })) return;
      event.preventDefault();
    }
    addEventListener('keydown', onKeyDown);
    return () => removeEventListener('keydown', onKeyDown);
  }, []);
}

function act(
  event: KeyboardEvent,
  { rows, openId, open, close, toggle, newChat, views }: InboxKeys,
): boolean {
  const focused = focusedRow(event.target);
  const at = rows.findIndex(({ id }) => id === (focused ?? openId));
  const isInList = focused !== undefined || document.activeElement === document.body;
  const isArrow = event.key === 'ArrowDown' || event.key === 'ArrowUp';
  if (isArrow && !isInList) return false;
  switch (event.key) {
    case 'j':
    case 'k':
    case 'ArrowDown':
    case 'ArrowUp': {
      const isDown = event.key === 'j' || event.key === 'ArrowDown';
      const next = rows[at === -1 ? 0 : isDown ? at + 1 : at - 1];
      if (!next) return false;
      // Arrows move the focus, letters open what they come to.
      if (isArrow && focused !== undefined) focusRow(next.id);
      else open(next.id);
      return true;
    }
    case 'o':
      if (focused === undefined) return false;
      open(focused);
      return true;
    case 'x': {
      const id = focused ?? openId;
      if (!id || !toggle) return false;
      toggle(id);
      return true;
    }
    case 'c':
      newChat?.();
      return newChat !== undefined;
    case 'v':
      views();
      return true;
    case 'Escape':
      if (openId === undefined) return false;
      close();
      return true;
    default: {
      const command = commands[event.key];
      return openId !== undefined && command !== undefined && runConversationCommand(openId, command);
    }
  }
}

function focusedRow(target: EventTarget | null): string | undefined {
  return target instanceof HTMLElement ? target.dataset.conversation : undefined;
}

function focusRow(id: string): void {
  const row = document.querySelector<HTMLElement>(`a[data-conversation="${id}"]`);
  row?.focus();
  row?.scrollIntoView({ block: 'nearest' });
}
