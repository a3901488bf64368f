import { t } from '../../shared/messages.ts';
import { MessageEditor } from '../sending/message/message-editor.tsx';
import type { MessageDraft } from '../sending/message/message-draft.ts';
import { MessagePhone } from '../sending/message/message-phone.tsx';

export function MessageStep({
  message,
  onChange,
}: {
  message: MessageDraft;
  onChange: (message: MessageDraft) => void;
}) {
  return (
    <div className="grid grid-cols-1 gap-6 lg:grid-cols-[minmax(0,1fr)_20rem]">
      <MessageEditor message={message} onChange={onChange} />
      <aside aria-label={t('sending.message.preview')} className="lg:sticky lg:top-4 lg:self-start">
        <MessagePhone message={message} />
      </aside>
    </div>
  );
}
