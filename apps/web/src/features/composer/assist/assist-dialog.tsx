import { noteLimits } from '@app/domain/conversations/note-rules';
import { useQueryClient } from '@tanstack/react-query';
import { useAction } from '../../../shared/actions/use-action.ts';
import { api, orpc } from '../../../shared/api.ts';
import { errorMessage } from '../../../shared/error-message.ts';
import { t } from '../../../shared/messages.ts';
import { Button } from '../../../ui/button.tsx';
import { CopyButton } from '../../../ui/copy-button.tsx';
import { Dialog } from '../../../ui/overlays/dialog.tsx';
import { notify } from '../../../ui/toast.ts';
import type { AssistResult } from './assist-result.ts';

/** What the AI model wrote, to be read first: a summary can become a note, another text goes into the field. */
export function AssistDialog({
  conversationId,
  result: { task, answer },
  onInsert,
  onClose,
}: {
  conversationId: string;
  result: AssistResult;
  /** Left out while nothing can be written. */
  onInsert: (() => void) | undefined;
  onClose: () => void;
}) {
  const queryClient = useQueryClient();
  const save = useAction({
    mutationFn: () => api.conversations.addNote({ conversationId, body: answer.slice(0, noteLimits.body) }),
    async onSuccess() {
      notify.success(t('chatbot.assist.noteSaved'));
      onClose();
      await queryClient.invalidateQueries({
        queryKey: orpc.conversations.listMessages.key({ input: { conversationId } }),
      });
    },
    onError: (error) => notify.error(errorMessage(error)),
  });
  const isForReply = task !== 'summarize' && task !== 'translate_last';
  return (
    <Dialog
      open
      onOpenChange={(open) => (open ? undefined : onClose())}
      size="small"
      title={t(`chatbot.assist.task.${task}`)}
      description={t(isForReply ? 'chatbot.assist.textChanged' : 'chatbot.assist.forYou')}
      footer={
        <>
          <CopyButton text={answer} label={t('chatbot.assist.copy')} />
          {task === 'summarize' ? (
            <Button variant="primary" loading={save.isPending} onClick={() => save.mutate()}>
              {t('chatbot.assist.saveNote')}
            </Button>
          ) : isForReply && onInsert ? (
            <Button variant="primary" onClick={onInsert}>
              {t('chatbot.assist.insert')}
            </Button>
          ) : null}
        </>
      }
    >
      <p dir="auto" className="rounded-card bg-sunken p-3 whitespace-pre-wrap wrap-anywhere">
        {answer}
      </p>
    </Dialog>
  );
}
