import {
  customFieldLimits,
  findFieldByName,
  readCustomValue,
  type CustomFieldRule,
  type CustomValue,
  type CustomValueProblem,
  type CustomValues,
} from '../custom-fields/custom-field.ts';
import {
  cleanTags,
  cleanText,
  contactLimits,
  readContactStatus,
  readEmailAddress,
  type ContactStatus,
} from '../contacts/contact.ts';
import { consentColumns, readConsentHeading, sortByConsent, type ConsentColumn } from './import-consent.ts';
import { rowProblem, type RowProblem } from './import-problems.ts';
import { readTagCell } from './tag-cell.ts';

/** What a file says about one contact, before its phone number is understood. */
export type ImportedRow = {
  name: string;
  phone: string;
  email: string | null;
  tags: string[];
  status: ContactStatus;
  customValues: CustomValues;
};

/** The columns of an import file that mean something; others are left alone. */
export const importColumns = ['name', 'phone', 'email', 'tags', 'status'] as const;
export type ImportColumn = (typeof importColumns)[number];

/** Where a file has a name in two columns; together they are the name. */
export const nameParts = ['firstName', 'lastName'] as const;
export type NamePart = (typeof nameParts)[number];

/** A column of ours, a part of the name, what the person said about marketing, or a custom field by its key. */
export type ImportTarget = ImportColumn | NamePart | ConsentColumn | `custom:${string}`;

/** Which column of a file means what, by the heading as the file has it. */
export type ImportMapping = Readonly<Record<string, ImportTarget>>;

type NamedField = Pick<CustomFieldRule, 'key' | 'label'>;

/** What address books, shops and spreadsheets call our columns; spaces, hyphens and case do not count. */
const OTHER_NAMES: Record<ImportColumn | NamePart, readonly string[]> = {
  name: 'fullname contact contactname customer customername displayname client clientname nombre nombrecompleto nom nomcomplet kunde kontakt kundenname nome nomecompleto vollständigername'.split(
    ' ',
  ),
  phone:
    'phonenumber phoneno mobile mobilephone mobilenumber mobileno cell cellphone telephone telephonenumber tel whatsapp whatsappnumber telefon telefonnummer handy handynummer mobil mobiltelefon mobilnummer teléfono telefono móvil movil celular téléphone portable telefone telemóvel'.split(
      ' ',
    ),
  email: 'emailaddress mail mailaddress emailadresse mailadresse correo correoelectrónico courriel'.split(
    ' ',
  ),
  tags: 'tag labels label groups group etiquetas étiquettes schlagwörter gruppen'.split(' '),
  status: ['state', 'contactstatus'],
  firstName: 'firstname forename givenname vorname rufname prénom prenom primeironome nombredepila'.split(
    ' ',
  ),
  lastName:
    'lastname surname familyname nachname familienname zuname nomdefamille apellido apellidos sobrenome apelido'.split(
      ' ',
    ),
};
const namedColumns = [...importColumns, ...nameParts] as const;
const mappedColumns = [...namedColumns, ...consentColumns] as const;

function findOtherName(heading: string): ImportColumn | NamePart | undefined {
  const found = findByWord(heading);
  const [, plain] = /^([^()]+)\([^()]*\)\s*$/.exec(heading) ?? [];
  if (found || plain === undefined) return found;
  // Shops say of which address a column is, as “Phone (Billing)”; “State (Billing)” is a place.
  const ofAddress = findByWord(plain);
  return ofAddress === 'status' || ofAddress === 'tags' ? undefined : ofAddress;
}

function findByWord(heading: string): ImportColumn | NamePart | undefined {
  const word = heading
    .normalize('NFC')
    .toLowerCase()
    .replaceAll(/[^\p{L}\p{N}]/gu, '');
  return namedColumns.find((column) => column === word || OTHER_NAMES[column].includes(word));
}

/**
 * What a heading means by itself: a column of ours, a custom field by key or label, or what people said about marketing, which
 * must not be passed over.
 */
function readHeading(heading: string, fields: readonly NamedField[]): ImportTarget | undefined {
  const word = heading.trim().toLowerCase();
  const field = findFieldByName(fields, heading);
  const column = importColumns.find((known) => known === word);
  return column ?? (field ? `custom:${field.key}` : readConsentHeading(heading));
}

/** What the headings mean by themselves; the first of two that mean the same wins. */
export function readHeadings(headings: readonly string[], fields: readonly NamedField[]): ImportMapping {
  const mapping: Record<string, ImportTarget> = {};
  for (const heading of sortByConsent(headings)) {
    const target = readHeading(heading, fields);
    if (target && !Object.values(mapping).includes(target)) mapping[heading] = target;
  }
  return mapping;
}

/** A first guess at what the columns mean; the first of two that mean the same wins. */
export function guessMapping(headings: readonly string[], fields: readonly NamedField[]): ImportMapping {
  const mapping: Record<string, ImportTarget> = { ...readHeadings(headings, fields) };
  for (const heading of headings) {
    const target = Object.hasOwn(mapping, heading) ? undefined : findOtherName(heading);
    if (target && !Object.values(mapping).includes(target)) mapping[heading] = target;
  }
  return settleName(mapping);
}

/** A whole name needs no parts; a name beside a first name alone is the last name. */
function settleName(mapping: ImportMapping): ImportMapping {
  const entries = Object.entries(mapping);
  const has = (target: ImportTarget) => entries.some(([, known]) => known === target);
  if (!has('name')) return mapping;
  if (has('firstName') && !has('lastName'))
    return Object.fromEntries(
      entries.map(([heading, target]) => [heading, target === 'name' ? 'lastName' : target]),
    );
  return Object.fromEntries(entries.filter(([, target]) => !isNamePart(target)));
}

export type LeftOutColumn = { heading: string; place: number };

/** The columns that the mapping leaves out, in the order of the file; of two with one heading the first is read. Places begin at 1. */
export function findLeftOut(headings: readonly string[], mapping: ImportMapping): LeftOutColumn[] {
  return headings
    .map((heading, index) => ({ heading: heading.trim(), place: index + 1, isRead: isReadAt(index) }))
    .filter(({ isRead }) => !isRead)
    .map(({ heading, place }) => ({ heading, place }));
  function isReadAt(index: number): boolean {
    const heading = headings[index]!; // the index of one of them
    return Object.hasOwn(mapping, heading) && headings.indexOf(heading) === index;
  }
}

export function isNamePart(target: ImportTarget): target is NamePart {
  return nameParts.some((part) => part === target);
}

/** What a contact must have and these columns do not tell. */
export function findMissingColumns(targets: Iterable<ImportTarget>): ('name' | 'phone')[] {
  const known = new Set(targets);
  const tells = {
    name: known.has('name') || nameParts.some((part) => known.has(part)),
    phone: known.has('phone'),
  };
  return (['name', 'phone'] as const).filter((column) => !tells[column]);
}

/** A target as the mapping of a caller has it; undefined for anything else. */
export function readTarget(text: unknown): ImportTarget | undefined {
  if (typeof text !== 'string') return undefined;
  const column = mappedColumns.find((known) => known === text);
  if (column) return column;
  const [, key] = /^custom:(\w+)$/.exec(text) ?? [];
  return key === undefined ? undefined : `custom:${key}`;
}

export function isCustomTarget(target: ImportTarget): target is `custom:${string}` {
  return target.startsWith('custom:');
}

/** The key of the custom field that a column fills. */
export function customKeyOf(target: `custom:${string}`): string {
  return target.slice('custom:'.length);
}

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

/** Reads one row of a file or one element of a JSON array, or says why the row cannot become a contact. */
export function readImportedRow(
  source: Partial<Record<ImportColumn | NamePart, unknown>> & { custom?: ImportedCustom },
  fields: readonly CustomFieldRule[] = [],
): ImportedRow | RowProblem {
  const name = readName(source);
  const phone = cleanText(readText(source.phone));
  if (!name || !phone) return rowProblem('incomplete');
  const writtenEmail = cleanText(readText(source.email));
  const tags = cleanTags(
    Array.isArray(source.tags) ? source.tags.map(readText) : readTagCell(readText(source.tags)),
  );
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
  if (tags.length > contactLimits.tags) return rowProblem('too_many_tags', { most: contactLimits.tags });
  if (tags.some((tag) => tag.length > contactLimits.tag))
    return rowProblem('tag_too_long', { most: contactLimits.tag });
  const customValues: Record<string, CustomValue> = {};
  for (const field of source.custom ? fields : []) {
    const read = readCustomValue(field, source.custom?.[field.key]);
    if ('problem' in read) return customProblem(field, read.problem);
    if (read.value !== null) customValues[field.id] = read.value;
  }
  return { name, phone, email, tags, status: readContactStatus(source.status), customValues };
}

function readName(source: Partial<Record<'name' | NamePart, unknown>>): string {
  const [whole, first, last] = [source.name, source.firstName, source.lastName].map((part) =>
    cleanText(readText(part)),
  ) as [string, string, string]; // as many as went in
  if (whole) return whole;
  // Some files have the whole name beside the first one.
  return last.toLowerCase().startsWith(`${first} `.toLowerCase()) ? last : cleanText(`${first} ${last}`);
}

function readText(value: unknown): string {
  return typeof value === 'string' ? value : typeof value === 'number' ? String(value) : '';
}
