import { useQueryClient } from '@tanstack/react-query';
import { SendHorizontal } from 'lucide-react';
import { Suspense, useEffect, useId, useRef, useState } from 'react';
import { api, orpc } from '../../shared/api.ts';
import { useConversationCommand } from '../../shared/conversations/conversation-commands.ts';
import type { Conversation } from '../../shared/conversations/conversations-queries.ts';
import { quoteMessage, useQuotedMessage } from '../../shared/conversations/quoted-message.ts';
import { formatNumber } from '../../shared/formats.ts';
import { t } from '../../shared/messages.ts';
import { Button, IconButton } from '../../ui/button.tsx';
import { lazyPart } from '../../ui/load-file.ts';
import type { OutboxContent } from '../../shared/outbox/outbox-items.ts';
import { OutboxFull } from '../../shared/outbox/outbox.ts';
import { useOutbox } from '../../shared/outbox/use-outbox.ts';
import { usePresence } from '../../shared/presence/use-presence.ts';
import { notify } from '../../ui/toast.ts';
import { BarNotice } from './bar-notice.tsx';
import { editField, selectionOf } from './edit-field.ts';
import { QuoteStrip } from './quote-strip.tsx';
import { ReplyTools } from './reply-tools.tsx';
import { useSendsOnEnter } from './send-key.ts';
import { findSlashWord, insertText, type MarkedSelection } from './text-marks.ts';
import { useDraft } from './use-draft.ts';
import { replySuggestion, useQuickReplies, type FilledReply } from './use-quick-replies.tsx';
import { WritingField, type Offer } from './writing-field.tsx';
import type { Channel, WritingBar } from './writing-state.ts';

const TemplateDialog = lazyPart(async () => (await import('./template-dialog.tsx')).TemplateDialog);
const MissingValuesDialog = lazyPart(
  async () => (await import('./missing-values-dialog.tsx')).MissingValuesDialog,
);

/** Characters that are left when the counter appears. */
const COUNTED_FROM = 500;
const LONGEST_TEXT = 4_096;

/** An answer to the contact: text with what belongs to it, while anything may be written. */
export function ReplyBox({
  conversation,
  channel,
  bar,
}: {
  conversation: Conversation;
  channel: Channel | null | undefined;
  bar: WritingBar | null;
}) {
  const { id: conversationId } = conversation;
  const id = useId();
  const field = useRef<HTMLTextAreaElement>(null);
  const draft = useDraft(conversationId, 'reply');
  const quoted = useQuotedMessage(conversationId);
  const outbox = useOutbox(conversationId);
  const [sendsOnEnter] = useSendsOnEnter();
  const [selection, setSelection] = useState<MarkedSelection>({ text: '', start: 0, end: 0 });
  const [dialog, setDialog] = useState<'template' | FilledReply | null>(null);
  const queryClient = useQueryClient();
  const { tellTyping, tellNoTyping } = usePresence(conversationId);

  // Whoever presses Reply at a message writes next.
  const { change } = draft;
  const changeRef = useRef(change);
  useEffect(() => {
    changeRef.current = change;
  });
  const quotedId = quoted?.id;
  useEffect(() => {
    if (!quotedId) return;
    changeRef.current({ replyTo: quotedId });
    field.current?.focus();
  }, [quotedId]);

  const longest = channel?.capabilities.longestText ?? LONGEST_TEXT;
  const text = draft.text.trim();
  const left = longest - text.length;
  const canSend = bar === null && text !== '' && left >= 0;

  function removeQuote() {
    quoteMessage(conversationId, null);
    draft.change({ replyTo: null });
    field.current?.focus();
  }

  async function send(content: OutboxContent, writingId?: string) {
    try {
      await outbox.add(content, writingId === undefined ? {} : { writingId });
    } catch (error) {
      // The browser has no room for it.
      notify.error(t(error instanceof OutboxFull ? 'outbox.full' : 'common.error.internal'));
      throw error;
    }
  }

  function submit() {
    if (!canSend) return;
    const { writingId, text: written, replyTo } = draft.take();
    quoteMessage(conversationId, null);
    tellNoTyping();
    field.current?.focus();
    const content = { text: written.trim(), ...(replyTo && { replyTo }) };
    send(content, writingId).catch(() => {
      // It comes back unless something else is being written by now.
      if (field.current?.value === '') draft.change({ text: written, replyTo });
    });
  }

  const slash = findSlashWord({ ...selection, text: draft.text });
  const replies = useQuickReplies(conversation.contact.id, bar === null ? (slash?.word ?? null) : null);

  function putReply(filled: FilledReply, filledText: string) {
    const area = field.current;
    if (area) {
      const word = findSlashWord(selectionOf(area));
      const at = word ? { text: area.value, start: word.start, end: word.end } : selectionOf(area);
      editField(area, insertText(at, filledText));
    }
    setDialog(null);
    api.quickReplies
      .countUse({ quickReplyId: filled.reply.id })
      .then(() => queryClient.invalidateQueries({ queryKey: orpc.quickReplies.key() }))
      .catch(() => undefined); // It only orders the list.
  }

  const offer: Offer | null =
    slash && replies
      ? {
          label: t('composer.quickReplies'),
          empty: t('composer.quickReply.none'),
          items: replies.map(replySuggestion),
          pick(index) {
            const filled = replies[index];
            if (!filled) return;
            if ([...filled.values.values()].includes(null)) setDialog(filled);
            else putReply(filled, filled.text);
          },
        }
      : null;

  useConversationCommand('template', () => setDialog('template'));
  useConversationCommand('quickReply', bar === null ? openQuickReplies : null);
  function openQuickReplies() {
    const area = field.current;
    if (!area) return;
    editField(area, insertText({ text: area.value, start: 0, end: 0 }, '/'));
    setSelection(selectionOf(area));
  }

  return (
    <>
      {bar ? (
        <BarNotice
          {...{ bar, conversation, channel }}
          hasText={text !== ''}
          onTemplate={() => setDialog('template')}
        />
      ) : null}
      {draft.replyTo ? (
        <QuoteStrip quoted={quoted?.id === draft.replyTo ? quoted : null} onRemove={removeQuote} />
      ) : null}
      <WritingField
        fieldRef={field}
        value={draft.text}
        label={t('composer.replyTo', { name: conversation.contact.name })}
        placeholder={t(sendsOnEnter ? 'composer.placeholderEnter' : 'composer.placeholder')}
        describedBy={`${id}-count`}
        disabled={bar !== null && bar !== 'window' && text === ''}
        {...{ sendsOnEnter, offer }}
        onChange={(next) => {
          draft.change({ text: next });
          if (next.trim() === '') tellNoTyping();
          else tellTyping();
        }}
        onCaret={setSelection}
        onSubmit={submit}
        onEscape={() => {
          if (!draft.replyTo) return false;
          removeQuote();
          return true;
        }}
      />
      <div className="flex items-center gap-1 px-2 pb-2">
        <ReplyTools
          field={field}
          isOn={bar === null}
          onTemplate={() => setDialog('template')}
          onQuickReplies={openQuickReplies}
        />
        <p
          id={`${id}-count`}
          role="status"
          className={`ml-auto text-xs tabular-nums ${left < 0 ? 'text-danger' : 'text-muted'}`}
        >
          {left < 0
            ? t('composer.tooLong', { n: -left })
            : left <= COUNTED_FROM
              ? t('composer.count', { used: formatNumber(text.length), most: formatNumber(longest) })
              : null}
        </p>
        <IconButton
          label={t('composer.send')}
          variant="primary"
          disabled={!canSend}
          className="sm:hidden"
          onClick={submit}
        >
          <SendHorizontal aria-hidden />
        </IconButton>
        <Button
          variant="primary"
          icon={<SendHorizontal aria-hidden />}
          disabled={!canSend}
          className="max-sm:hidden"
          onClick={submit}
        >
          {t('composer.send')}
        </Button>
      </div>
      <Suspense>
        {dialog === 'template' ? (
          <TemplateDialog conversation={conversation} onSend={(message) => send(message)} onClose={close} />
        ) : dialog !== null ? (
          <MissingValuesDialog
            filled={dialog}
            onFill={(filledText) => putReply(dialog, filledText)}
            onClose={close}
          />
        ) : null}
      </Suspense>
    </>
  );

  function close() {
    setDialog(null);
    field.current?.focus();
  }
}
