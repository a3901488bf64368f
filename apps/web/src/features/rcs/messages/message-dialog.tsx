import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { t } from '../../../shared/messages.ts';
import { Button } from '../../../ui/button.tsx';
import { Dialog } from '../../../ui/overlays/dialog.tsx';
import { ErrorState, Skeleton, SkeletonRegion } from '../../../ui/states.tsx';
import { MessageForm } from './message-form.tsx';
import { messageOptions, rcsErrorMessage, type RcsMessage } from './rcs-messages-queries.ts';

interface MessageDialogProps {
  /** Empty for a new one. */
  messageId: string;
  isCopy: boolean;
  onClose: () => void;
}

/** Writes a message, edits one, or begins with a copy of one. */
export function MessageDialog({ messageId, isCopy, onClose }: MessageDialogProps) {
  return messageId === '' ? (
    <MessageForm onClose={onClose} />
  ) : (
    <LoadedMessage
      messageId={messageId}
      title={t(isCopy ? 'rcs.copyTitle' : 'rcs.editTitle')}
      onClose={onClose}
    >
      {(message) =>
        isCopy ? (
          <MessageForm copyOf={message} onClose={onClose} />
        ) : (
          <MessageForm message={message} onClose={onClose} />
        )
      }
    </LoadedMessage>
  );
}

/** Reads a message once: a later change by somebody else must not pull the ground from under what is typed. */
export function LoadedMessage({
  messageId,
  title,
  onClose,
  children,
}: {
  messageId: string;
  title: string;
  onClose: () => void;
  children: (message: RcsMessage) => React.ReactNode;
}) {
  const found = useQuery(messageOptions(messageId));
  const [opened, setOpened] = useState<RcsMessage>();
  if (!opened && found.isSuccess && found.isFetchedAfterMount) setOpened(found.data);
  if (opened) return children(opened);
  return (
    <Dialog
      open
      onOpenChange={(open) => {
        if (!open) onClose();
      }}
      title={title}
      footer={<Button onClick={onClose}>{t('common.close')}</Button>}
    >
      {found.isError ? (
        <ErrorState text={rcsErrorMessage(found.error)} onRetry={() => void found.refetch()} />
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
