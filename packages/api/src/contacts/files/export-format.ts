import { importColumns } from '@app/domain/contact-imports/import-headings';
import { BYTE_ORDER_MARK, writeCsvCell } from '@app/domain/contact-imports/csv-cell';
import { writeTagCell } from '@app/domain/contact-imports/tag-cell';
import { fieldOfColumn, type ChosenColumn, type ListColumn } from '@app/domain/contacts/contact-list-layout';
import { writeCustomValue, type CustomFieldRule } from '@app/domain/custom-fields/custom-field';
import type { Contact } from '../contacts-queries.ts';

/** What the file has of each contact; by their keys an import reads most of them back. `heading` stands in for a key that a custom field has. */
export type ExportColumn = { key: string; field?: string; heading?: string };

/** How contacts are written so that an import reads them back. */
export type Format = {
  type: string;
  start(columns: readonly ExportColumn[]): string;
  end: string;
  write(contact: Contact, index: number, columns: readonly ExportColumn[]): string;
};

export function openFormat(name: 'csv' | 'json', at: Date): Format {
  return name === 'csv' ? csv : json(at);
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
  format: 'csv' | 'json',
): ExportColumn[] {
  const ofField = ({ key }: CustomFieldRule): ExportColumn => ({ key, field: key });
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
  type: 'text/csv; charset=utf-8',
  start: (columns) => `${BYTE_ORDER_MARK}${columns.map(({ key, heading = key }) => heading).join(',')}\r\n`,
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
    type: 'application/json; charset=utf-8',
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
