import { z } from 'zod';
import { endpoint, id, instant, page, pageInput } from '../endpoint.ts';

export const contactImport = z.object({
  id,
  fileName: z.string(),
  state: z.enum(['running', 'cancelling', 'done', 'failed', 'cancelled', 'undone']),
  /** A dry run only tells what would happen. */
  isDryRun: z.boolean(),
  /** Why nothing was imported, in plain words. */
  reason: z.string().nullable(),
  phase: z.enum(['reading', 'saving']),
  receivedBytes: z.number(),
  /** Null when the sender did not say how much it sends. */
  totalBytes: z.number().nullable(),
  rows: z.number(),
  successful: z.number(),
  /** How many of the successful rows changed a contact that was already there. */
  updated: z.number(),
  /** Of those that were added: opted out before, which holds. */
  optedOut: z.number(),
  /** Of whom the file says that they do not want marketing, or that they do. */
  optOuts: z.number(),
  optIns: z.number(),
  failed: z.number(),
  /** They can be downloaded as they were: `GET /contacts/imports/{importId}/failed-rows`. */
  hasFailedRows: z.boolean(),
  total: z.number(),
  createdAt: instant,
});

const one = z.object({ importId: id });

export const contactImportsContract = {
  list: endpoint({
    method: 'GET',
    path: '/contacts/imports',
    access: 'contacts:create',
    summary: 'The ten newest imports',
    input: z.object({}),
    output: page(contactImport),
  }),
  get: endpoint({
    method: 'GET',
    path: '/contacts/imports/{importId}',
    access: 'contacts:create',
    summary: 'How far an import is, or what came of it',
    input: one,
    output: contactImport,
    errors: ['contact_import_not_found'],
  }),
  listErrors: endpoint({
    method: 'GET',
    path: '/contacts/imports/{importId}/errors',
    access: 'contacts:create',
    summary: 'The rows that were not imported, in the order of the file',
    input: pageInput.extend({ importId: id }),
    output: page(z.object({ row: z.number(), message: z.string() })),
    errors: ['contact_import_not_found'],
  }),
  cancel: endpoint({
    method: 'POST',
    path: '/contacts/imports/{importId}/cancel',
    access: 'contacts:create',
    repeat: { harmless: 'A stopped import stays stopped.' },
    summary: 'Stops a running import; nothing of it stays',
    input: one,
    output: contactImport,
    errors: ['contact_import_not_found'],
  }),
  undo: endpoint({
    method: 'POST',
    path: '/contacts/imports/{importId}/undo',
    access: ['contacts:update', 'contacts:delete'],
    repeat: 'keyed',
    work: 'long',
    summary: 'Takes a whole import back; contacts that were edited or wrote since stay as they are',
    input: one,
    output: z.object({ removed: z.number(), restored: z.number(), kept: z.number() }),
    errors: ['contact_import_not_found', 'contact_import_not_undoable'],
  }),
};
