import {
  isColumn,
  layoutLimits,
  listDensities,
  type ChosenColumn,
} from '@app/domain/contacts/contact-list-layout';
import { z } from 'zod';
import { endpoint } from '../endpoint.ts';

export const listColumn = z
  .string()
  .max(60)
  .refine((word): word is ChosenColumn => isColumn(word), 'There is no such column.');

export const listColumns = z
  .array(listColumn)
  .max(layoutLimits.columns)
  .refine((columns) => new Set(columns).size === columns.length, 'A column is named twice.');

/** The columns behind the name in their order; those of custom fields that are gone are left out by whoever shows them. */
const layout = z.object({ columns: listColumns, density: z.enum(listDensities) });

export const contactLayoutContract = {
  get: endpoint({
    method: 'GET',
    path: '/contact-layout',
    access: 'contacts:read',
    summary: 'Columns and density of the list of contacts, as the caller chose them for this workspace',
    input: z.object({}),
    output: layout,
  }),
  save: endpoint({
    method: 'PUT',
    path: '/contact-layout',
    access: 'contacts:read',
    repeat: { harmless: 'It sets a whole value.' },
    summary: 'Keeps columns and density of the list of contacts for the caller in this workspace',
    input: z.strictObject(layout.shape),
    output: layout,
  }),
};
