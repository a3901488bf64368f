import { PhonePreview, ChatBubble } from '../../../ui/phone/phone-preview.tsx';
import { useBusiness } from '../../../shared/business-profile/use-business.ts';
import { useCustomFields } from '../../../shared/contacts/custom-fields.ts';
import { t } from '../../../shared/messages.ts';
import { exampleValues, sharedValues } from './filled-values.ts';
import { variablesOf, type MessageDraft } from './message-draft.ts';
import { templateToPhone } from './template-preview.ts';
import { useTemplate } from './template-queries.ts';

/** The chosen message on a phone, as somebody with these values gets it; with sample values while nobody's are known. */
export function MessagePhone({
  message,
  values,
}: {
  message: MessageDraft;
  values: Readonly<Record<string, string>> | undefined;
}) {
  const { components, known, business } = useMessageParts(message);
  const shown = values ? { ...values, ...sharedValues(known) } : exampleValues(known, components);
  return (
    <PhonePreview
      label={t('sending.message.preview')}
      name={business?.name ?? t('sending.message.previewName')}
      image={business?.image}
      message={templateToPhone(components, shown)}
      emptyText={t('sending.message.previewEmpty')}
    />
  );
}

/** Without the phone around it, for pages where the message is known already; fields of the contact stay visible as placeholders. */
export function MessageBubble({ message }: { message: MessageDraft }) {
  const { components, known } = useMessageParts(message);
  return (
    <div role="group" aria-label={t('sending.message.preview')} className="rounded-card bg-chat p-3">
      <ChatBubble message={templateToPhone(components, sharedValues(known))} />
    </div>
  );
}

function useMessageParts(message: MessageDraft) {
  const { template } = useTemplate(message.templateId);
  const business = useBusiness();
  const fields = useCustomFields();
  const written = [{ type: 'body' as const, text: message.customMessage }];
  return {
    components: message.templateId === null ? written : (template?.components ?? []),
    known: {
      names: variablesOf(message, template),
      ...{ variables: message.variables, fields, business: business?.name },
    },
    business,
  };
}
