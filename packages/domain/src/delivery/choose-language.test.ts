import { expect, test } from 'vitest';
import { chooseLanguage } from './choose-language.ts';

test.each([
  ['de', 'en', ['de', 'fr'], 'de'],
  ['en', 'en', ['de'], 'en'],
  [null, 'en', ['de'], 'en'],
  [undefined, 'en', ['de'], 'en'],
  ['', 'en', ['de'], 'en'],
  ['fr', 'en', ['de'], 'en'],
  ['de_AT', 'en', ['de'], 'de'],
  ['de', 'en', ['de_AT'], 'de_AT'],
  ['pt_PT', 'en', ['de', 'pt_BR'], 'pt_BR'],
  ['en_GB', 'en', ['en_US', 'de'], 'en'],
  ['en_GB', 'en', ['en_GB', 'de'], 'en_GB'],
  ['es_AR', 'en', ['es_MX', 'es_ES'], 'es_ES'],
  ['es_AR', 'en', ['es_MX', 'es'], 'es'],
  ['constructor', 'en', ['de'], 'en'],
  ['de', 'en', [], 'en'],
] as const)('who wants %s of a message in %s and %j gets %s', (wanted, main, others, chosen) => {
  expect(chooseLanguage(wanted, main, others)).toBe(chosen);
  expect(chooseLanguage(wanted, main, others.toReversed())).toBe(chosen);
});
