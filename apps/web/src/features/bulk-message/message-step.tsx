import { t } from '../../shared/messages.ts';
import { MessageEditor } from '../sending/message/message-editor.tsx';
import { isMessageEmpty, type MessageDraft } from '../sending/message/message-draft.ts';
import { RecipientPreview } from '../sending/message/recipient-preview.tsx';
import { classNames } from '../../ui/class-names.ts';
import { useChosenNumber } from '../sending/number-field.tsx';
import type { BulkMessageDraft } from './bulk-message-draft.ts';

export function MessageStep({
  draft,
  onChange,
}: {
  draft: BulkMessageDraft;
  onChange: (message: MessageDraft) => void;
}) {
  const { message, selection } = draft;
  return (
    <div className="grid grid-cols-1 gap-6 lg:grid-cols-[minmax(0,1fr)_20rem]">
      <MessageEditor message={message} onChange={onChange} />
      <aside
        aria-label={t('sending.message.preview')}
        className={classNames('lg:sticky lg:top-4 lg:self-start', isMessageEmpty(message) && 'max-lg:hidden')}
      >
        <RecipientPreview
          message={message}
          selection={selection}
          channelId={useChosenNumber(draft.channelId)}
        />
      </aside>
    </div>
  );
}
