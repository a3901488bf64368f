import { CustomMessageField } from './custom-message-field.tsx';
import { InContactLanguage } from './in-contact-language.tsx';
import { variablesOf, type MessageDraft } from './message-draft.ts';
import { TemplatePicker } from './template-picker.tsx';
import { useTemplate } from './template-queries.ts';
import { VariableFields } from './variable-fields.tsx';

/** Template or text, of which each clears the other, and what fills the placeholders. */
export function MessageEditor({
  message,
  onChange,
}: {
  message: MessageDraft;
  onChange: (message: MessageDraft) => void;
}) {
  const { template } = useTemplate(message.templateId);
  return (
    <div className="flex min-w-0 flex-col gap-6">
      <TemplatePicker
        value={message.templateId}
        onChange={(templateId) => onChange({ ...message, templateId, customMessage: '' })}
      />
      {message.templateId === null ? null : (
        <InContactLanguage
          template={template}
          isOn={message.inContactLanguage}
          onChange={(inContactLanguage) => onChange({ ...message, inContactLanguage })}
        />
      )}
      <CustomMessageField
        value={message.customMessage}
        onChange={(customMessage) =>
          onChange({
            ...message,
            customMessage,
            templateId: customMessage === '' ? message.templateId : null,
          })
        }
      />
      <VariableFields
        names={variablesOf(message, template)}
        variables={message.variables}
        onChange={(variables) => onChange({ ...message, variables })}
      />
    </div>
  );
}
