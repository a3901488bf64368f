import { PhonePreview, ChatBubble, type PhoneMessage } from '../../../ui/phone/phone-preview.tsx';
import { useBusiness } from '../../../shared/business-profile/use-business.ts';
import { t } from '../../../shared/messages.ts';
import type { MessageDraft } from './message-draft.ts';
import { templateToPhone } from './template-preview.ts';
import { useTemplate } from './template-queries.ts';

/** The chosen message on a phone. Fixed texts are filled in; fields of the contact stay visible as placeholders. */
export function MessagePhone({ message }: { message: MessageDraft }) {
  return (
    <PhonePreview
      label={t('sending.message.preview')}
      name={t('sending.message.previewName')}
      image={useBusiness()?.image}
      message={usePhoneMessage(message)}
      emptyText={t('sending.message.previewEmpty')}
    />
  );
}

/** The same without the phone around it, for pages where the message is known already. */
export function MessageBubble({ message }: { message: MessageDraft }) {
  return (
    <div role="group" aria-label={t('sending.message.preview')} className="rounded-card bg-chat p-3">
      <ChatBubble message={usePhoneMessage(message)} />
    </div>
  );
}

function usePhoneMessage({ templateId, customMessage, variables }: MessageDraft): PhoneMessage {
  const { template } = useTemplate(templateId);
  const texts = Object.fromEntries(
    Object.entries(variables).flatMap(([name, source]) => ('text' in source ? [[name, source.text]] : [])),
  );
  const written = [{ type: 'body' as const, text: customMessage }];
  return templateToPhone(templateId === null ? written : (template?.components ?? []), texts);
}
