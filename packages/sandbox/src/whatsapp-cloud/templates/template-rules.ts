import { listOf, objectOf, objectsOf, textOf, type JsonObject } from '../../core/json.ts';
import type { Template } from '../store.ts';
import { checkButtons } from './template-buttons.ts';
import { checkCarousel, checkOffer, checkProductButtons } from './template-offers.ts';
import { refuseTemplate as refuse } from './template-rejection.ts';
import { findComponent, variablesIn } from './template-variables.ts';

export type TemplateDraft = Pick<
  Template,
  'name' | 'language' | 'category' | 'parameterFormat' | 'components' | 'ttlSeconds'
>;

/** Checks a create body; throws the platform's refusal (code 100, the reason in the subcode). */
export function readTemplate(body: JsonObject, hasHandle: (handle: string) => boolean): TemplateDraft {
  const name = textOf(body['name']) ?? '';
  if (name === '') refuse('name', 'The parameter name is required.');
  if (!/^[a-z0-9_]{1,512}$/.test(name)) {
    refuse('name', 'Message template name can only have lowercase letters, numbers and underscores.');
  }
  const language = textOf(body['language']) ?? '';
  if (!/^[a-z]{2,3}(_[A-Z]{2})?$/.test(language))
    refuse('language', `Language ${language || '(none)'} is not supported.`);
  const category = readCategory(body['category']);
  const parameterFormat = (textOf(body['parameter_format']) ?? 'POSITIONAL').toUpperCase();
  if (parameterFormat !== 'POSITIONAL' && parameterFormat !== 'NAMED')
    refuse('parameter_format', 'Must be positional or named.');
  const components = readComponents(body['components'], category, parameterFormat, hasHandle);
  return {
    name,
    language,
    category,
    parameterFormat,
    components,
    ttlSeconds: readTtl(body['message_send_ttl_seconds'], category),
  };
}

export function readCategory(value: unknown): Template['category'] {
  const category = textOf(value)?.toUpperCase();
  if (category === 'MARKETING' || category === 'UTILITY' || category === 'AUTHENTICATION') return category;
  return refuse('category', 'Must be one of AUTHENTICATION, MARKETING, UTILITY.');
}

export function readTtl(value: unknown, category: Template['category']): number | null {
  if (value === undefined || value === null) return null;
  const ttl = Number(value);
  const [least, most] = { AUTHENTICATION: [30, 900], UTILITY: [30, 43_200], MARKETING: [43_200, 2_592_000] }[
    category
  ] as [number, number];
  if (ttl === -1 && category !== 'MARKETING') return ttl;
  if (!(ttl >= least && ttl <= most))
    refuse('message_send_ttl_seconds', `Must lie between ${least} and ${most}.`);
  return ttl;
}

/** The components with their types and enums in upper case, as reads show them. */
export function readComponents(
  value: unknown,
  category: Template['category'],
  parameterFormat: Template['parameterFormat'],
  hasHandle: (handle: string) => boolean,
): JsonObject[] {
  if (!Array.isArray(value) || value.length === 0)
    refuse('components', 'The parameter components is required.');
  const components = objectsOf(value).map(upperCaseEnums);
  const known = [
    'HEADER',
    'BODY',
    'FOOTER',
    'BUTTONS',
    'CAROUSEL',
    'LIMITED_TIME_OFFER',
    'CALL_PERMISSION_REQUEST',
  ];
  for (const component of components) {
    const type = textOf(component['type']) ?? '';
    if (!known.includes(type)) refuse('components', `Component type ${type || '(none)'} is not known.`);
    if (components.filter((other) => other['type'] === type).length > 1)
      refuse('components', `There can be only one ${type}.`);
  }
  const body = findComponent(components, 'BODY');
  if (!body) refuse('components', 'A template needs a BODY component.', 2388072);
  if (category === 'AUTHENTICATION') checkAuthentication(components);
  else {
    checkHeader(findComponent(components, 'HEADER'), category, parameterFormat, hasHandle);
    checkBody(body, parameterFormat);
    checkFooter(findComponent(components, 'FOOTER'));
  }
  checkButtons(objectsOf(findComponent(components, 'BUTTONS')?.['buttons']));
  checkProductButtons(components, category);
  checkOffer(components, category);
  checkCarousel(components, (card) => {
    checkHeader(findComponent(card, 'HEADER'), category, parameterFormat, hasHandle);
    const text = findComponent(card, 'BODY');
    if (text) checkBody(text, parameterFormat);
    checkButtons(objectsOf(findComponent(card, 'BUTTONS')?.['buttons']));
  });
  return components;
}

function upperCaseEnums(component: JsonObject): JsonObject {
  const upper = { ...component };
  for (const key of ['type', 'format']) {
    const text = textOf(upper[key]);
    if (text !== undefined) upper[key] = text.toUpperCase();
  }
  if (Array.isArray(upper['cards'])) {
    upper['cards'] = objectsOf(upper['cards']).map((card) => ({
      ...card,
      components: objectsOf(card['components']).map(upperCaseEnums),
    }));
  }
  if (Array.isArray(upper['buttons'])) {
    upper['buttons'] = objectsOf(upper['buttons']).map((button) => ({
      ...button,
      type: textOf(button['type'])?.toUpperCase(),
    }));
  }
  return upper;
}

function checkHeader(
  header: JsonObject | undefined,
  category: Template['category'],
  parameterFormat: Template['parameterFormat'],
  hasHandle: (handle: string) => boolean,
): void {
  if (!header) return;
  const format = textOf(header['format']);
  if (format === 'TEXT') {
    const text = textOf(header['text']) ?? '';
    if (text === '') refuse('components', 'The header text is missing.', 2388047);
    if (text.length > 60) refuse('components', 'The header is longer than 60 characters.', 2388040);
    if (/[*_~`\n]|\p{Extended_Pictographic}/u.test(text.replace(/\{\{.*?\}\}/g, ''))) {
      refuse('components', 'The header cannot have new lines, formatting characters or emojis.', 2388047);
    }
    if (variablesIn(text).length > 1) refuse('components', 'The header can have one variable.', 2388047);
    checkVariables(text, parameterFormat, 'header');
    checkExamples(header, text, parameterFormat, 'header_text');
    return;
  }
  if (format === 'LOCATION') {
    if (category === 'AUTHENTICATION')
      refuse('components', 'A location header is for utility and marketing.', 2388047);
    return;
  }
  if (!['IMAGE', 'VIDEO', 'DOCUMENT', 'GIF', 'PRODUCT'].includes(format ?? '')) {
    refuse('components', 'The header format is not known.', 2388047);
  }
  if (format === 'PRODUCT') return;
  const handle = textOf(listOf(objectOf(header['example'])['header_handle'])[0]);
  if (!handle) refuse('components', 'A media header needs an example (header_handle).', 2388043);
  if (!hasHandle(handle))
    refuse('components', 'The header_handle was not made by an upload of this app.', 2388273);
}

function checkBody(body: JsonObject, parameterFormat: Template['parameterFormat']): void {
  const text = textOf(body['text']) ?? '';
  if (text.trim() === '') refuse('components', 'The body text is missing.', 2388072);
  if (text.length > 1024) refuse('components', 'The body is longer than 1024 characters.', 2388040);
  checkVariables(text, parameterFormat, 'body');
  const variables = variablesIn(text);
  const trimmed = text.trim();
  if (/^\{\{[^{}]*\}\}/.test(trimmed) || /\{\{[^{}]*\}\}$/.test(trimmed)) {
    refuse('components', 'Variables cannot be at the start or end of the template.', 2388299);
  }
  const words = trimmed
    .replace(/\{\{[^{}]*\}\}/g, ' ')
    .split(/\s+/)
    .filter((word) => /[\p{L}\p{N}]/u.test(word)).length;
  if (variables.length > 1 && words < variables.length * 2 - 1) {
    refuse('components', 'The template has too many variables for its length.', 2388293);
  }
  checkExamples(body, text, parameterFormat, 'body_text');
}

function checkFooter(footer: JsonObject | undefined): void {
  if (!footer) return;
  const text = textOf(footer['text']) ?? '';
  if (text === '') refuse('components', 'The footer text is missing.', 2388073);
  if (text.length > 60) refuse('components', 'The footer is longer than 60 characters.', 2388040);
  if (text.includes('{{')) refuse('components', 'The footer cannot have variables.', 2388073);
}

function checkVariables(text: string, parameterFormat: Template['parameterFormat'], part: string): void {
  const subcode = part === 'header' ? 2388047 : 2388072;
  const variables = variablesIn(text);
  const opened = text.split('{{').length - 1;
  const wellFormed = [...text.matchAll(/\{\{\s*[A-Za-z0-9_]+\s*\}\}/g)].length;
  if (opened !== wellFormed) refuse('components', `The ${part} has a malformed variable.`, subcode);
  if (parameterFormat === 'NAMED') {
    if (!variables.every((name) => /^[a-z][a-z0-9_]*$/.test(name))) {
      refuse('components', 'Named variables are lower case letters, digits and underscores.', subcode);
    }
  } else if (!variables.every((name, position) => name === String(position + 1)) && variables.length > 0) {
    const isSequence = [...variables]
      .map(Number)
      .sort((a, b) => a - b)
      .every((value, position) => value === position + 1);
    if (!isSequence)
      refuse('components', 'Variables must be numbered {{1}}, {{2}} and so on without gaps.', subcode);
  }
}

function checkExamples(component: JsonObject, text: string, parameterFormat: string, key: string): void {
  const variables = variablesIn(text);
  if (variables.length === 0) return;
  const example = objectOf(component['example']);
  const type = textOf(component['type']) ?? '';
  if (parameterFormat === 'NAMED') {
    const given = objectsOf(example[`${key}_named_params`]).filter((item) => textOf(item['example']));
    const names = new Set(given.map((item) => textOf(item['param_name'])));
    if (variables.every((name) => names.has(name))) return;
  } else {
    const list = listOf(example[key]);
    const values = key === 'body_text' ? listOf(Array.isArray(list[0]) ? list[0] : list) : list;
    if (values.length === variables.length && values.every((value) => textOf(value))) return;
  }
  refuse('components', `component of type ${type} is missing expected field(s) (example)`, 2388043);
}

function checkAuthentication(components: JsonObject[]): void {
  const body = findComponent(components, 'BODY');
  if (textOf(body?.['text']))
    refuse('components', 'The body of an authentication template is fixed.', 2388072);
  const minutes = findComponent(components, 'FOOTER')?.['code_expiration_minutes'];
  if (minutes !== undefined && !(Number(minutes) >= 1 && Number(minutes) <= 90)) {
    refuse('components', 'code_expiration_minutes must lie between 1 and 90.', 2388073);
  }
  const buttons = objectsOf(findComponent(components, 'BUTTONS')?.['buttons']);
  if (buttons.length !== 1 || buttons[0]?.['type'] !== 'OTP')
    refuse('components', 'An authentication template has one OTP button.');
  const otpType = textOf(buttons[0]['otp_type'])?.toUpperCase() ?? '';
  if (!['COPY_CODE', 'ONE_TAP', 'ZERO_TAP'].includes(otpType)) refuse('components', 'otp_type is not known.');
}

/** True when the review will reject it: two variables side by side. */
export function hasAdjacentVariables(components: readonly JsonObject[]): boolean {
  return /\}\}\s*\{\{/.test(textOf(findComponent(components, 'BODY')?.['text']) ?? '');
}
