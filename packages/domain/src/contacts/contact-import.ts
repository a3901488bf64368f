import { cleanTags, cleanText, contactLimits, readContactStatus, type ContactStatus } from './contact.ts';

/** What a file says about one contact, before its phone number is understood. */
export type ImportedRow = {
  name: string;
  phone: string;
  email: string | null;
  tags: string[];
  status: ContactStatus;
};

/** The columns of an import file that mean something; others are left alone. */
export const importColumns = ['name', 'phone', 'email', 'tags', 'status'] as const;
export type ImportColumn = (typeof importColumns)[number];

/** Which column of a file means what, by the heading as the file has it. */
export type ImportMapping = Readonly<Record<string, ImportColumn>>;

const OTHER_NAMES: Record<string, ImportColumn> = {
  'full name': 'name',
  fullname: 'name',
  contact: 'name',
  mobile: 'phone',
  'phone number': 'phone',
  telephone: 'phone',
  whatsapp: 'phone',
  'e-mail': 'email',
  'email address': 'email',
  labels: 'tags',
  groups: 'tags',
};

/** A first guess at what the columns mean; the first of two that mean the same wins. */
export function guessMapping(headings: readonly string[]): ImportMapping {
  const mapping: Record<string, ImportColumn> = {};
  const words = headings.map((heading) => [heading, heading.trim().toLowerCase()] as const);
  const take = (heading: string, column: ImportColumn | undefined) => {
    if (column && !Object.values(mapping).includes(column)) mapping[heading] = column;
  };
  for (const [heading, word] of words)
    take(
      heading,
      importColumns.find((column) => column === word),
    );
  for (const [heading, word] of words) if (Object.hasOwn(OTHER_NAMES, word)) take(heading, OTHER_NAMES[word]);
  return mapping;
}

/** What happens with a row whose number a contact has already. */
export const duplicateRules = ['skip', 'update'] as const;
export type DuplicateRule = (typeof duplicateRules)[number];

/** Sentences of the import, shown to people as they are. */
export const importWords = {
  wrongFile: 'Please select a JSON or CSV file.',
  notAnArray: 'Invalid JSON format. Expected an array of contacts.',
  incomplete: (row: number) => `Row ${row}: Name and phone are required`,
  taken: (row: number, phone: string) => `Row ${row}: Phone number ${phone} already exists`,
  noCountry: (row: number, phone: string) =>
    `Row ${row}: ${phone} is not a phone number that any country has; it needs the country code, such as +44`,
  tooLong: (row: number, column: ImportColumn, most: number) =>
    `Row ${row}: The ${column} is longer than ${most} characters`,
  tagTooLong: (row: number) => `Row ${row}: A tag is longer than ${contactLimits.tag} characters`,
  tooManyTags: (row: number) => `Row ${row}: There are more than ${contactLimits.tags} tags`,
  tooManyFields: (row: number) => `Row ${row}: There are more values than columns`,
} as const;

/** Reads one row of a file or one element of a JSON array; a text says why the row cannot become a contact. */
export function readImportedRow(
  row: number,
  source: Partial<Record<ImportColumn, unknown>>,
): ImportedRow | string {
  const name = cleanText(readText(source.name));
  const phone = cleanText(readText(source.phone));
  if (!name || !phone) return importWords.incomplete(row);
  const email = cleanText(readText(source.email));
  const tags = cleanTags(Array.isArray(source.tags) ? source.tags.map(readText) : [readText(source.tags)]);
  for (const [column, text] of [
    ['name', name],
    ['phone', phone],
    ['email', email],
  ] as const) {
    if (text.length > contactLimits[column]) return importWords.tooLong(row, column, contactLimits[column]);
  }
  if (tags.length > contactLimits.tags) return importWords.tooManyTags(row);
  if (tags.some((tag) => tag.length > contactLimits.tag)) return importWords.tagTooLong(row);
  return { name, phone, email: email || null, tags, status: readContactStatus(source.status) };
}

function readText(value: unknown): string {
  return typeof value === 'string' ? value : typeof value === 'number' ? String(value) : '';
}
