import { mapTexts, textsOfValue } from '../channel-kinds/content-type.ts';
import { findVariables } from '../messaging/template-variables.ts';
import { bodyTextOf, findComponent, type TemplateComponent } from './template.ts';

export type VariableValues = Readonly<Record<string, string>>;

const placeholder = /\{\{\s*(\w+)\s*\}\}/g;

/** Names of the `{{word}}` placeholders of a text, each once, in order of first appearance. */
export function extractVariables(text: string): string[] {
  return findVariables(text);
}

/** Every variable that a template needs a value for: those of the body first, then of header, button addresses and content. */
export function templateVariables(components: readonly TemplateComponent[]): string[] {
  const header = findComponent(components, 'header');
  const buttons = findComponent(components, 'button')?.buttons ?? [];
  const texts = [
    bodyTextOf(components),
    header?.format === 'text' ? header.text : '',
    ...buttons.map((button) => (button.type === 'url' ? button.url : '')),
    ...textsOfValue(findComponent(components, 'content')?.value),
  ];
  return [...new Set(texts.flatMap(extractVariables))];
}

/**
 * Replaces each `{{word}}` that has a value; everything else stays as it was written. Replaced once: a value that looks
 * like a placeholder is not replaced again.
 */
export function renderText(text: string, values: VariableValues): string {
  return text.replace(placeholder, (raw, name: string) => {
    // A variable may be called `constructor`: only own values count.
    const value = Object.hasOwn(values, name) ? values[name] : undefined;
    return value === undefined || value === '' ? raw : value;
  });
}

/** The components as one person sees them. */
export function renderTemplate(
  components: readonly TemplateComponent[],
  values: VariableValues,
): TemplateComponent[] {
  return components.map((component): TemplateComponent => {
    switch (component.type) {
      case 'header':
        return component.format === 'text'
          ? { ...component, text: renderText(component.text, values) }
          : component;
      case 'body':
        return { type: 'body', text: renderText(component.text, values) };
      case 'footer':
        return component;
      case 'button':
        return {
          ...component,
          buttons: component.buttons.map((button) =>
            button.type === 'url' ? { ...button, url: renderText(button.url, values) } : button,
          ),
        };
      case 'content':
        return { ...component, value: mapTexts(component.value, (text) => renderText(text, values)) };
    }
  });
}

/** The sample values that the author gave for the body's variables. */
export function sampleValues(components: readonly TemplateComponent[]): Record<string, string> {
  const body = findComponent(components, 'body');
  const samples = body?.example?.body_text[0] ?? [];
  const names = templateVariables(components);
  return Object.fromEntries(
    names.map((name, index) => [name, samples[index] ?? '']).filter(([, sample]) => sample !== ''),
  );
}
