import { expect, test } from 'vitest';
import { validateLanguages } from './template-languages.ts';

const inLanguage = (language: string, more: object = {}) => ({
  ...{ language, isMarketing: true, placeholders: ['code'], isSendable: true },
  ...more,
});
const english = inLanguage('en');

test.each([
  ['what may go out and is filled alike', [inLanguage('de'), inLanguage('fr')], [0, 1], []],
  [
    'one of each language, the first that can',
    [inLanguage('de', { isSendable: false }), inLanguage('de'), inLanguage('de')],
    [1],
    [],
  ],
  ['nothing in the language of the template itself', [inLanguage('en')], [], []],
  [
    'what asks for less, or for what everybody has',
    [inLanguage('de', { placeholders: ['name', 'business'] })],
    [0],
    [],
  ],
])('stands in: %s', (_, others, chosen, leftOut) => {
  expect(validateLanguages(english, others)).toEqual({ chosen, leftOut });
});

test.each([
  ['not_sendable', { isSendable: false }],
  ['other_category', { isMarketing: false }],
  ['other_placeholders', { placeholders: ['code', 'email'] }],
])('is left out as %s', (reason, more) => {
  expect(validateLanguages(english, [inLanguage('de', more), inLanguage('fr')])).toEqual({
    ...{ chosen: [1], leftOut: [{ language: 'de', reason }] },
  });
});
