import type { RunVariable } from '@app/domain/delivery/run-message';
import { useQuery } from '@tanstack/react-query';
import { TriangleAlert } from 'lucide-react';
import { useState } from 'react';
import { orpc, type api } from '../../shared/api.ts';
import type { Conversation } from '../../shared/conversations/conversations-queries.ts';
import { customValueText, useCustomFields } from '../../shared/contacts/custom-fields.ts';
import { t } from '../../shared/messages.ts';
import type { OutboxContent } from '../../shared/outbox/outbox-items.ts';
import { useSession } from '../../shared/session.ts';
import { useMessages } from '../../shared/use-messages.ts';
import { FormDialog } from '../../ui/overlays/form-dialog.tsx';
import {
  emptyMessage,
  sourceOf,
  toVariables,
  unfilledVariables,
  variablesOf,
} from '../sending/message/message-draft.ts';
import { MessageBubble } from '../sending/message/message-phone.tsx';
import { TemplatePicker } from '../sending/message/template-picker.tsx';
import { useTemplate } from '../sending/message/template-queries.ts';
import { VariableFields } from '../sending/message/variable-fields.tsx';

/** A template for one person: chosen, filled, looked at, sent. Where a platform reviews them, they alone leave outside the window. */
export function TemplateDialog(props: DialogProps) {
  return useMessages('sending') ? <TemplateForm {...props} /> : null;
}

type Contact = Awaited<ReturnType<typeof api.contacts.get>>;
type DialogProps = {
  conversation: Conversation;
  /** The platform of the channel reviews templates; else they leave as ordinary messages. */
  isReviewed: boolean;
  /** Answers whether it could be kept. */
  onSend: (message: OutboxContent) => Promise<boolean>;
  onClose: () => void;
};

function TemplateForm({ conversation, isReviewed, onSend, onClose }: DialogProps) {
  const [message, setMessage] = useState(emptyMessage);
  const [isSending, setIsSending] = useState(false);
  const { template } = useTemplate(message.templateId);
  const fields = useCustomFields();
  const names = variablesOf(message, template);
  const unfilled = unfilledVariables(names, message.variables, fields);
  const contactId = conversation.contact.id;
  const { data: contact } = useQuery(orpc.contacts.get.queryOptions({ input: { contactId } }));
  const shown = useShownValues(contact, names, message.variables);

  async function send() {
    if (!template || isSending) return;
    setIsSending(true);
    try {
      const filled = toVariables(names, message.variables, fields);
      if (await onSend({ templateId: template.id, variables: filled })) onClose();
    } finally {
      setIsSending(false);
    }
  }

  return (
    <FormDialog
      size="wide"
      title={t('composer.template.title', { name: conversation.contact.name })}
      description={t(isReviewed ? 'composer.template.purpose' : 'composer.template.purposeUnreviewed')}
      submitLabel={t('composer.send')}
      isReady={template !== undefined && unfilled.length === 0}
      whyNot={template ? t('composer.template.unfilled') : t('composer.template.choose')}
      isSaving={isSending}
      onSubmit={() => void send()}
      onClose={onClose}
      closeOnOutsidePress={template === undefined}
    >
      <div className="grid grid-cols-1 gap-6 lg:grid-cols-[1fr_20rem]">
        <div className="flex min-w-0 flex-col gap-6">
          <TemplatePicker
            value={message.templateId}
            onChange={(templateId) => setMessage({ ...message, templateId })}
          />
          <VariableFields
            names={names}
            variables={message.variables}
            onChange={(variables) => setMessage({ ...message, variables })}
          />
        </div>
        <div className="lg:sticky lg:top-0 lg:self-start">
          <MessageBubble message={{ ...message, variables: shown }} />
          {contact?.optedOutAt ? (
            <p role="status" className="mt-3 flex items-start gap-2 text-sm text-warning">
              <TriangleAlert aria-hidden className="mt-0.5 size-4 shrink-0" />
              {t('composer.template.optedOut', { name: contact.name })}
            </p>
          ) : null}
        </div>
      </div>
    </FormDialog>
  );
}

/** The placeholders with what this contact will read in their place. */
function useShownValues(
  contact: Contact | undefined,
  names: readonly string[],
  variables: Readonly<Record<string, RunVariable>>,
): Record<string, RunVariable> {
  const fields = useCustomFields();
  const session = useSession();
  if (!contact) return variables;
  const ofContact: Record<string, string | null | undefined> = {
    ...{ name: contact.name, phone: contact.phone, email: contact.email },
    business: session.status === 'signed-in' ? session.workspace.businessName : null,
  };
  const textOf = (source: RunVariable | null) => {
    if (source === null) return null;
    if ('text' in source) return source.text;
    if ('field' in source) return ofContact[source.field] || source.fallback;
    const value = contact.customFields[source.customField];
    const field = fields?.find(({ id }) => id === source.customField);
    return value === undefined || !field ? source.fallback : customValueText(field.type, value);
  };
  return Object.fromEntries(
    names.flatMap((name) => {
      const text = textOf(sourceOf(name, variables, fields));
      return text ? [[name, { text }]] : [];
    }),
  );
}
