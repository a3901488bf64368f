import { cleanText } from '../contacts/contact.ts';
import { isDay } from './day.ts';

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
 * Everything that one value can mean in two ways is refused, never guessed.
 */
export function readCustomValue(
  field: Pick<CustomFieldRule, 'type' | 'options'>,
  raw: unknown,
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
      return readDay(text);
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

const NUMBER = /^[+-]?(\d+\.?\d*|\.\d+)(e[+-]?\d{1,3})?$/i;

/** As German, French, Spanish or Portuguese files have it: 9,50 and 1.234,50 and 1 234,50. */
const WITH_COMMA = /^[+-]?(\d+|\d{1,3}(\.\d{3})+|\d{1,3}( \d{3})+),\d+$/;
/** A comma before three digits may stand between thousands as well; nobody knows. */
const PERHAPS_THOUSANDS = /^[+-]?[1-9]\d{0,2},\d{3}$/;

function readNumber(written: string): ReadCustomValue {
  const hasComma = WITH_COMMA.test(written) && !PERHAPS_THOUSANDS.test(written);
  const text = hasComma ? written.replace(/[. ]/g, '').replace(',', '.') : written;
  if (!NUMBER.test(text)) return { problem: 'not_number' };
  const digits = text.replace(/e.*$/i, '').replace(/\D/g, '').replace(/^0+/, '');
  const value = Number(text);
  const isExact =
    digits.length <= customFieldLimits.digits && Math.abs(value) < 10 ** customFieldLimits.digits;
  return isExact ? { value: value === 0 ? 0 : value } : { problem: 'too_many_digits' };
}

/** With dots the day always stands first; with slashes nobody knows. */
function readDay(text: string): ReadCustomValue {
  const dotted = /^(\d{1,2})\.(\d{1,2})\.(\d{4})$/.exec(text);
  const day = dotted ? `${dotted[3]}-${dotted[2]?.padStart(2, '0')}-${dotted[1]?.padStart(2, '0')}` : text;
  return isDay(day) ? { value: day } : { problem: 'not_date' };
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
