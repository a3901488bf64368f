import { useEffect, useRef, useState } from 'react';
import type { Conversation } from '../../shared/conversations/conversations-queries.ts';
import { onLiveEvent } from '../../shared/live/live-events.ts';
import { t } from '../../shared/messages.ts';

/** Many messages are one sentence. */
const GATHER_MS = 1_500;
/** After that the list has been read anew, and does not show it. */
const EXPECTED_MS = 10_000;

/** Says to whoever hears the page who wrote; the chat that is open says its own. */
export function Arrivals({ rows, openId }: { rows: readonly Conversation[]; openId: string | undefined }) {
  const expected = useRef(new Set<string>());
  const gathered = useRef<string[]>([]);
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined);
  const [said, say] = useState({ no: 0, text: '' });
  const shown = useRef(rows);
  // A stream begins with what the page has read already; what it reads later may come before its event.
  const [atFirst] = useState(() => new Set(rows.map(({ lastMessage }) => lastMessage?.id)));
  const tell = useRef<(conversation: Conversation) => void>(undefined);
  useEffect(() => {
    shown.current = rows;
    tell.current = ({ id, contact, lastMessage, isMuted }) => {
      if (lastMessage?.direction === 'in' && !isMuted && id !== openId)
        gathered.current.push(contact.name || contact.phone || t('inbox.noName'));
      if (gathered.current.length === 0) return;
      timer.current ??= setTimeout(() => {
        timer.current = undefined;
        const names = gathered.current.splice(0);
        const text = t('inbox.arrived', { n: names.length, name: names.at(-1) ?? '' });
        say(({ no }) => ({ no: no + 1, text }));
      }, GATHER_MS);
    };
  });
  useEffect(
    () =>
      onLiveEvent(({ payload: { arrivedIds } }) => {
        if (!Array.isArray(arrivedIds)) return;
        const ids = arrivedIds.map(String).filter((id) => !atFirst.has(id));
        for (const id of ids) {
          const row = shown.current.find(({ lastMessage }) => lastMessage?.id === id);
          if (row) tell.current?.(row);
          else expected.current.add(id);
        }
        setTimeout(() => ids.forEach((id) => expected.current.delete(id)), EXPECTED_MS);
      }),
    [atFirst],
  );
  useEffect(() => {
    for (const row of rows.toReversed())
      if (row.lastMessage && expected.current.delete(row.lastMessage.id)) tell.current?.(row);
  }, [rows]);
  useEffect(
    () => () => {
      clearTimeout(timer.current);
      timer.current = undefined;
    },
    [],
  );
  return (
    <p role="status" className="sr-only">
      {/* Said again, though the words are the same. */}
      <span key={said.no}>{said.text}</span>
    </p>
  );
}
