import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { orpc } from '../../shared/api.ts';
import type { QuickReply } from '../../shared/conversations/quick-replies.ts';
import { t } from '../../shared/messages.ts';
import { Button } from '../../ui/button.tsx';
import { Dialog } from '../../ui/overlays/dialog.tsx';
import { ErrorState, Skeleton, SkeletonRegion } from '../../ui/states.tsx';
import { replyErrorMessage } from './quick-replies-queries.ts';
import { ReplyForm } from './reply-form.tsx';

/** Makes a quick reply, or edits the one that is named, as the server has it now. */
export function ReplyDialog({ replyId, onClose }: { replyId: string; onClose: () => void }) {
  return replyId === '' ? (
    <ReplyForm onClose={onClose} />
  ) : (
    <EditDialog replyId={replyId} onClose={onClose} />
  );
}

function EditDialog({ replyId, onClose }: { replyId: string; onClose: () => void }) {
  // Read once: a later change by somebody else must not pull the ground from under what is typed.
  const found = useQuery({
    ...orpc.quickReplies.get.queryOptions({ input: { quickReplyId: replyId } }),
    ...{ staleTime: 0, refetchOnWindowFocus: false, refetchOnReconnect: false },
  });
  const [opened, setOpened] = useState<QuickReply>();
  if (!opened && found.isSuccess && found.isFetchedAfterMount) setOpened(found.data);
  if (opened) return <ReplyForm reply={opened} onClose={onClose} />;
  return (
    <Dialog
      open
      onOpenChange={(open) => {
        if (!open) onClose();
      }}
      title={t('quick-replies.editTitle')}
      footer={<Button onClick={onClose}>{t('common.close')}</Button>}
    >
      {found.isError ? (
        <ErrorState text={replyErrorMessage(found.error)} onRetry={() => void found.refetch()} />
      ) : (
        <SkeletonRegion className="grid gap-5 py-2">
          <Skeleton className="h-9" />
          <Skeleton className="h-9" />
          <Skeleton className="h-24" />
        </SkeletonRegion>
      )}
    </Dialog>
  );
}
