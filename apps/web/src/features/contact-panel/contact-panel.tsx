import { X } from 'lucide-react';
import type { Conversation } from '../../shared/conversations/conversations-queries.ts';
import { t } from '../../shared/messages.ts';
import { IconButton } from '../../ui/button.tsx';

/** The person one talks with, beside the chat. */
export function ContactPanel({ conversation, onClose }: { conversation: Conversation; onClose: () => void }) {
  return (
    <div className="flex items-start justify-between gap-2 p-4">
      <h2 className="font-semibold wrap-anywhere">
        <bdi>{conversation.contact.name}</bdi>
      </h2>
      <IconButton label={t('inbox.closePanel')} onClick={onClose}>
        <X aria-hidden />
      </IconButton>
    </div>
  );
}
