/** What stands in the sentence of a problem. */
export type ProblemValues = Readonly<Record<string, string | number>>;
type Sentences = Record<string, (values: ProblemValues) => string>;

/**
 * Why a row was not imported, and in English, for people who call the API by hand and for the file of failed rows. The web has its own
 * sentence for each code.
 */
const rowSentences = {
  incomplete: () => 'Name and phone are required',
  taken: ({ phone }) => `Phone number ${phone} already exists`,
  no_country: ({ phone }) =>
    `${phone} is not a phone number that any country has; it needs the country code, such as +44`,
  not_of_country: ({ phone, country }) =>
    `${phone} is no phone number of the country that the row says (${country})`,
  rounded_phone: ({ phone }) =>
    `A spreadsheet has rounded the phone number to ${phone}; format its column as text and enter the number again`,
  unreadable_letters: () => 'Some letters of this row cannot be read; its text is in two encodings',
  no_email: () => 'The email is not an address such as ann@example.com; leave it empty if there is none',
  no_language: () => 'The language is not one such as de or German; leave it empty if nobody knows it',
  too_long: ({ column, most }) => `The ${column} is longer than ${most} characters`,
  tag_too_long: ({ most }) => `A tag is longer than ${most} characters`,
  too_many_tags: ({ most }) => `There are more than ${most} tags`,
  custom_not_text: ({ field }) => `${field} is not a text`,
  custom_too_long: ({ field, most }) => `${field} is longer than ${most} characters`,
  custom_not_number: ({ field }) => `${field} is not a number such as 12.5`,
  custom_too_many_digits: ({ field, most }) => `${field} has more than ${most} digits`,
  custom_not_date: ({ field }) => `${field} is not a date such as 2026-11-21`,
  custom_not_yes_no: ({ field }) => `${field} is neither yes nor no`,
  custom_not_option: ({ field, options }) => `${field} is not one of ${options}`,
  unclear_consent: () => 'The marketing consent is neither yes nor no',
  unclear_opt_out: () => 'The opt-out is neither yes nor no',
  too_many_values: () => 'There are more values than columns',
  stray_quote: () => 'A quote stands in the wrong place; write a quote inside quotes twice',
  open_quote: () => 'A quote is opened and never closed',
  erased_person: () => 'This person was erased and is not added again',
  erased: () => '(erased)',
  unknown: () => 'This row was not imported',
} satisfies Sentences;
export type RowProblemCode = keyof typeof rowSentences;

/** Why nothing of a file was imported; the same. */
const fileSentences = {
  wrong_file: () => 'Please select a JSON or CSV file.',
  empty: () => 'The file is empty.',
  old_spreadsheet: () =>
    'This is an old Excel file, or one with a password. Save it as .xlsx without a password, or as CSV, and import it again.',
  workbook_unreadable: () =>
    'This is no Excel file that can be read. Save it as .xlsx or as CSV again and import it.',
  workbook_too_large: () =>
    'This Excel file holds more than can be read. Save it as CSV and import it again.',
  sheet_gone: ({ sheet }) => `The file has no sheet ${sheet}.`,
  not_an_array: () => 'Invalid JSON format. Expected an array of contacts.',
  field_gone: ({ key }) => `There is no custom field ${key} any more. Please choose the columns again.`,
  missing_columns: ({ columns }) =>
    `Line 1 has no column ${String(columns).split(',').join(' and no column ')}. It must name the columns, separated by commas: name, phone, email, tags, status.`,
  too_many_cells: ({ line, most }) =>
    `Line ${line} has more than ${most} columns; at most so many can be read.`,
  row_too_long: ({ line }) => `Line ${line}: one row is longer than a million characters.`,
  header_stray_quote: ({ line }) =>
    `Line ${line}: a quote stands in the wrong place; write a quote inside quotes twice.`,
  header_open_quote: ({ line }) => `Line ${line}: a quote is opened and never closed.`,
  nul: ({ line }) => `Line ${line} contains a NUL character, which no text file has.`,
  encoding: ({ line, encoding }) =>
    `Line ${line} is not valid ${encoding} text. Save the file as UTF-8 (in Excel: “CSV UTF-8”) and import it again.`,
  json_too_deep: ({ line }) => `Line ${line}: the JSON is nested too deeply.`,
  json_too_long: ({ line }) => `Line ${line}: one contact is longer than a million characters.`,
  json_unfinished: ({ line }) => `The JSON ends in line ${line} before it is complete.`,
  data_foreign: () =>
    'The file is not an export of this product: it must hold contacts, templates, campaigns and settings.',
  data_newer: ({ version }) => `A newer version of the product wrote the file (${version}).`,
  json_malformed: ({ line }) => `Line ${line} is not valid JSON.`,
  too_large: ({ most }) => `The file is larger than ${Number(most) / 2 ** 20} MB.`,
  upload_stopped: () => 'The upload stopped before it was complete.',
  upload_interrupted: () => 'The upload was interrupted before it was complete.',
  upload_lost: () =>
    'The server stopped before the file was here. Nothing was imported; please import the file again.',
  erased_meanwhile: () =>
    'Somebody was erased while the file was read. Nothing was imported; please import the file again.',
  starter_not_allowed: () => 'The user who started this is no longer allowed to do it.',
  internal: () => 'Something went wrong on our side. Nothing was imported.',
  unknown: () => 'Nothing was imported.',
} satisfies Sentences;
export type FileProblemCode = keyof typeof fileSentences;

/** A row that cannot become a contact. */
export type RowProblem = { code: RowProblemCode; values: ProblemValues };

export function rowProblem(code: RowProblemCode, values: ProblemValues = {}): RowProblem {
  return { code, values };
}

/** In English. A code of another version is one that nobody knows. */
export function describeRowProblem(row: number, { code, values }: Described): string {
  const known: Sentences = rowSentences;
  return `Row ${row}: ${(known[code] ?? rowSentences.unknown)(values)}`;
}

export function describeFileProblem({ code, values }: Described): string {
  const known: Sentences = fileSentences;
  return (known[code] ?? fileSentences.unknown)(values);
}

type Described = { code: string; values: ProblemValues };
