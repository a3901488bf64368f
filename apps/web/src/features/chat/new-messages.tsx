import { useQuery } from '@tanstack/react-query';
import { useEffect, useRef, useState } from 'react';
import { conversationOptions } from '../../shared/conversations/conversations-queries.ts';
import { lineText } from '../../shared/conversations/message-line.tsx';
import { t } from '../../shared/messages.ts';
import type { Message } from './timeline-window.ts';

/** How many of the contact's messages came while somebody was further up: as many more as there are unread now. */
export function useNewBelow(conversationId: string, isAtEnd: boolean): number {
  const { data } = useQuery(conversationOptions(conversationId));
  const unread = data?.unread ?? 0;
  const [left, setLeft] = useState(unread);
  if (isAtEnd && left !== unread) setLeft(unread);
  if (!isAtEnd && unread < left) setLeft(unread);
  return isAtEnd ? 0 : unread - left;
}

/** Says new messages to whoever hears the page, the last few at most, without taking them from what they do. */
export function Announcer({
  messages,
  contactName,
}: {
  messages: readonly { kind: string; id: string; at: string }[] | undefined;
  contactName: string;
}) {
  const [text, setText] = useState('');
  const heard = useRef<string | null>(null);
  useEffect(() => {
    const said = (messages ?? []).filter(
      (one): one is Message => one.kind === 'message' && (one as Message).direction === 'in',
    );
    const [newest] = said;
    if (!messages) return;
    const before = heard.current;
    heard.current = newest?.at ?? '';
    if (before === null || !newest || newest.at <= before) return;
    const fresh = said.filter(({ at }) => at > before);
    setText(
      fresh.length > 3
        ? t('chat.announceMany', { n: fresh.length, name: contactName })
        : fresh
            .toReversed()
            .map((one) => `${contactName}: ${lineText(one)}`)
            .join('\n'),
    );
  }, [messages, contactName]);
  return (
    <p role="status" aria-live="polite" className="sr-only">
      {text}
    </p>
  );
}
