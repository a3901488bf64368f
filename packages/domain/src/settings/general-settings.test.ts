import { expect, test } from 'vitest';
import {
  defaultGeneralSettings,
  readBusinessName,
  readGeneralSettings,
  readWebsite,
} from './general-settings.ts';

test.each([
  ['https://shop.example/a?b=c', 'https://shop.example/a?b=c'],
  [' shop.example ', 'https://shop.example'],
  ['shop.example:8080/a', 'https://shop.example:8080/a'],
  ['HTTP://Shop.Example', 'HTTP://Shop.Example'],
  ['', null],
  ['shop', null],
  ['shop .example', null],
  ['ftp://shop.example', null],
  ['javascript:alert(1).a', null],
  ['https://user:pass@shop.example', null],
  [`https://shop.example/${'a'.repeat(300)}`, null],
])('the website %j is kept as %j', (typed, kept) => {
  expect(readWebsite(typed)).toBe(kept);
});

test.each([
  ['  Acme \n Ltd ', 'Acme Ltd'],
  [' \t', 'Your Business'],
])('the name %j is kept as %j', (typed, kept) => {
  expect(readBusinessName(typed)).toBe(kept);
});

test('what was not saved yet has its default, and what is of others is left out', () => {
  expect(readGeneralSettings({})).toEqual(defaultGeneralSettings);
  expect(readGeneralSettings({ businessName: 'Acme', messageLimits: {} })).toEqual({
    ...defaultGeneralSettings,
    businessName: 'Acme',
  });
});
