import { readHeadings, type ImportTarget } from '@app/domain/contact-imports/import-mapping';
import type { ImportColumn } from '@app/domain/contact-imports/import-headings';
import { consentColumns, type ConsentColumn } from '@app/domain/contact-imports/import-consent';
import { JsonElementsError, splitJsonArray } from '@app/domain/contact-imports/json-elements';
import { findFieldByName, type CustomFieldRule } from '@app/domain/custom-fields/custom-field';
import type { SourceRow } from './source-row.ts';
import { ImportRefused } from './import-text.ts';

/** The elements of a JSON array, or of `contacts` in an object, as rows. */
export async function* readJson(
  start: string,
  rest: AsyncIterable<string>,
  fields: readonly CustomFieldRule[],
): AsyncGenerator<SourceRow[]> {
  const elements = splitJsonArray('contacts');
  const findConsent = rememberConsentKeys(fields);
  const push = (text: string) => elements.push(text).map((element) => asRow(element, fields, findConsent));
  try {
    yield push(start);
    for await (const text of rest) yield push(text);
    elements.end();
  } catch (error) {
    throw error instanceof JsonElementsError ? refuseJson(error) : error;
  }
}

type ConsentKeys = (values: object) => Pick<SourceRow, ConsentColumn | 'consentIn'>;

function asRow(element: unknown, fields: readonly CustomFieldRule[], findConsent: ConsentKeys): SourceRow {
  const values: Partial<Record<ImportColumn, unknown>> = Object(element);
  const { name, phone, email, tags, status } = values;
  const language = isOwnLanguage(values, fields) ? values.language : undefined;
  const row: SourceRow = {
    name,
    phone,
    email,
    tags,
    status,
    language,
    ...findConsent(values),
    asWritten: element,
  };
  if (fields.length > 0) row.custom = readCustom(values, fields);
  return row;
}

const MOST_SHAPES = 100;

/** What elements say about marketing, by whatever key; those of one file mostly have the same keys. */
function rememberConsentKeys(fields: readonly CustomFieldRule[]): ConsentKeys {
  const shapes = new Map<string, [string, ConsentColumn][]>();
  return (values) => {
    const keys = Object.keys(values);
    const shape = keys.join('\n');
    const known = shapes.get(shape) ?? Object.entries(readHeadings(keys, fields)).filter(isConsentEntry);
    if (shapes.size < MOST_SHAPES) shapes.set(shape, known);
    const named = new Map(Object.entries(values));
    const [consentIn] = known.find(([, column]) => column === 'consent') ?? [];
    const said = Object.fromEntries(known.map(([key, column]) => [column, named.get(key)]));
    return consentIn === undefined ? said : { ...said, consentIn };
  };
}

function isConsentEntry(entry: [string, ImportTarget]): entry is [string, ConsentColumn] {
  return consentColumns.some((column) => column === entry[1]);
}

/** As our own export has them, in an object of their own, or beside the other values; by key or by label. */
function readCustom(values: object, fields: readonly CustomFieldRule[]): Record<string, unknown> {
  const own: unknown = 'customFields' in values ? values.customFields : undefined;
  const custom: Record<string, unknown> = {};
  const { language: _, ...others } = { language: null, ...values };
  const beside = isOwnLanguage(values, fields) ? others : values;
  for (const [name, value] of [...Object.entries(beside), ...Object.entries(Object(own))]) {
    const field = findFieldByName(fields, name);
    if (field) custom[field.key] = value;
  }
  return custom;
}

/** A business may have a field of its own by this name; an export of ours has that one apart. */
function isOwnLanguage(values: object, fields: readonly CustomFieldRule[]): boolean {
  return 'customFields' in values || !findFieldByName(fields, 'language');
}

const JSON_PROBLEMS = {
  'not-an-array': 'not_an_array',
  'too-deep': 'json_too_deep',
  'too-long': 'json_too_long',
  unfinished: 'json_unfinished',
  malformed: 'json_malformed',
} as const;

export function refuseJson({ problem, line }: JsonElementsError): ImportRefused {
  return new ImportRefused(JSON_PROBLEMS[problem], { line });
}
