import { CircleMinus, CirclePlus, NotebookPen, Smartphone, Trash2 } from 'lucide-react';
import { useQueryClient } from '@tanstack/react-query';
import { api, orpc } from '../../shared/api.ts';
import { useAct } from '../../shared/acts/use-act.ts';
import { failureText } from '../../shared/failure-text.ts';
import { formatDateTime, formatTime } from '../../shared/formats.ts';
import { t } from '../../shared/messages.ts';
import { can, useSession } from '../../shared/session.ts';
import { IconButton } from '../../ui/button.tsx';
import { useConfirm } from '../../ui/overlays/confirm.tsx';
import { notify } from '../../ui/toast.ts';
import { MarkedBlocks } from './parts/marked-blocks.tsx';
import type { Note, TimelineItem } from './timeline-window.ts';

type Happened = Exclude<TimelineItem, { kind: 'message' | 'note' }>;

export function DayRow({ label }: { label: string }) {
  return (
    <div className="sticky top-2 layer-row flex justify-center py-2">
      <h3 className="rounded-full border border-border bg-raised px-3 py-0.5 text-xs font-medium text-muted shadow-xs">
        {label}
      </h3>
    </div>
  );
}

export function UnreadRow() {
  return (
    <div data-item="unread" className="flex items-center gap-3 px-3 pt-3 pb-1 md:px-6">
      <span aria-hidden className="h-px flex-1 bg-primary" />
      <span className="text-xs font-semibold text-primary-text">{t('chat.unread')}</span>
      <span aria-hidden className="h-px flex-1 bg-primary" />
    </div>
  );
}

/** What staff wrote to each other: it looks like nothing that the contact sees. */
export function NoteRow({ note }: { note: Note }) {
  const session = useSession();
  const queryClient = useQueryClient();
  const confirm = useConfirm();
  const remove = useAct({
    mutationFn: () => api.conversations.deleteNote({ conversationId: note.conversationId, noteId: note.id }),
    onError: (error) => notify.error(failureText(error)),
    onSettled: () =>
      queryClient.invalidateQueries({
        queryKey: orpc.conversations.listMessages.key({ input: { conversationId: note.conversationId } }),
      }),
  });
  const isOwn = session.status === 'signed-in' && session.user.id === note.author.id;
  const mayDelete = can('messages:create') && (isOwn || can('messages:delete'));
  async function ask() {
    if (await confirm({ title: t('chat.note.deleteQuestion'), confirmLabel: t('common.delete') }))
      remove.mutate();
  }
  return (
    <article
      data-item={note.id}
      data-message=""
      tabIndex={-1}
      aria-label={`${t('chat.note')}, ${note.author.name}, ${formatDateTime(note.at)}: ${note.body}`}
      className="group/message flex justify-center px-3 pb-2 outline-none md:px-6"
    >
      <div className="w-full max-w-xl rounded-lg border border-dashed border-warning/60 bg-warning-soft px-3 py-2 text-warning group-focus-visible/message:outline-2 group-focus-visible/message:outline-offset-2">
        <p className="mb-0.5 flex items-center gap-1.5 text-xs font-medium">
          <NotebookPen aria-hidden className="size-3.5 shrink-0" />
          <bdi className="min-w-0 flex-1 truncate">{t('chat.noteOf', { name: note.author.name })}</bdi>
          {note.editedAt === null ? null : <span>{t('chat.edited')}</span>}
          <time dateTime={note.at} className="tabular-nums">
            {formatTime(note.at)}
          </time>
          {mayDelete ? (
            <IconButton
              size="small"
              className="-my-1"
              label={t('chat.note.delete')}
              onClick={() => void ask()}
            >
              <Trash2 aria-hidden />
            </IconButton>
          ) : null}
        </p>
        <div className="text-text">
          <MarkedBlocks text={note.body} />
        </div>
      </div>
    </article>
  );
}

/** What happened to the contact between what was said. */
export function HappenedRow({ item, contactName }: { item: Happened; contactName: string }) {
  const name = contactName;
  const isNumber = item.kind === 'number_changed';
  return (
    <p data-item={item.id} className="flex items-center justify-center gap-2 px-3 pb-2 text-sm text-muted">
      <span aria-hidden className="shrink-0 [&_svg]:size-4">
        {isNumber ? <Smartphone /> : item.choice === 'opt_in' ? <CirclePlus /> : <CircleMinus />}
      </span>
      <span className="min-w-0 wrap-anywhere">
        {isNumber
          ? t('chat.numberChanged', { name, from: item.from })
          : t(`chat.consent.${item.choice}.${item.by}`, { name })}{' '}
        <time dateTime={item.at} className="tabular-nums">
          {formatTime(item.at)}
        </time>
      </span>
    </p>
  );
}
