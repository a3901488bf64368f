import { useQuery } from '@tanstack/react-query';
import { orpc } from '../../../shared/api.ts';
import { errorMessage } from '../../../shared/error-message.ts';
import { formatDateTime } from '../../../shared/formats.ts';
import { t } from '../../../shared/messages.ts';
import { Button } from '../../../ui/button.tsx';
import { Dialog } from '../../../ui/overlays/dialog.tsx';
import { ErrorState, Skeleton, SkeletonRegion } from '../../../ui/states.tsx';
import { MarkedBlocks } from '../parts/marked-blocks.tsx';
import type { Note } from '../timeline-window.ts';

/** What a note said before, the newest first. */
export function NoteVersionsDialog({ note, onClose }: { note: Note; onClose: () => void }) {
  const { data, error, refetch } = useQuery(
    orpc.conversations.listNoteVersions.queryOptions({
      input: { conversationId: note.conversationId, noteId: note.id },
      staleTime: 0,
    }),
  );
  return (
    <Dialog
      open
      onOpenChange={(open) => {
        if (!open) onClose();
      }}
      title={t('chat.note.versions')}
      footer={<Button onClick={onClose}>{t('common.close')}</Button>}
    >
      {data ? (
        <ol className="grid gap-3">
          {data.items.map(({ body, at }) => (
            <li key={at} className="rounded-card bg-sunken px-3 py-2">
              <time dateTime={at} className="text-sm text-muted tabular-nums">
                {formatDateTime(at)}
              </time>
              <MarkedBlocks text={body} />
            </li>
          ))}
        </ol>
      ) : error ? (
        <ErrorState text={errorMessage(error)} onRetry={() => void refetch()} />
      ) : (
        <SkeletonRegion>
          <Skeleton className="h-12 w-full" />
        </SkeletonRegion>
      )}
    </Dialog>
  );
}
