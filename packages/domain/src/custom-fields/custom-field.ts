import { cleanText } from '../contacts/contact.ts';
import { readDayAlone, type DayOrder } from './day.ts';
import { readWrittenNumber } from './written-number.ts';

export const customFieldTypes = ['text', 'number', 'date', 'yes_no', 'choice'] as const;
export type CustomFieldType = (typeof customFieldTypes)[number];

export const customFieldLimits = {
  fields: 50,
  label: 80,
  key: 40,
  description: 300,
  options: 100,
  option: 100,
  text: 500,
  digits: 15,
} as const;

/** A day is text such as `2026-11-21`, a choice the option itself. */
export type CustomValue = string | number | boolean;

/** The values of one contact, by the ids of their fields. */
export type CustomValues = Readonly<Record<string, CustomValue>>;

/** What the rules ask of a field; its key and type never change. */
export type CustomFieldRule = {
  id: string;
  key: string;
  label: string;
  type: CustomFieldType;
  options: readonly string[];
};

/** Why a value does not fit its field. */
export const customValueProblems = [
  'not_text',
  'too_long',
  'not_number',
  'too_many_digits',
  'not_date',
  'not_yes_no',
  'not_option',
] as const;
export type CustomValueProblem = (typeof customValueProblems)[number];

export type ReadCustomValue = { value: CustomValue | null } | { problem: CustomValueProblem };

/**
 * Reads what somebody typed, a file says or a program sends as a value of the field; null when there is nothing.
 * Everything that one value can mean in two ways is refused, never guessed; `dayOrder` is what others of its column tell.
 */
export function readCustomValue(
  field: Pick<CustomFieldRule, 'type' | 'options'>,
  raw: unknown,
  dayOrder?: DayOrder,
): ReadCustomValue {
  if (raw === null || raw === undefined) return { value: null };
  if (!isPlain(raw)) return { problem: problemOf[field.type] };
  const text = cleanText(String(raw));
  if (text === '') return { value: null };
  switch (field.type) {
    case 'text':
      return text.length <= customFieldLimits.text ? { value: text } : { problem: 'too_long' };
    case 'number':
      return readNumber(text);
    case 'date':
      return readDay(text, dayOrder);
    case 'yes_no':
      return readYesNo(text);
    case 'choice': {
      const option = field.options.find((known) => known.toLowerCase() === text.toLowerCase());
      return option === undefined ? { problem: 'not_option' } : { value: option };
    }
  }
}

/** What is wrong with something that can be no value of the type at all. */
const problemOf: Record<CustomFieldType, CustomValueProblem> = {
  text: 'not_text',
  number: 'not_number',
  date: 'not_date',
  yes_no: 'not_yes_no',
  choice: 'not_option',
};

/** A value as files and forms have it; `readCustomValue` reads it back as the same value. */
export function writeCustomValue(value: CustomValue): string {
  return typeof value === 'boolean' ? (value ? 'yes' : 'no') : String(value);
}

/** Words of messages and files that a key must not take over. */
const RESERVED_KEYS: ReadonlySet<string> = new Set([
  ...['name', 'phone', 'email', 'tags', 'status', 'language', 'business'],
  ...['constructor', 'prototype', 'id', 'custom_fields'],
]);

/** The name of a field in placeholders and files, made from its label: `Shoe size` becomes `shoe_size`. */
export function makeFieldKey(label: string, taken: ReadonlySet<string>): string {
  const word = label
    .normalize('NFKD')
    .replace(/\p{M}/gu, '')
    .replaceAll('ß', 'ss')
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, '_')
    .replace(/^[_0-9]+|_+$/g, '')
    .slice(0, customFieldLimits.key - 3)
    .replace(/_+$/, '');
  const wanted = word === '' ? 'field' : word;
  const isFree = (key: string) => !taken.has(key) && !RESERVED_KEYS.has(key);
  let key = wanted;
  for (let count = 2; !isFree(key); count += 1) key = `${wanted}_${count}`;
  return key;
}

/** Options as stored: empty ones dropped, of several that differ in case alone the first one kept. */
export function cleanOptions(options: readonly string[]): string[] {
  const kept = new Map<string, string>();
  for (const option of options.map(cleanText))
    if (option && !kept.has(option.toLowerCase())) kept.set(option.toLowerCase(), option);
  return [...kept.values()];
}

/** The field that a heading of a file names, by its key or else by its label. */
export function findFieldByName<Field extends Pick<CustomFieldRule, 'key' | 'label'>>(
  fields: readonly Field[],
  heading: string,
): Field | undefined {
  const word = heading.trim().toLowerCase();
  return fields.find(({ key }) => key === word) ?? fields.find(({ label }) => label.toLowerCase() === word);
}

function readNumber(written: string): ReadCustomValue {
  const text = readWrittenNumber(written);
  if (text === undefined) return { problem: 'not_number' };
  const digits = text.replace(/e.*$/i, '').replace(/\D/g, '').replace(/^0+/, '');
  const value = Number(text);
  const isExact =
    digits.length <= customFieldLimits.digits && Math.abs(value) < 10 ** customFieldLimits.digits;
  return isExact ? { value: value === 0 ? 0 : value } : { problem: 'too_many_digits' };
}

function readDay(text: string, order?: DayOrder): ReadCustomValue {
  const day = readDayAlone(text, order);
  return day === undefined ? { problem: 'not_date' } : { value: day };
}

const YES: ReadonlySet<string> = new Set(['yes', 'y', 'true', '1']);
const NO: ReadonlySet<string> = new Set(['no', 'n', 'false', '0']);

function readYesNo(text: string): ReadCustomValue {
  const word = text.toLowerCase();
  if (YES.has(word)) return { value: true };
  return NO.has(word) ? { value: false } : { problem: 'not_yes_no' };
}

function isPlain(raw: unknown): raw is CustomValue {
  return typeof raw === 'string' || typeof raw === 'number' || typeof raw === 'boolean';
}
