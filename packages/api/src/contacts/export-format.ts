import { importColumns } from '@app/domain/contact-imports/contact-import';
import { writeCsvCell } from '@app/domain/contact-imports/csv-cell';
import { writeTagCell } from '@app/domain/contact-imports/tag-cell';
import { writeCustomValue, type CustomFieldRule } from '@app/domain/custom-fields/custom-field';
import type { Contact } from './contacts-queries.ts';

/** How contacts are written so that an import reads them back. */
export type Format = {
  type: string;
  start(fields: readonly CustomFieldRule[]): string;
  end: string;
  write(contact: Contact, index: number, fields: readonly CustomFieldRule[]): string;
};

export function openFormat(name: 'csv' | 'json', at: Date): Format {
  return name === 'csv' ? csv : json(at);
}

const csv: Format = {
  type: 'text/csv; charset=utf-8',
  start: (fields) => `${[...importColumns, ...fields.map(({ key }) => key)].join(',')}\r\n`,
  end: '',
  write: ({ name, phone, email, tags, status, customFields }, _, fields) => {
    const custom = fields.map(({ key }) => writeCustomValue(customFields[key] ?? ''));
    const cells = [name, phone ?? '', email ?? '', writeTagCell(tags), status, ...custom];
    return `${cells.map(writeCsvCell).join(',')}\r\n`;
  },
};

function json(at: Date): Format {
  return {
    type: 'application/json; charset=utf-8',
    start: () => `{"version":"1.0","exportDate":${JSON.stringify(at.toISOString())},"contacts":[`,
    end: ']}\n',
    write: (contact, index, fields) => {
      const { name, phone, email, tags, status, lastMessage, lastMessageTime, customFields } = contact;
      const written = { name, phone, email, tags, status, lastMessage, lastMessageTime };
      const custom = fields.length > 0 ? { customFields } : {};
      return `${index === 0 ? '' : ',\n'}${JSON.stringify({ ...written, ...custom })}`;
    },
  };
}
