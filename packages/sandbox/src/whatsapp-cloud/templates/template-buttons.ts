import { textOf, type JsonObject } from '../../core/json.ts';
import { refuseTemplate as refuse } from './template-rejection.ts';
import { variablesIn } from './template-variables.ts';

// oxfmt-ignore
const mostOfType: Record<string, number> = {
  QUICK_REPLY: 10, URL: 2, PHONE_NUMBER: 1, COPY_CODE: 1, FLOW: 1, VOICE_CALL: 1, OTP: 1, MPM: 1, SPM: 1, CATALOG: 1,
  REQUEST_CONTACT_INFO: 1,
};

export function checkButtons(buttons: JsonObject[]): void {
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
