import { useEffect, useRef } from 'react';
import type { Conversation } from '../../shared/conversations/conversations-queries.ts';
import { quoteMessage, useQuotedMessage } from '../../shared/conversations/quoted-message.ts';
import { formatDateTime } from '../../shared/formats.ts';
import { t } from '../../shared/messages.ts';
import type { OutboxContent } from '../../shared/outbox/outbox-items.ts';
import { OutboxFull } from '../../shared/outbox/outbox.ts';
import { useOutbox } from '../../shared/outbox/use-outbox.ts';
import { usePresence } from '../../shared/presence/use-presence.ts';
import { useUnsavedWarning } from '../../shared/use-unsaved-warning.ts';
import { notify } from '../../ui/toast.ts';
import { composeMessages } from './compose-messages.ts';
import { clearAttachments, useAttachments } from './files/use-attachments.ts';
import { useDraft } from './draft/use-draft.ts';
import { useQuoted } from './use-quoted.ts';
import type { Channel } from './writing-state.ts';

const LONGEST_TEXT = 4_096;

/** All that is being written to a contact: text, quote, files, buttons; and how it leaves. */
export function useReply(
  { id: conversationId }: Conversation,
  channel: Channel | null | undefined,
  { isOn, focus }: { isOn: boolean; focus: () => void },
) {
  const draft = useDraft(conversationId, 'reply');
  const pressed = useQuotedMessage(conversationId);
  const quoted = useQuoted(conversationId, draft.replyTo);
  const outbox = useOutbox(conversationId);
  const attachments = useAttachments(conversationId, channel?.capabilities, draft);
  const { buttons } = draft;
  const { tellTyping, tellNoTyping } = usePresence(conversationId);
  useUnsavedWarning(attachments.files.some(({ isUploaded }) => !isUploaded));

  // Whoever presses Reply at a message writes next.
  const latest = useRef({ change: draft.change, focus });
  useEffect(() => {
    latest.current = { change: draft.change, focus };
  });
  const quotedId = pressed?.id;
  useEffect(() => {
    if (!quotedId) return;
    latest.current.change({ replyTo: quotedId });
    latest.current.focus();
  }, [quotedId]);

  const rules = channel?.capabilities;
  const longest =
    (buttons.length > 0 && rules?.replyButtons?.longestBody) || rules?.longestText || LONGEST_TEXT;
  const text = draft.text.trim();
  const left = longest - text.length;
  const hasContent = buttons.length > 0 ? text !== '' : text !== '' || attachments.files.length > 0;
  const canSend = isOn && hasContent && left >= 0;

  async function add(content: OutboxContent, writingId?: string): Promise<boolean> {
    try {
      await outbox.add(content, writingId === undefined ? {} : { writingId });
      return true;
    } catch (error) {
      // The browser has no room for it, or cannot keep it.
      notify.error(t(error instanceof OutboxFull ? 'outbox.full' : 'common.error.internal'));
      return false;
    }
  }

  return {
    ...{ draft, attachments, buttons, quoted, add, left, longest, text, canSend },
    /** What is no text, such as a place: an answer to what is quoted, while the text stays. */
    async addAnswer(content: Extract<OutboxContent, { location: unknown } | { contacts: unknown }>) {
      const { replyTo } = draft;
      const isKept = await add(replyTo ? { ...content, replyTo } : content);
      if (isKept && replyTo) {
        quoteMessage(conversationId, null);
        draft.change({ replyTo: null });
      }
      return isKept;
    },
    setButtons: (next: readonly string[]) => draft.change({ buttons: next }),
    removeQuote() {
      quoteMessage(conversationId, null);
      draft.change({ replyTo: null });
      focus();
    },
    type(next: string) {
      draft.change({ text: next });
      if (next.trim() === '') tellNoTyping();
      else tellTyping();
    },
    /** Now, or at a time; the field is empty and ready for the next at once. */
    async submit(sendAt?: Date) {
      if (!canSend) return;
      const files = attachments.take();
      const { writingId, text: written, replyTo } = draft.take();
      quoteMessage(conversationId, null);
      tellNoTyping();
      focus();
      const messages = composeMessages({ text: written, files, buttons, replyTo, sendAt });
      for (const [place, message] of messages.entries()) {
        if (await add(message, place === 0 ? writingId : undefined)) continue;
        // Nothing is lost: what could not be kept is written again. Files leave last.
        attachments.putBack(files);
        if (place === 0) {
          draft.change({ text: written, replyTo, buttons });
        }
        return;
      }
      clearAttachments(files);
      if (sendAt) notify.success(t('composer.schedule.done', { time: formatDateTime(sendAt) }));
    },
  };
}

export type Reply = ReturnType<typeof useReply>;
