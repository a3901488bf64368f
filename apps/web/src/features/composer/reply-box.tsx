import { SendHorizontal, X } from 'lucide-react';
import { Suspense, useId, useRef, useState } from 'react';
import { useConversationCommand } from '../../shared/conversations/conversation-commands.ts';
import type { Conversation } from '../../shared/conversations/conversations-queries.ts';
import { formatNumber } from '../../shared/formats.ts';
import { t } from '../../shared/messages.ts';
import { Button, IconButton } from '../../ui/button.tsx';
import { lazyDialog } from '../../ui/overlays/lazy-dialog.tsx';
import { lazyDetail, lazyPart } from '../../ui/load-file.ts';
import { AttachmentStrip } from './files/attachment-strip.tsx';
import { BarNotice } from './bar-notice.tsx';
import { editField, selectionOf } from '../../shared/writing/edit-field.ts';
import { QuoteStrip } from './quote-strip.tsx';
import { ReplyTools, type ReplyDialogName } from './reply-tools.tsx';
import { ScheduleButton } from './schedule/schedule-button.tsx';
import { ScheduledStrip } from './schedule/scheduled-strip.tsx';
import { useSendsOnEnter } from './field/send-key.ts';
import { findSlashWord, insertText, type MarkedSelection } from '../../shared/writing/text-marks.ts';
import { useDroppedFiles } from './files/use-dropped-files.ts';
import { useReplyOffer } from './replies/use-reply-offer.ts';
import type { FilledReply } from './replies/use-quick-replies.tsx';
import { useReply } from './use-reply.ts';
import { nameOfRecording } from './voice/voice-recording.ts';
import { WritingField } from './field/writing-field.tsx';
import type { Channel, WritingBar } from './writing-state.ts';

const TemplateDialog = lazyDialog(async () => (await import('./template-dialog.tsx')).TemplateDialog);
const MissingValuesDialog = lazyDialog(
  async () => (await import('./replies/missing-values-dialog.tsx')).MissingValuesDialog,
);
const PlaceDialog = lazyDialog(async () => (await import('./other-kinds/place-dialog.tsx')).PlaceDialog);
const CardDialog = lazyDialog(async () => (await import('./other-kinds/card-dialog.tsx')).CardDialog);
const AssistButton = lazyDetail(async () => (await import('./assist/assist-button.tsx')).AssistButton);
const VoiceRecorder = lazyPart(async () => (await import('./voice/voice-recorder.tsx')).VoiceRecorder);

/** Characters that are left when the counter appears. */
const COUNTED_FROM = 500;

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
  const id = useId();
  const field = useRef<HTMLTextAreaElement>(null);
  const [sendsOnEnter] = useSendsOnEnter();
  const [selection, setSelection] = useState<MarkedSelection>({ text: '', start: 0, end: 0 });
  const [dialog, setDialog] = useState<ReplyDialogName | FilledReply | null>(null);
  const [isRecording, setIsRecording] = useState(false);
  const isOn = bar === null;
  const focus = () => field.current?.focus();
  const reply = useReply(conversation, channel, { isOn, focus });
  const { draft, attachments, left, canSend } = reply;
  const isOver = useDroppedFiles(isOn && !isRecording ? attachments.add : null);
  const { offer, take } = useReplyOffer({
    ...{ conversation, reply, field, isOn },
    selection: { ...selection, text: draft.text },
    onMissing: setDialog,
  });

  useConversationCommand(conversation.id, 'template', () => setDialog('template'));
  useConversationCommand(conversation.id, 'quickReply', isOn ? openQuickReplies : null);
  // The slash that the button wrote, and that goes again with the list.
  const hasOwnSlash = useRef(false);
  function openQuickReplies() {
    const area = field.current;
    if (!area) return;
    if (hasOwnSlash.current && findSlashWord(selectionOf(area))?.word === '') return closeQuickReplies();
    hasOwnSlash.current = true;
    editField(area, insertText({ text: area.value, start: 0, end: 0 }, '/'));
    setSelection(selectionOf(area));
  }
  function closeQuickReplies() {
    const area = field.current;
    const slash = area && hasOwnSlash.current ? findSlashWord(selectionOf(area)) : null;
    hasOwnSlash.current = false;
    if (area && slash?.word === '')
      reply.type(area.value.slice(0, slash.start) + area.value.slice(slash.end));
  }
  function close() {
    setDialog(null);
    focus();
  }

  if (isRecording)
    return (
      <Suspense>
        <VoiceRecorder
          onSend={(file) =>
            void reply.add({ files: [{ file, name: nameOfRecording(file), kind: 'audio', asVoice: true }] })
          }
          onClose={() => {
            setIsRecording(false);
            requestAnimationFrame(focus);
          }}
        />
      </Suspense>
    );
  return (
    <>
      {bar ? (
        <BarNotice
          {...{ bar, conversation, channel }}
          hasText={reply.text !== ''}
          onTemplate={() => setDialog('template')}
        />
      ) : null}
      <ScheduledStrip conversation={conversation} />
      {draft.replyTo ? (
        <QuoteStrip
          quoted={
            reply.quoted && { ...reply.quoted, author: reply.quoted.author || conversation.contact.name }
          }
          onRemove={reply.removeQuote}
        />
      ) : null}
      <AttachmentStrip attachments={attachments} onEmpty={focus} />
      {isOver ? (
        <p className="mx-2 mt-1 rounded-card border-2 border-dashed border-primary bg-primary-soft px-3 py-4 text-center font-medium">
          {t('composer.file.drop')}
        </p>
      ) : null}
      <WritingField
        fieldRef={field}
        value={draft.text}
        label={t('composer.replyTo', { name: conversation.contact.name })}
        placeholder={placeholderOf(attachments.files, sendsOnEnter)}
        describedBy={`${id}-count`}
        disabled={bar !== null && bar !== 'window' && reply.text === ''}
        hasStyles={channel?.capabilities.textStyles !== false}
        {...{ sendsOnEnter, offer }}
        onChange={reply.type}
        onCaret={setSelection}
        onSubmit={() => void reply.submit()}
        onOfferClosed={closeQuickReplies}
        onEscape={() => {
          if (!draft.replyTo) return false;
          reply.removeQuote();
          return true;
        }}
        onFiles={isOn ? attachments.add : undefined}
      />
      {reply.buttons.length > 0 ? (
        <ul aria-label={t('composer.buttons')} className="flex flex-wrap gap-1.5 px-3 pb-2">
          {reply.buttons.map((title) => (
            <li key={title} className="flex items-center rounded-full border border-border pl-3 text-sm">
              <span dir="auto">{title}</span>
              <IconButton
                size="small"
                label={t('composer.buttons.remove', { title })}
                onClick={() => {
                  reply.setButtons(reply.buttons.filter((other) => other !== title));
                  focus();
                }}
              >
                <X aria-hidden />
              </IconButton>
            </li>
          ))}
        </ul>
      ) : null}
      <div className="@container flex items-center gap-1 px-2 pb-2">
        <ReplyTools
          {...{ field, isOn, channel }}
          onDialog={setDialog}
          onQuickReplies={openQuickReplies}
          onFiles={attachments.add}
          onVoice={() => setIsRecording(true)}
        />
        <Suspense>
          <AssistButton {...{ conversation, field, isOn }} hasText={reply.text !== ''} />
        </Suspense>
        <p
          id={`${id}-count`}
          role="status"
          className={`ml-auto text-xs tabular-nums ${left < 0 ? 'text-danger' : 'text-muted'}`}
        >
          {left < 0
            ? t('composer.tooLong', { n: -left })
            : left <= COUNTED_FROM
              ? t('composer.count', {
                  used: formatNumber(reply.longest - left),
                  most: formatNumber(reply.longest),
                })
              : null}
        </p>
        <ScheduleButton
          disabled={!canSend}
          windowEndsAt={channel?.capabilities.freeTextHours === null ? null : conversation.windowEndsAt}
          onSchedule={(at) => void reply.submit(at)}
        />
        <IconButton
          label={t('composer.send')}
          variant="primary"
          disabled={!canSend}
          className="@lg:hidden"
          onClick={() => void reply.submit()}
        >
          <SendHorizontal aria-hidden />
        </IconButton>
        <Button
          variant="primary"
          icon={<SendHorizontal aria-hidden />}
          disabled={!canSend}
          className="@max-lg:hidden"
          onClick={() => void reply.submit()}
        >
          {t('composer.send')}
        </Button>
      </div>
      <Suspense>
        {dialog === 'template' ? (
          <TemplateDialog
            conversation={conversation}
            isReviewed={channel?.capabilities.templates !== 'none'}
            onSend={(message) => reply.add(message)}
            onClose={close}
          />
        ) : dialog === 'place' ? (
          <PlaceDialog onSend={reply.addAnswer} onClose={close} />
        ) : dialog === 'card' ? (
          <CardDialog onSend={reply.addAnswer} onClose={close} />
        ) : dialog !== null ? (
          <MissingValuesDialog
            filled={dialog}
            onFill={(text) => {
              setDialog(null);
              take(dialog, text);
            }}
            onClose={close}
          />
        ) : null}
      </Suspense>
    </>
  );
}

function placeholderOf(files: readonly { longestCaption: number }[], sendsOnEnter: boolean): string {
  if (files.length === 1 && files[0]!.longestCaption > 0) return t('composer.file.caption');
  return t(sendsOnEnter ? 'composer.placeholderEnter' : 'composer.placeholder');
}
