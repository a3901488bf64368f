import type { CsvRow } from '@app/domain/contact-imports/csv-reader';
import type { ConsentColumn } from '@app/domain/contact-imports/import-consent';
import type { CountryColumn, ImportColumn, NamePart } from '@app/domain/contact-imports/import-headings';

/** The values of one contact as the file has them, still unchecked. */
export type SourceRow = NamedCells & {
  /** The cells of the row, or the element of JSON. */
  asWritten: unknown;
  /** Values of custom fields, by their keys. */
  custom?: Record<string, unknown>;
  /** What the column or key is called that says who wants marketing. */
  consentIn?: string;
  /** More values than columns: some value stands in the wrong place. */
  hasExtraCells?: true;
  /** Its letters are of two encodings. */
  isUnreadable?: true;
  /** Its cells were parted as if quotes meant nothing. */
  wrongQuote?: CsvRow['problem'];
  /** Of a row with too many cells: what stands in the columns when they are counted from its end. */
  fromEnd?: NamedCells;
};

/** What stands in the columns that mean something. */
export type NamedCells = Partial<Record<ImportColumn | NamePart | CountryColumn | ConsentColumn, unknown>> & {
  /** Numbers that stand in where `phone` is none, in the order of the file. */
  otherPhones?: unknown[];
};
