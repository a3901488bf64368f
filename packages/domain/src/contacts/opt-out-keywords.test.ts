import { expect, test } from 'vitest';
import { readConsentKeyword } from './opt-out-keywords.ts';

test.each([
  ['STOP', 'stop'],
  [' Stop. ', 'stop'],
  ['Arrêt', 'stop'],
  ['opt-out', 'stop'],
  ['STOP bitte', 'stop'],
  ['Stop, please!', 'stop'],
  ['Please stop', 'stop'],
  ['Bitte abmelden, danke', 'stop'],
  ['Cancelar, por favor.', 'stop'],
  ["Stop s'il vous plaît", 'stop'],
  ['“STOP”', 'stop'],
  ['Stop 🙏', 'stop'],
  ['Thank you', null],
  ['please', null],
  ['', null],
  ['Please stop by at the shop', null],
  ['Stop 5', null],
  ['Nonstop please', null],
  ['Please do not stop', null],
  ['stop my order, please', null],
  [`stop${' '.repeat(80)}. I was joking`, null],
  ['START', 'start'],
  ['Start!', 'start'],
  // Consent is renewed by the word alone.
  ['Start, please', null],
])('%j says %j', (text, said) => {
  expect(readConsentKeyword(text)).toBe(said);
});
