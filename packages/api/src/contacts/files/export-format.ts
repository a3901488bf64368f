import { importColumns } from '@app/domain/contact-imports/import-headings';
import { BYTE_ORDER_MARK, keepCsvMarks, writeCsvCell } from '@app/domain/contact-imports/csv-cell';
import type { WrittenCell } from '@app/domain/contact-imports/workbook/write-sheet';
import { writeTagCell } from '@app/domain/contact-imports/tag-cell';
import type { ExportFormat } from '@app/domain/contacts/export-format';
import { fieldOfColumn, type ChosenColumn, type ListColumn } from '@app/domain/contacts/contact-list-layout';
import { writeCustomValue, type CustomFieldRule } from '@app/domain/custom-fields/custom-field';
import { WORKBOOK_TYPE } from '../../platform/workbooks/workbook-file.ts';
import type { Contact } from '../contacts-queries.ts';

/** What the file has of each contact; by their keys an import reads most of them back. `heading` stands in for a key that a custom field has. */
export type ExportColumn = { key: string; field?: string; heading?: string; isDay?: true };

/** How contacts are written so that an import reads them back. */
export type Format = {
  start(columns: readonly ExportColumn[]): string;
  end: string;
  write(contact: Contact, index: number, columns: readonly ExportColumn[]): string;
};

export function openFormat(name: Exclude<ExportFormat, 'xlsx'>, at: Date): Format {
  return name === 'csv' ? csv : json(at);
}

const TYPES = {
  csv: 'text/csv; charset=utf-8',
  json: 'application/json; charset=utf-8',
  xlsx: WORKBOOK_TYPE,
} as const satisfies Record<ExportFormat, string>;

export function mediaTypeOf(format: ExportFormat): string {
  return TYPES[format];
}

export function headingsOf(columns: readonly ExportColumn[]): string[] {
  return columns.map(({ key, heading = key }) => heading);
}

/** The same as in CSV, but numbers and days of custom fields are such. */
export function writeCells(contact: Contact, columns: readonly ExportColumn[]): WrittenCell[] {
  return columns.map(({ key, field, isDay }) => {
    const value = field === undefined ? cellOf(contact, key) : (contact.customFields[field] ?? '');
    if (typeof value === 'number') return { number: value };
    const text = writeCustomValue(value);
    return isDay && text !== '' ? { day: text } : keepCsvMarks(text);
  });
}

/** What columns of the list are called in a file. */
const keysOf: Record<ListColumn, readonly string[]> = {
  phone: ['phone'],
  email: ['email'],
  language: ['language'],
  tags: ['tags'],
  status: ['status'],
  lastMessage: ['lastMessage', 'lastMessageTime'],
  createdAt: ['createdAt'],
  optedOutAt: ['optedOutAt'],
};

/** The columns that were chosen, in their order behind the name; without a choice everything that an import reads. */
export function exportColumns(
  fields: readonly CustomFieldRule[],
  chosen: readonly ChosenColumn[] | undefined,
  format: ExportFormat,
): ExportColumn[] {
  const ofField = ({ key, type }: CustomFieldRule): ExportColumn => ({
    ...{ key, field: key },
    ...(type === 'date' && { isDay: true }),
  });
  const columnOf = (key: string): ExportColumn =>
    key === 'language' && fields.some((field) => field.key === key)
      ? { key, heading: 'languageCode' }
      : { key };
  if (!chosen) {
    const more = format === 'json' ? keysOf.lastMessage : [];
    return [...[...importColumns, ...more].map(columnOf), ...fields.map(ofField)];
  }
  return [
    { key: 'name' },
    ...chosen.flatMap((column) => {
      const fieldId = fieldOfColumn(column);
      if (fieldId === null) return keysOf[column as ListColumn].map(columnOf);
      return fields.filter(({ id }) => id === fieldId).map(ofField);
    }),
  ];
}

const csv: Format = {
  start: (columns) => `${BYTE_ORDER_MARK}${headingsOf(columns).join(',')}\r\n`,
  end: '',
  write: (contact, _, columns) => {
    const cells = columns.map(({ key, field }) =>
      field === undefined ? cellOf(contact, key) : writeCustomValue(contact.customFields[field] ?? ''),
    );
    return `${cells.map(writeCsvCell).join(',')}\r\n`;
  },
};

function json(at: Date): Format {
  return {
    start: () => `{"version":"1.0","exportDate":${JSON.stringify(at.toISOString())},"contacts":[`,
    end: ']}\n',
    write: (contact, index, columns) => {
      const keys = columns.filter(({ field }) => field === undefined).map(({ key }) => key);
      const written = Object.fromEntries(keys.map((key) => [key, contact[key as keyof Contact]]));
      const fields = columns.flatMap(({ field }) => field ?? []);
      const values = Object.entries(contact.customFields).filter(([key]) => fields.includes(key));
      const custom = fields.length > 0 ? { customFields: Object.fromEntries(values) } : {};
      return `${index === 0 ? '' : ',\n'}${JSON.stringify({ ...written, ...custom })}`;
    },
  };
}

/** What a contact has under this name, as a cell has it. */
function cellOf(contact: Contact, key: string): string {
  const value = contact[key as keyof Contact]; // the names above are its own
  if (Array.isArray(value)) return writeTagCell(value);
  return typeof value === 'string' ? value : '';
}
