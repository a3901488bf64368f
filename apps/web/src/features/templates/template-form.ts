import { baseLanguage } from '@app/domain/contacts/contact-language';
import { checkTemplate, type TemplateCheck } from '@app/domain/templates/template-checks';
import { extractVariables, templateVariables } from '@app/domain/templates/template-rendering';
import { isEmptyButton, pruneComponents } from '@app/domain/templates/template-rules';
import {
  bodyTextOf,
  findComponent,
  templateLanguages,
  type HeaderFormat,
  type HeaderMedia,
  type TemplateButton,
  type TemplateButtonType,
  type TemplateCategoryName,
  type TemplateComponent,
  type TemplateKindContent,
  type TemplateStatus,
} from '@app/domain/templates/template';
import { t } from '../../shared/messages.ts';
import type { Template } from './templates-queries.ts';

/** The form's own shape: every part has its place, whether it is shown or not. */
export type TemplateFormValues = {
  name: string;
  category: TemplateCategoryName;
  language: string;
  status: TemplateStatus;
  header: {
    shown: boolean;
    format: HeaderFormat;
    text: string;
    media: HeaderMedia | null;
    /** Its file is on the way: saving now would leave it out. */
    isUploading: boolean;
  };
  body: string;
  footer: { shown: boolean; text: string };
  buttons: ButtonValues[];
  /** Of one kind of channel: the form keeps it as it is. */
  content: TemplateKindContent | null;
  /** In the order of the variables. */
  samples: { name: string; value: string }[];
};

export type ButtonValues = { type: TemplateButtonType; text: string; url: string; phone_number: string };

export const emptyButton: ButtonValues = { type: 'quick_reply', text: '', url: '', phone_number: '' };

export const emptyHeader: TemplateFormValues['header'] = {
  shown: false,
  format: 'text',
  text: '',
  media: null,
  isUploading: false,
};

const emptyForm: TemplateFormValues = {
  name: '',
  category: 'general',
  language: 'en',
  status: 'draft',
  header: emptyHeader,
  body: '',
  footer: { shown: false, text: '' },
  buttons: [],
  content: null,
  samples: [],
};

/** What the form begins with: an existing template, a copy of it, or nothing. */
export function toFormValues(
  mode: 'create' | 'edit' | 'duplicate' | 'translate',
  template: Template | undefined,
): TemplateFormValues {
  if (!template) return structuredClone(emptyForm);
  const { components } = template;
  const header = findComponent(components, 'header');
  const footer = findComponent(components, 'footer');
  const body = findComponent(components, 'body');
  const samples = body?.example?.body_text[0] ?? [];
  const values: TemplateFormValues = {
    name: template.name,
    category: template.category,
    language: template.language,
    status: template.status,
    header: {
      shown: header !== undefined,
      format: header?.format ?? 'text',
      text: header?.format === 'text' ? header.text : '',
      media: header && header.format !== 'text' ? header.media : null,
      isUploading: false,
    },
    body: bodyTextOf(components),
    footer: { shown: footer !== undefined, text: footer?.text ?? '' },
    buttons: (findComponent(components, 'button')?.buttons ?? []).map((button) => ({
      ...emptyButton,
      ...button,
    })),
    content: findComponent(components, 'content') ?? null,
    samples: templateVariables(components).map((name, index) => ({ name, value: samples[index] ?? '' })),
  };
  if (mode === 'edit') return values;
  if (mode === 'duplicate')
    return { ...values, status: 'draft', name: t('templates.form.copyOf', { name: template.name }) };
  // A further language keeps the name: on the platform both belong together.
  const base = baseLanguage(template.language);
  const language = templateLanguages.find((other) => other !== base) ?? template.language;
  return { ...values, status: 'draft', language };
}

/** The parts that will be saved; empty ones are left out, but for what `stored` has from the account. */
export function toComponents(
  values: TemplateFormValues,
  stored?: readonly TemplateComponent[],
): TemplateComponent[] {
  return pruneComponents(draftComponents(values), stored).map((component) =>
    component.type === 'body' ? { ...component, ...readExample(values) } : component,
  );
}

/** Every part that is shown, as far as it is filled in: for the preview. */
export function draftComponents({
  header,
  body,
  footer,
  buttons,
  content,
}: TemplateFormValues): TemplateComponent[] {
  const components: TemplateComponent[] = [];
  if (header.shown)
    components.push(
      header.format === 'text'
        ? { type: 'header', format: 'text', text: header.text }
        : { type: 'header', format: header.format, media: header.media },
    );
  components.push({ type: 'body', text: body });
  if (footer.shown) components.push({ type: 'footer', text: footer.text });
  if (buttons.length > 0) components.push({ type: 'button', buttons: buttons.map(toButton) });
  if (content) components.push(content);
  return components;
}

export function sampleRecord(values: TemplateFormValues): Record<string, string> {
  return Object.fromEntries(values.samples.map(({ name, value }) => [name, value]));
}

/** Keeps the samples of variables that are still there, in their new order. */
export function alignSamples(values: TemplateFormValues): TemplateFormValues['samples'] {
  const known = new Map(values.samples.map(({ name, value }) => [name, value]));
  return templateVariables(draftComponents(values)).map((name) => ({ name, value: known.get(name) ?? '' }));
}

/** What the platform's review will look at, for the form as it stands. */
export function checkForm(values: TemplateFormValues): TemplateCheck[] {
  const { name, category, language } = values;
  const components = draftComponents(values).map((component) =>
    component.type === 'body' ? { ...component, ...readExample(values) } : component,
  );
  return checkTemplate({ name, category, language, components });
}

/** Where the form shows a fault that the rules name by their own path, in which empty buttons do not count. */
export function fieldOfFault(field: string, { header, buttons }: TemplateFormValues): string {
  if (field === 'header') return header.format === 'text' ? 'header.text' : 'header.media';
  if (field === 'footer') return 'footer.text';
  const [part, index, name] = field.split('.');
  if (part !== 'buttons' || name === undefined) return field;
  const places = buttons.flatMap((button, place) => (isEmptyButton(toButton(button)) ? [] : [place]));
  return `buttons.${places[Number(index)] ?? index}.${name}`;
}

function readExample(values: TemplateFormValues): { example?: { body_text: string[][] } } {
  const known = sampleRecord(values);
  const names = templateVariables(draftComponents(values));
  const samples = names.map((name) => (Object.hasOwn(known, name) ? (known[name] ?? '') : ''));
  return samples.some((sample) => sample !== '') ? { example: { body_text: [samples] } } : {};
}

function toButton({ type, text, url, phone_number }: ButtonValues): TemplateButton {
  switch (type) {
    case 'quick_reply':
      return { type, text };
    case 'url':
      return { type, text, url: url.trim() };
    case 'phone_number':
      return { type, text, phone_number: phone_number.trim() };
  }
}

/** The variables that people most often want, those in use first. */
export function offeredVariables(body: string): string[] {
  return [...new Set([...extractVariables(body), 'name', 'first_name', 'phone', 'email', 'business'])].slice(
    0,
    8,
  );
}
