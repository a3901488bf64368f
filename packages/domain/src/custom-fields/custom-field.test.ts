import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import {
  cleanOptions,
  findFieldByName,
  makeFieldKey,
  readCustomValue,
  writeCustomValue,
  type CustomFieldType,
  type CustomValue,
  type CustomValueProblem,
} from './custom-field.ts';

const options = ['Bronze', 'Silver', 'Gold'];

describe('what a field takes', () => {
  test.each<[CustomFieldType, unknown, CustomValue | null]>([
    ['text', ' two  words\n', 'two words'],
    ['text', 7, '7'],
    ['text', true, 'true'],
    ['text', 'x'.repeat(500), 'x'.repeat(500)],
    ['text', ' \t', null],
    ['text', null, null],
    ['number', '12.50', 12.5],
    ['number', ' -3 ', -3],
    ['number', '+.5', 0.5],
    ['number', '-0', 0],
    ['number', '1e-7', 1e-7],
    ['number', 0, 0],
    ['number', '999999999999999', 999999999999999],
    ['number', '9,50', 9.5],
    ['number', '-0,125', -0.125],
    ['number', '1234,567', 1234.567],
    ['number', '1.234,50', 1234.5],
    ['number', '1\u{a0}234\u{202f}567,5', 1234567.5],
    ['number', '1.869,53 €', 1869.53],
    ['number', '€ 1.869,53', 1869.53],
    ['number', '-$1,869.53', -1869.53],
    ['number', 'R$ 12,50', 12.5],
    ['number', 'EUR\u{a0}7', 7],
    ['number', '7 usd', 7],
    ['number', '249 kr', 249],
    ['number', "CHF 1'234.50", 1234.5],
    ['number', '1’234’567', 1234567],
    ['number', '1 234', 1234],
    ['number', '1,234.5', 1234.5],
    ['number', '', null],
    ['date', '2024-02-29', '2024-02-29'],
    ['date', '1.12.1990', '1990-12-01'],
    ['date', '16/01/1995', '1995-01-16'],
    ['date', '1/16/1995', '1995-01-16'],
    ['date', '5-5-1995', '1995-05-05'],
    ['date', undefined, null],
    ['yes_no', 'YES', true],
    ['yes_no', '0', false],
    ['yes_no', false, false],
    ['yes_no', 1, true],
    ['yes_no', '', null],
    ['choice', 'gold', 'Gold'],
    ['choice', ' Silver ', 'Silver'],
    ['choice', '', null],
  ])('%s reads %j as %j', (type, raw, value) => {
    expect(readCustomValue({ type, options }, raw)).toEqual({ value });
  });

  test.each<[CustomFieldType, unknown, CustomValueProblem]>([
    ['text', 'x'.repeat(501), 'too_long'],
    ['text', {}, 'not_text'],
    ['text', ['a'], 'not_text'],
    ['number', 'twelve', 'not_number'],
    ['number', '1,234', 'not_number'],
    ['number', '1,234 €', 'not_number'],
    ['number', '1.234 €', 'not_number'],
    ['number', '€ 5 €', 'not_number'],
    ['number', '5 pcs', 'not_number'],
    ['number', '030 123 456', 'not_number'],
    ['number', "1'234 567", 'not_number'],
    ['number', '€', 'not_number'],
    ['number', '12.34,5', 'not_number'],
    ['number', '1,2,3', 'not_number'],
    ['number', '123456789012345,6', 'too_many_digits'],
    ['number', '0x10', 'not_number'],
    ['number', 'Infinity', 'not_number'],
    ['number', Number.NaN, 'not_number'],
    ['number', [7], 'not_number'],
    ['number', '1234567890123456', 'too_many_digits'],
    ['number', '0.1234567890123456', 'too_many_digits'],
    ['number', '1e15', 'too_many_digits'],
    ['number', '1e999', 'too_many_digits'],
    ['date', '2026-02-30', 'not_date'],
    ['date', '31.2.2026', 'not_date'],
    ['date', '11/12/2026', 'not_date'],
    ['date', '31/31/2026', 'not_date'],
    ['date', '16/01/95', 'not_date'],
    ['date', '2026-11-21T10:00:00Z', 'not_date'],
    ['date', '0000-01-01', 'not_date'],
    ['date', 20261121, 'not_date'],
    ['yes_no', 'perhaps', 'not_yes_no'],
    ['yes_no', 2, 'not_yes_no'],
    ['yes_no', [], 'not_yes_no'],
    ['choice', 'Platinum', 'not_option'],
    ['choice', { Gold: true }, 'not_option'],
  ])('%s refuses %j: %s', (type, raw, problem) => {
    expect(readCustomValue({ type, options }, raw)).toEqual({ problem });
  });

  test('every value that was read comes back the same from a file', () => {
    const raw = fc.oneof(fc.string(), fc.double(), fc.integer(), fc.boolean(), fc.constantFrom(...options));
    const types = fc.constantFrom<CustomFieldType>('text', 'number', 'date', 'yes_no', 'choice');
    fc.assert(
      fc.property(types, raw, (type, from) => {
        const read = readCustomValue({ type, options }, from);
        if ('problem' in read || read.value === null) return;
        expect(readCustomValue({ type, options }, writeCustomValue(read.value))).toEqual(read);
      }),
    );
  });
});

test.each([
  ['Shoe size', 'shoe_size'],
  ['  Größe (cm) ', 'grosse_cm'],
  ['Café', 'cafe'],
  ['2nd address', 'nd_address'],
  ['生日', 'field'],
  ['Name', 'name_2'],
  ['Tier', 'tier_3'],
  ['constructor', 'constructor_2'],
  ['x'.repeat(80), 'x'.repeat(37)],
])('the label %j gets the key %s', (label, key) => {
  expect(makeFieldKey(label, new Set(['tier', 'tier_2']))).toBe(key);
});

test('options are kept once, without those that are empty', () => {
  expect(cleanOptions([' Gold ', '', 'gold', 'Silver  plate'])).toEqual(['Gold', 'Silver plate']);
});

test('a heading names a field by its key before any label', () => {
  const fields = [
    { key: 'tier_2', label: 'tier' },
    { key: 'tier', label: 'Level' },
  ];
  expect(findFieldByName(fields, ' TIER ')?.key).toBe('tier');
  expect(findFieldByName(fields, 'level')?.key).toBe('tier');
  expect(findFieldByName(fields, 'rank')).toBeUndefined();
});
