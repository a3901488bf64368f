import type { ContactField, RunVariable } from '@app/domain/delivery/run-message';
import { findVariables } from '@app/domain/messaging/template-variables';
import { templateVariables } from '@app/domain/templates/template-rendering';
import type { TemplateComponent } from '@app/domain/templates/template';

/** A message while it is being chosen. At most one of the two is set: typing a text clears the template. */
export interface MessageDraft {
  templateId: string | null;
  customMessage: string;
  /** Whoever has another language that the template is there in gets that one. */
  inContactLanguage?: boolean | undefined;
  /** Only what somebody chose; `sourceOf` fills in the rest. */
  variables: Readonly<Record<string, RunVariable>>;
}

export const emptyMessage: MessageDraft = {
  ...{ templateId: null, customMessage: '', variables: {} },
  inContactLanguage: true,
};

export function isMessageEmpty({ templateId, customMessage }: MessageDraft): boolean {
  return templateId === null && customMessage.trim() === '';
}

/** In the words of the API; null while there is no message. */
export function toMessageChoice({ templateId, customMessage, inContactLanguage }: MessageDraft) {
  if (templateId !== null) return { templateId, ...(inContactLanguage && { inContactLanguage }) };
  const text = customMessage.trim();
  return text === '' ? null : { customMessage: text };
}

/** Placeholder names that need a source, each once. */
export function variablesOf(
  draft: MessageDraft,
  template: { components: readonly TemplateComponent[] } | undefined,
): string[] {
  if (draft.templateId !== null) return template ? templateVariables(template.components) : [];
  return findVariables(draft.customMessage);
}

/** The custom fields that there are; undefined until they are known. */
export type KnownFields = readonly { id: string; key: string }[] | undefined;

/**
 * What fills a placeholder: what was chosen, else the custom field whose key it is, else the field that its name speaks
 * of, else nothing yet. A custom field that was deleted fills nothing.
 */
export function sourceOf(
  name: string,
  variables: MessageDraft['variables'],
  fields: KnownFields,
): RunVariable | null {
  if (Object.hasOwn(variables, name)) {
    const chosen = variables[name] ?? null;
    const isGone =
      chosen !== null && 'customField' in chosen && fields?.every(({ id }) => id !== chosen.customField);
    return isGone ? null : chosen;
  }
  const custom = fields?.find(({ key }) => key === name);
  if (custom) return { customField: custom.id };
  const field = fieldByName.get(name.toLowerCase().replace(/[^a-z]/g, ''));
  return field === undefined ? null : { field };
}

/** The variables to send along: every placeholder of the message that has a source. */
export function toVariables(
  names: readonly string[],
  variables: MessageDraft['variables'],
  fields: KnownFields,
): Record<string, RunVariable> {
  return Object.fromEntries(
    names.flatMap((name): [string, RunVariable][] => {
      const source = sourceOf(name, variables, fields);
      return source === null || ('text' in source && source.text === '') ? [] : [[name, source]];
    }),
  );
}

/** Placeholders that nobody has a value for. */
export function unfilledVariables(
  names: readonly string[],
  variables: MessageDraft['variables'],
  fields: KnownFields,
): string[] {
  const filled = toVariables(names, variables, fields);
  return names.filter((name) => !Object.hasOwn(filled, name));
}

/** Placeholders of which some may have no value: they would not get the message. */
export function variablesWithoutFallback(
  names: readonly string[],
  variables: MessageDraft['variables'],
  fields: KnownFields,
): string[] {
  return names.filter((name) => {
    const source = sourceOf(name, variables, fields);
    if (source === null || 'text' in source || source.fallback) return false;
    return 'customField' in source || source.field === 'email';
  });
}

const fieldByName = new Map<string, ContactField>(
  Object.entries({
    name: 'name',
    firstname: 'first_name',
    fullname: 'name',
    customer: 'name',
    customername: 'name',
    contactname: 'name',
    phone: 'phone',
    phonenumber: 'phone',
    mobile: 'phone',
    email: 'email',
    emailaddress: 'email',
    business: 'business',
    businessname: 'business',
    company: 'business',
    companyname: 'business',
  }),
);
