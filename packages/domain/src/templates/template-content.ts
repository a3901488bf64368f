import type { ChannelTemplateDraft } from '../messaging/channel-template.ts';
import type { MediaSource, TemplateContent } from '../messaging/message-content.ts';
import { fillTemplate } from '../messaging/template-filling.ts';
import { derivePlatformName, platformLanguage } from './platform-name.ts';
import { platformCategory } from './template-category.ts';
import { sampleValues, templateVariables, type VariableValues } from './template-rendering.ts';
import { bodyTextOf, findComponent, type TemplateCategoryName, type TemplateComponent } from './template.ts';

/** What of a stored template matters to the channel. */
export type SendableTemplate = {
  id: string;
  name: string;
  /** Set when it was first submitted; derived from the name until then. */
  platformName: string | null;
  language: string;
  category: TemplateCategoryName;
  components: readonly TemplateComponent[];
};

export type HeaderFile = { source: MediaSource; filename?: string };

/**
 * The template as a message. A variable without a value stays as its `{{word}}`, also when the value is that very
 * placeholder: the result may then be filled for each of many people.
 */
export function templateContent(
  template: SendableTemplate,
  values: VariableValues,
  headerFile?: HeaderFile,
): TemplateContent {
  const filled = Object.fromEntries(
    templateVariables(template.components).map((name) => [
      name,
      (Object.hasOwn(values, name) && values[name]) || `{{${name}}}`,
    ]),
  );
  const content = fillTemplate(toChannelDraft(template), {
    values: filled,
    ...(headerFile && { headerMedia: headerFile.source }),
    ...(headerFile?.filename !== undefined && { headerFilename: headerFile.filename }),
  });
  if (!content.buttons) return content;
  const buttons = content.buttons.map((button) =>
    button.type === 'url' ? { ...button, suffix: restorePlaceholders(button.suffix) } : button,
  );
  return { ...content, buttons };
}

/** Our template in the channel's terms. `sampleHandle` is the platform's handle of an uploaded header sample. */
export function toChannelDraft(template: SendableTemplate, sampleHandle?: string): ChannelTemplateDraft {
  const { components } = template;
  const header = findComponent(components, 'header');
  const footer = findComponent(components, 'footer');
  const buttons = findComponent(components, 'button')?.buttons ?? [];
  const draft: ChannelTemplateDraft = {
    name: template.platformName ?? derivePlatformName(template),
    language: platformLanguage(template.language),
    category: platformCategory(template.category),
    body: bodyTextOf(components),
    samples: { ...defaultSamples(components), ...sampleValues(components) },
    buttons: buttons.map((button) =>
      button.type === 'phone_number'
        ? { type: 'phone_number', text: button.text, phoneNumber: button.phone_number }
        : button,
    ),
  };
  if (footer !== undefined) draft.footer = footer.text;
  if (header?.format === 'text') draft.header = { format: 'text', text: header.text };
  else if (header !== undefined)
    draft.header = { format: header.format, ...(sampleHandle !== undefined && { sampleHandle }) };
  return draft;
}

/** A placeholder that is yet to be filled must not travel percent-encoded. */
function restorePlaceholders(suffix: string): string {
  return suffix.replace(/%7B%7B(\w+)%7D%7D/g, '{{$1}}');
}

/** What stands for a person where nobody is chosen. */
export const wellKnownSamples: VariableValues = {
  name: 'Ann',
  first_name: 'Ann',
  phone: '+44 7700 900201',
  email: 'ann@example.com',
  business: 'Example Shop',
};

function defaultSamples(components: readonly TemplateComponent[]): Record<string, string> {
  return Object.fromEntries(
    templateVariables(components).map((name) => [
      name,
      (Object.hasOwn(wellKnownSamples, name) && wellKnownSamples[name]) || 'Example',
    ]),
  );
}
