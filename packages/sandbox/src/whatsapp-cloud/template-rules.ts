import { listOf, objectOf, objectsOf, textOf, type JsonObject } from '../core/json.ts';
import { GraphError } from './errors.ts';
import type { Template } from './store.ts';
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
  checkOffer(components, category);
  checkCarousel(findComponent(components, 'CAROUSEL'));
  return components;
}

function upperCaseEnums(component: JsonObject): JsonObject {
  const upper = { ...component };
  for (const key of ['type', 'format']) {
    const text = textOf(upper[key]);
    if (text !== undefined) upper[key] = text.toUpperCase();
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

// prettier-ignore
const mostOfType: Record<string, number> = {
  QUICK_REPLY: 10, URL: 2, PHONE_NUMBER: 1, COPY_CODE: 1, FLOW: 1, VOICE_CALL: 1, OTP: 1, MPM: 1, SPM: 1, CATALOG: 1,
  REQUEST_CONTACT_INFO: 1,
};

function checkButtons(buttons: JsonObject[]): void {
  if (buttons.length > 10) refuse('components', 'A template has at most 10 buttons.', 2388040);
  const types = buttons.map((button) => textOf(button['type']) ?? '');
  for (const type of new Set(types)) {
    const most = mostOfType[type];
    if (most === undefined) refuse('components', `Button type ${type || '(none)'} is not known.`);
    if (types.filter((other) => other === type).length > most)
      refuse('components', `At most ${most} buttons of type ${type}.`);
  }
  // Quick replies stand together, before or after all others.
  const changes = types.filter(
    (type, at) => at > 0 && (type === 'QUICK_REPLY') !== (types[at - 1] === 'QUICK_REPLY'),
  ).length;
  if (changes > 1) refuse('components', 'Quick replies must stand together.');
  for (const button of buttons) checkButton(button);
}

function checkButton(button: JsonObject): void {
  const type = textOf(button['type']);
  const text = textOf(button['text']) ?? '';
  const needsText = type === 'QUICK_REPLY' || type === 'URL' || type === 'PHONE_NUMBER' || type === 'FLOW';
  if (needsText && text === '') refuse('components', 'A button has no text.');
  if (text.length > 25) refuse('components', 'A button text is longer than 25 characters.', 2388040);
  if (text.includes('{{')) refuse('components', 'A button text cannot have variables.');
  if (type === 'PHONE_NUMBER' && !/^\+?[\d\s-]{5,20}$/.test(textOf(button['phone_number']) ?? '')) {
    refuse('components', 'A button has no valid phone number.');
  }
  if (type === 'COPY_CODE') {
    const example = textOf(Array.isArray(button['example']) ? button['example'][0] : button['example']) ?? '';
    if (example === '' || example.length > 15)
      refuse('components', 'A code button needs an example of 1 to 15 characters.');
  }
  if (type === 'URL') checkUrl(button);
}

function checkUrl(button: JsonObject): void {
  const url = textOf(button['url']) ?? '';
  if (!/^https?:\/\/[^\s]+$/.test(url)) refuse('components', 'A button has no valid URL.');
  if (url.length > 2000) refuse('components', 'A button URL is longer than 2000 characters.', 2388040);
  if (!url.includes('{{')) return;
  if (variablesIn(url).length !== 1 || !/\{\{\s*\w+\s*\}\}$/.test(url)) {
    refuse('components', 'A button URL can have one variable, at its end.');
  }
  const example = button['example'];
  const first = Array.isArray(example) ? example[0] : example;
  if (!textOf(first)) refuse('components', 'A button URL with a variable needs an example.', 2388043);
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

function checkOffer(components: JsonObject[], category: Template['category']): void {
  const offer = findComponent(components, 'LIMITED_TIME_OFFER');
  if (!offer) return;
  if (category !== 'MARKETING') refuse('components', 'A limited-time offer is for marketing.');
  const text = textOf(objectOf(offer['limited_time_offer'])['text']) ?? '';
  if (text === '' || text.length > 16)
    refuse('components', 'The text of the offer has 1 to 16 characters.', 2388040);
  if (findComponent(components, 'FOOTER')) refuse('components', 'A limited-time offer has no footer.');
}

function checkCarousel(carousel: JsonObject | undefined): void {
  if (!carousel) return;
  const cards = objectsOf(carousel['cards']);
  if (cards.length < 1 || cards.length > 10) refuse('components', 'A carousel has 1 to 10 cards.');
  const shapes = cards.map((card) =>
    objectsOf(card['components'])
      .map((part) => textOf(part['type'])?.toUpperCase())
      .join(),
  );
  if (new Set(shapes).size > 1) refuse('components', 'All cards of a carousel have the same parts.');
}

/** True when the review will reject it: two variables side by side. */
export function hasAdjacentVariables(components: readonly JsonObject[]): boolean {
  return /\}\}\s*\{\{/.test(textOf(findComponent(components, 'BODY')?.['text']) ?? '');
}

function refuse(parameter: string, reason: string, subcode?: number): never {
  throw new GraphError(100, {
    message: `Invalid parameter`,
    details: `${parameter}: ${reason}`,
    userTitle: 'Message template is not valid',
    userMessage: reason,
    ...(subcode === undefined ? {} : { subcode }),
  });
}
