import { afterAll, expect, test } from 'vitest';
import { formatExact, formatNumber } from '../formats.ts';
import { switchLocale, type Locale } from '../messages.ts';
import { readTypedNumber, showNumber } from './typed-number.ts';

afterAll(() => switchLocale('en'));

test.each<[Locale, string, string]>([
  ['en', '12.5', '12.5'],
  ['en', '1,234.5', '1234.5'],
  ['en', '12,5', '12,5'],
  ['de', '12,5', '12.5'],
  ['de', '1.234,5', '1234.5'],
  ['de', '1.234', '1234'],
  ['de', '12.5', '12.5'],
  ['de', '-0,25', '-0.25'],
  ['es', '1.234.567', '1234567'],
  ['fr', '1 234,5', '1234.5'],
  ['fr', '1\u202f234,5', '1234.5'],
  ['pt', '1.000.000,25', '1000000.25'],
  ['de', '1.2.3', '1.2.3'],
  ['de', 'zwölf', 'zwölf'],
  ['de', '', ''],
])('%s: %s is read as %s', async (locale, typed, plain) => {
  await switchLocale(locale);
  expect(readTypedNumber(typed)).toBe(plain);
});

test.each<Locale>(['en', 'es', 'fr', 'de', 'pt'])('%s reads what it shows', async (locale) => {
  await switchLocale(locale);
  for (const value of [0, 5, 12.5, -0.25, 1234.5, 12_345.67, 1_000_000]) {
    expect(readTypedNumber(formatNumber(value))).toBe(String(value));
    expect(readTypedNumber(formatExact(value))).toBe(String(value));
    expect(showNumber(String(value))).toBe(formatExact(value));
  }
  expect(showNumber('not a number.')).toBe('not a number.');
});
