import {
  customFieldLimits,
  readCustomValue,
  type CustomFieldRule,
  type CustomValue,
  type CustomValueProblem,
  type CustomValues,
} from '../custom-fields/custom-field.ts';
import type { DayOrder } from '../custom-fields/day.ts';
import {
  cleanTags,
  cleanName,
  cleanText,
  contactLimits,
  readContactStatus,
  readEmailAddress,
  type ContactStatus,
} from '../contacts/contact.ts';
import { readLanguage } from '../contacts/contact-language.ts';
import type { ImportColumn, NamePart } from './import-headings.ts';
import { rowProblem, type RowProblem } from './import-problems.ts';
import { readTagCell } from './tag-cell.ts';

/** What a file says about one contact, before its phone number is understood. */
export type ImportedRow = {
  name: string;
  phone: string;
  email: string | null;
  language: string | null;
  tags: string[];
  status: ContactStatus;
  customValues: CustomValues;
};

/** What happens with a row whose number a contact has already. */
export const duplicateRules = ['skip', 'update'] as const;
export type DuplicateRule = (typeof duplicateRules)[number];

/** What no file of contacts reaches; beyond it a file is refused, or its errors are only counted. */
export const importLimits = {
  cellsOfRow: 1_000,
  charactersOfRow: 1_000_000,
  errorsKept: 10_000,
  charactersOfValue: 200,
  charactersOfKeptRow: 5_000,
  daysRowsKept: 30,
  /** Of the beginning of a file, to ask how its numbers can be read. */
  numbersAsked: 1_000,
} as const;

/** The value itself is left out: what a row says of a person stays out of the list of errors. */
function customProblem({ label: field, options }: CustomFieldRule, problem: CustomValueProblem): RowProblem {
  const shown = options.slice(0, MOST_OPTIONS_SHOWN).join(', ');
  switch (problem) {
    case 'too_long':
      return rowProblem('custom_too_long', { field, most: customFieldLimits.text });
    case 'too_many_digits':
      return rowProblem('custom_too_many_digits', { field, most: customFieldLimits.digits });
    case 'not_option':
      return rowProblem('custom_not_option', {
        field,
        options: `${shown}${options.length > MOST_OPTIONS_SHOWN ? ' …' : ''}`,
      });
    default:
      return rowProblem(`custom_${problem}`, { field });
  }
}

const MOST_OPTIONS_SHOWN = 5;

/** What a file says in its custom columns, by the keys of the fields. */
export type ImportedCustom = Readonly<Record<string, unknown>>;

/** What holds for every row of a file. */
export type RowManners = {
  /** Everybody in it gets these tags. */
  tags?: readonly string[];
  /** The family comes first, as in Hungary. */
  isFamilyFirst?: boolean;
  /** In which order the columns of custom fields write days, by the keys of the fields. */
  dayOrders?: ReadonlyMap<string, DayOrder>;
};

/** Reads one row of a file or one element of a JSON array, or says why the row cannot become a contact. */
export function readImportedRow(
  source: Partial<Record<ImportColumn | NamePart, unknown>> & { custom?: ImportedCustom },
  fields: readonly CustomFieldRule[] = [],
  { tags: tagsOfAll = [], isFamilyFirst = false, dayOrders }: RowManners = {},
): ImportedRow | RowProblem {
  const name = readName(source, isFamilyFirst);
  const phone = cleanText(readText(source.phone));
  if (!name || !phone) return rowProblem('incomplete');
  const writtenEmail = firstAddress(cleanText(readText(source.email)));
  const written = Array.isArray(source.tags) ? source.tags.map(readText) : readTagCell(readText(source.tags));
  const tags = cleanTags([...written, ...tagsOfAll]);
  for (const [column, text] of [
    ['name', name],
    ['phone', phone],
    ['email', writtenEmail],
  ] as const) {
    const most = contactLimits[column];
    if (text.length > most) return rowProblem('too_long', { column, most });
  }
  const email = readEmailAddress(writtenEmail);
  if (email === undefined) return rowProblem('no_email');
  const language = readLanguage(readText(source.language));
  if (language === undefined) return rowProblem('no_language');
  if (tags.length > contactLimits.tags) return rowProblem('too_many_tags', { most: contactLimits.tags });
  if (tags.some((tag) => tag.length > contactLimits.tag))
    return rowProblem('tag_too_long', { most: contactLimits.tag });
  const customValues: Record<string, CustomValue> = {};
  for (const field of source.custom ? fields : []) {
    const read = readCustomValue(field, source.custom?.[field.key], dayOrders?.get(field.key));
    if ('problem' in read) return customProblem(field, read.problem);
    if (read.value !== null) customValues[field.id] = read.value;
  }
  return { name, phone, email, language, tags, status: readContactStatus(source.status), customValues };
}

/** Of several addresses in one cell the first that is one; the others are in the row that is kept. */
function firstAddress(cell: string): string {
  const parts = cell.split(/:::|[;,\s]+/).filter((part) => part !== '');
  return parts.length < 2 ? cell : (parts.find((part) => readEmailAddress(part)) ?? cell);
}

function readName(source: Partial<Record<'name' | NamePart, unknown>>, isFamilyFirst: boolean): string {
  const [whole, given, last, middle, company] = [
    source.name,
    source.firstName,
    source.lastName,
    source.middleName,
    source.company,
  ].map((part) => cleanName(readText(part))) as [string, string, string, string, string]; // as many as went in
  const first =
    middle && !given.toLowerCase().endsWith(` ${middle}`.toLowerCase())
      ? cleanName(`${given} ${middle}`)
      : given;
  if (whole) return whole;
  if (!first && !last) return company;
  // Some files have the whole name beside one part of it.
  if (last.toLowerCase().startsWith(`${first} `.toLowerCase())) return last;
  if (first.toLowerCase().endsWith(` ${last}`.toLowerCase())) return first;
  if (EAST_ASIAN.test(first) && EAST_ASIAN.test(last)) return `${last}${first}`;
  return cleanName(isFamilyFirst ? `${last} ${first}` : `${first} ${last}`);
}

/** Names in these letters begin with the family, and have no space. */
const EAST_ASIAN = /^[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Hangul}]+$/u;

/** Countries that write the family first also in Latin letters. */
export const familyFirstCountries: readonly string[] = ['HU', 'VN'];

function readText(value: unknown): string {
  return typeof value === 'string' ? value : typeof value === 'number' ? String(value) : '';
}
