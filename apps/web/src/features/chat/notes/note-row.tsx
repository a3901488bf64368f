import { useQueryClient } from '@tanstack/react-query';
import { NotebookPen, Pencil, Trash2 } from 'lucide-react';
import { Suspense, useState } from 'react';
import { api, orpc } from '../../../shared/api.ts';
import { useAction } from '../../../shared/actions/use-action.ts';
import { errorMessage } from '../../../shared/error-message.ts';
import { formatDateTime, formatTime } from '../../../shared/formats.ts';
import { t } from '../../../shared/messages.ts';
import { can, useSession } from '../../../shared/session.ts';
import { IconButton } from '../../../ui/button.tsx';
import { lazyDialog } from '../../../ui/overlays/lazy-dialog.tsx';
import { useConfirm } from '../../../ui/overlays/confirm.tsx';
import { notify } from '../../../ui/toast.ts';
import { MarkedBlocks } from '../parts/marked-blocks.tsx';
import type { Note } from '../timeline-window.ts';

const NoteEditDialog = lazyDialog(async () => (await import('./note-edit-dialog.tsx')).NoteEditDialog);
const NoteVersionsDialog = lazyDialog(
  async () => (await import('./note-versions-dialog.tsx')).NoteVersionsDialog,
);

/** What staff wrote to each other: it looks like nothing that the contact sees. */
export function NoteRow({ note }: { note: Note }) {
  const session = useSession();
  const queryClient = useQueryClient();
  const confirm = useConfirm();
  const remove = useAction({
    mutationFn: () => api.conversations.deleteNote({ conversationId: note.conversationId, noteId: note.id }),
    onError: (error) => notify.error(errorMessage(error)),
    onSettled: () =>
      queryClient.invalidateQueries({
        queryKey: orpc.conversations.listMessages.key({ input: { conversationId: note.conversationId } }),
      }),
  });
  const [open, setOpen] = useState<'edit' | 'versions' | null>(null);
  const isOwn = session.status === 'signed-in' && session.user.id === note.author.id;
  const mayEdit = isOwn && can('messages:create');
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
          {note.editedAt === null ? null : (
            <button type="button" className="underline" onClick={() => setOpen('versions')}>
              {t('chat.edited')}
            </button>
          )}
          <time dateTime={note.at} className="tabular-nums">
            {formatTime(note.at)}
          </time>
          {mayEdit ? (
            <IconButton
              size="small"
              className="-my-1"
              label={t('chat.note.edit')}
              onClick={() => setOpen('edit')}
            >
              <Pencil aria-hidden />
            </IconButton>
          ) : null}
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
      <Suspense>
        {open === 'edit' ? <NoteEditDialog note={note} onClose={() => setOpen(null)} /> : null}
        {open === 'versions' ? <NoteVersionsDialog note={note} onClose={() => setOpen(null)} /> : null}
      </Suspense>
    </article>
  );
}
