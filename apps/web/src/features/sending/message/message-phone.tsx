import { PhonePreview, ChatBubble } from '../../../ui/phone/phone-preview.tsx';
import { useBusiness } from '../../../shared/business-profile/use-business.ts';
import { useCustomFields } from '../../../shared/contacts/custom-fields.ts';
import { t } from '../../../shared/messages.ts';
import { exampleValues, sharedValues } from './filled-values.ts';
import { variablesOf, type MessageDraft } from './message-draft.ts';
import type { PreviewedRecipient } from './recipient-queries.ts';
import { templateToPhone } from './template-preview.ts';
import { useTemplate } from './template-queries.ts';

/** Who gets it: the template in their language, and what fills it for them. */
type Reader = Pick<PreviewedRecipient, 'templateId' | 'values'>;

/** The chosen message on a phone, as this person gets it; with sample values while nobody is known. */
export function MessagePhone({ message, person }: { message: MessageDraft; person: Reader | undefined }) {
  const { components, known, business } = useMessageParts(useMessageOf(message, person));
  const shown = person ? { ...person.values, ...sharedValues(known) } : exampleValues(known, components);
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

/** The same without the phone around it, where several stand below each other. */
export function PersonBubble({ message, person }: { message: MessageDraft; person: Reader }) {
  const { components, known } = useMessageParts(useMessageOf(message, person));
  return <ChatBubble message={templateToPhone(components, { ...person.values, ...sharedValues(known) })} />;
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

/** In the language that this person gets, as soon as it is known. */
function useMessageOf(message: MessageDraft, person: Reader | undefined): MessageDraft {
  const { template: own } = useTemplate(person?.templateId ?? null);
  return own ? { ...message, templateId: own.id } : message;
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
