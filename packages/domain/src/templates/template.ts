import type { GivenContent } from '../channel-kinds/content-type.ts';

export const templateCategories = [
  'general',
  'welcome',
  'promotion',
  'follow-up',
  'reminder',
  'support',
  'utility',
] as const;
export type TemplateCategoryName = (typeof templateCategories)[number];

/** What the editor offers. A template of the account may have any locale of the platform, such as `en_US`, and keeps it. */
export const templateLanguages = ['en', 'es', 'fr', 'de', 'pt', 'it'] as const;
export type OfferedLanguage = (typeof templateLanguages)[number];

export const templateStatuses = ['draft', 'pending', 'approved', 'rejected'] as const;
export type TemplateStatus = (typeof templateStatuses)[number];

export const headerFormats = ['text', 'image', 'video', 'document'] as const;
export type HeaderFormat = (typeof headerFormats)[number];
export type MediaHeaderFormat = Exclude<HeaderFormat, 'text'>;

export const buttonTypes = ['quick_reply', 'url', 'phone_number'] as const;
export type TemplateButtonType = (typeof buttonTypes)[number];

export const componentTypes = ['header', 'body', 'footer', 'button', 'content'] as const;
export type ComponentType = (typeof componentTypes)[number];

export type TemplateButton =
  | { type: 'quick_reply'; text: string }
  | { type: 'url'; text: string; url: string }
  | { type: 'phone_number'; text: string; phone_number: string };

/** The stored file of a media header; its name and size travel along so that a preview needs no second call. */
export type HeaderMedia = { id: string; name: string; size: number };

export type TemplateHeader =
  | { type: 'header'; format: 'text'; text: string }
  | { type: 'header'; format: MediaHeaderFormat; media: HeaderMedia | null };

/** `example.body_text` holds one list of samples, in the order of `extractVariables`. */
export type TemplateBody = { type: 'body'; text: string; example?: { body_text: string[][] } | undefined };

export type TemplateComponent =
  | TemplateHeader
  | TemplateBody
  | { type: 'footer'; text: string }
  | { type: 'button'; buttons: TemplateButton[] }
  | TemplateKindContent;

/**
 * What is sent through channels of one kind in place of all other parts, as a form of message that this kind has. Channels of other kinds send the
 * other parts, which say the same in plain words.
 */
export type TemplateKindContent = { type: 'content' } & GivenContent;

export function findComponent<Type extends ComponentType>(
  components: readonly TemplateComponent[],
  type: Type,
): Extract<TemplateComponent, { type: Type }> | undefined {
  return components.find(
    (component): component is Extract<TemplateComponent, { type: Type }> => component.type === type,
  );
}

/** Its header shows a file that is not here: one of the account, which gives none out, until somebody chooses it. */
export function lacksHeaderFile(components: readonly TemplateComponent[]): boolean {
  const header = findComponent(components, 'header');
  return header !== undefined && header.format !== 'text' && header.media === null;
}

/** The body's text, or an empty one. */
export function bodyTextOf(components: readonly TemplateComponent[]): string {
  return findComponent(components, 'body')?.text ?? '';
}
