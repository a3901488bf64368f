import { findVariables } from '../messaging/template-variables.ts';
import { derivePlatformName } from './platform-name.ts';
import { findPromotionalWords } from './promotional-words.ts';
import { platformCategory } from './template-category.ts';
import { templateVariables } from './template-rendering.ts';
import { findTemplateFaults, mostButtonsOf } from './template-rules.ts';
import {
  bodyTextOf,
  findComponent,
  type TemplateButton,
  type TemplateCategoryName,
  type TemplateComponent,
} from './template.ts';

/** One question that the platform's review asks; `advice` names what is wrong, with words for its sentence. */
export type TemplateCheck = {
  check: (typeof checkNames)[number];
  /** `error`: the platform refuses it; `warning`: it may, or people may not see what was meant. */
  result: 'passed' | 'warning' | 'error';
  advice?: TemplateAdvice;
  detail?: string;
};

export const checkNames = [
  'name',
  'texts',
  'variables',
  'samples',
  'header',
  'footer',
  'buttons',
  'category',
] as const;

export type TemplateAdvice =
  | 'name_missing'
  | 'name_not_latin'
  | 'body_missing'
  | 'text_too_long'
  | 'variable_at_edge'
  | 'variables_adjacent'
  | 'variables_too_many'
  | 'variable_malformed'
  | 'variables_mixed'
  | 'samples_missing'
  | 'header_variables'
  | 'header_formatting'
  | 'header_file_missing'
  | 'header_file_type'
  | 'footer_variables'
  | 'button_incomplete'
  | 'button_texts_equal'
  | 'button_address_variable'
  | 'button_order'
  | 'promotional_words';

export type CheckedTemplate = {
  name: string;
  category: TemplateCategoryName;
  language: string;
  components: readonly TemplateComponent[];
};

type Finding = Omit<TemplateCheck, 'check'>;
const passed: Finding = { result: 'passed' };
const error = (advice: TemplateAdvice, detail?: string): Finding => ({
  result: 'error',
  advice,
  ...(detail !== undefined && { detail }),
});
const warning = (advice: TemplateAdvice, detail?: string): Finding => ({
  ...error(advice, detail),
  result: 'warning',
});

/** What the platform will look at before it approves the template, in the order of `checkNames`. */
export function checkTemplate(template: CheckedTemplate): TemplateCheck[] {
  const checks: Record<TemplateCheck['check'], (template: CheckedTemplate) => Finding> = {
    name: checkName,
    texts: checkTexts,
    variables: checkVariables,
    samples: checkSamples,
    header: checkHeader,
    footer: checkFooter,
    buttons: checkButtons,
    category: checkCategory,
  };
  return checkNames.map((check) => ({ check, ...checks[check](template) }));
}

function checkName({ name }: CheckedTemplate): Finding {
  if (name.trim() === '') return error('name_missing');
  const derived = derivePlatformName({ id: '000000000000', name });
  return derived === 'template_000000000000' ? warning('name_not_latin') : passed;
}

function checkTexts(template: CheckedTemplate): Finding {
  const faults = findTemplateFaults(template);
  if (faults.some(({ problem }) => problem === 'body_missing')) return error('body_missing');
  const long = faults.find(({ problem, field }) => problem === 'text_too_long' && field !== 'name');
  return long ? error('text_too_long', String(long.limit)) : passed;
}

function checkVariables({ components }: CheckedTemplate): Finding {
  const body = bodyTextOf(components).trim();
  const header = findComponent(components, 'header');
  const texts = [body, header?.format === 'text' ? header.text : ''];
  if (texts.some(hasStrayBraces)) return error('variable_malformed');
  if (/^\{\{[^{}]*\}\}|\{\{[^{}]*\}\}$/.test(body)) return error('variable_at_edge');
  if (/\}\}\s*\{\{/.test(body)) return error('variables_adjacent');
  const variables = findVariables(body);
  const words = body
    .replace(/\{\{[^{}]*\}\}/g, ' ')
    .split(/\s+/)
    .filter((word) => /[\p{L}\p{N}]/u.test(word)).length;
  // The platform keeps its figure to itself; with twice as many words as variables a text passes.
  if (variables.length > 1 && words < variables.length * 2) return error('variables_too_many');
  const numbered = variables.filter((name) => /^\d+$/.test(name));
  const isCounted = numbered
    .toSorted((a, b) => Number(a) - Number(b))
    .every((name, index) => name === String(index + 1));
  return numbered.length > 0 && (numbered.length < variables.length || !isCounted)
    ? warning('variables_mixed')
    : passed;
}

function checkSamples({ components }: CheckedTemplate): Finding {
  const samples = findComponent(components, 'body')?.example?.body_text[0] ?? [];
  const missing = templateVariables(components).filter((_name, index) => !samples[index]?.trim());
  return missing.length > 0
    ? warning('samples_missing', missing.map((name) => `{{${name}}}`).join(', '))
    : passed;
}

function checkHeader({ components }: CheckedTemplate): Finding {
  const header = findComponent(components, 'header');
  if (!header) return passed;
  if (header.format === 'text') {
    if (findVariables(header.text).length > 1) return error('header_variables');
    const plain = header.text.replace(/\{\{.*?\}\}/g, '');
    return /[*_~`\n]|\p{Extended_Pictographic}/u.test(plain) ? error('header_formatting') : passed;
  }
  if (header.media === null) return error('header_file_missing');
  const accepted = { image: /\.(jpe?g|png)$/i, video: /\.mp4$/i, document: /\.pdf$/i }[header.format];
  return accepted.test(header.media.name) ? passed : warning('header_file_type', header.media.name);
}

function checkFooter({ components }: CheckedTemplate): Finding {
  return findComponent(components, 'footer')?.text.includes('{{') ? error('footer_variables') : passed;
}

function checkButtons({ name, components }: CheckedTemplate): Finding {
  const buttons = findComponent(components, 'button')?.buttons ?? [];
  if (
    findTemplateFaults({ name, components }, mostButtonsOf(components)).some(
      ({ field, problem }) => field.startsWith('buttons') && problem !== 'text_too_long',
    )
  )
    return error('button_incomplete');
  const texts = buttons.map(({ text }) => text.trim().toLowerCase());
  if (new Set(texts).size < texts.length) return error('button_texts_equal');
  if (buttons.some((button) => button.type === 'url' && !hasVariableOnlyAtEnd(button.url)))
    return error('button_address_variable');
  return isInPlatformOrder(buttons) ? passed : warning('button_order');
}

function checkCategory({ category, language, components }: CheckedTemplate): Finding {
  if (platformCategory(category) !== 'utility') return passed;
  const header = findComponent(components, 'header');
  const buttons = findComponent(components, 'button')?.buttons ?? [];
  const text = [
    header?.format === 'text' ? header.text : '',
    bodyTextOf(components),
    findComponent(components, 'footer')?.text ?? '',
    ...buttons.map((button) => button.text),
  ].join(' ');
  const found = findPromotionalWords(text, language);
  return found.length > 0 ? warning('promotional_words', found.slice(0, 3).join(', ')) : passed;
}

function hasStrayBraces(text: string): boolean {
  return /\{\{|\}\}/.test(text.replace(/\{\{\s*\w+\s*\}\}/g, ''));
}

function hasVariableOnlyAtEnd(url: string): boolean {
  const variables = [...url.matchAll(/\{\{\s*\w+\s*\}\}/g)];
  if (variables.length === 0) return !url.includes('{{');
  return variables.length === 1 && url.endsWith('}}');
}

/** Quick replies stand together, before or after the others. */
function isInPlatformOrder(buttons: readonly TemplateButton[]): boolean {
  const kinds = buttons.map(({ type }) => type === 'quick_reply');
  return kinds.filter((isReply, index) => index > 0 && isReply !== kinds[index - 1]).length <= 1;
}
