import { z } from 'zod';
import { importLimits } from '@app/domain/contact-imports/contact-import';
import { phoneCountries } from '@app/domain/contacts/phone-country';
import { operationStates } from '@app/domain/operations/operation-state';
import { endpoint, id, instant, page, pageInput, readsOnly } from '../endpoint.ts';

const problemValues = z.record(z.string(), z.union([z.string(), z.number()]));

export const contactImport = z.object({
  id,
  fileName: z.string(),
  /** That of its act (`GET /long-acts/{id}` tells how far it is), or that it was taken back. */
  state: z.enum([...operationStates, 'undone']),
  /** A dry run only tells what would happen. */
  isDryRun: z.boolean(),
  /** Why nothing was imported. */
  problem: z.object({ code: z.string(), values: problemValues }).nullable(),
  /** The same in English. */
  reason: z.string().nullable(),
  successful: z.number(),
  /** How many of the successful rows changed a contact that was already there. */
  updated: z.number(),
  /** Of those that were added: opted out before, which holds. */
  optedOut: z.number(),
  /** Of whom the file says that they do not want marketing, or that they do. */
  optOuts: z.number(),
  optIns: z.number(),
  /**
   * Rows whose number can be read as one of the country and, by its first digits, as one of another; without a country all whose number has
   * neither plus nor 00 and was read by its first digits.
   */
  twofold: z.number(),
  failed: z.number(),
  /** They can be downloaded as they were: `GET /contacts/imports/{importId}/failed-rows`. */
  hasFailedRows: z.boolean(),
  total: z.number(),
  /** In which letters the file was read, such as `utf-8` or `windows-1252`; null while nobody knows. */
  encoding: z.string().nullable(),
  createdAt: instant,
});

const one = z.object({ importId: id });

export const contactImportsContract = {
  list: endpoint({
    method: 'GET',
    path: '/contacts/imports',
    access: 'contacts:create',
    forKeys: true,
    summary: 'The ten newest imports',
    input: z.object({}),
    output: page(contactImport),
  }),
  get: endpoint({
    method: 'GET',
    path: '/contacts/imports/{importId}',
    access: 'contacts:create',
    forKeys: true,
    summary: 'What came of an import',
    input: one,
    output: contactImport,
    errors: ['contact_import_not_found'],
  }),
  listErrors: endpoint({
    method: 'GET',
    path: '/contacts/imports/{importId}/errors',
    access: 'contacts:create',
    forKeys: true,
    summary: 'The rows that were not imported, in the order of the file',
    input: pageInput.extend({ importId: id, code: z.string().max(100).optional() }),
    output: page(z.object({ row: z.number(), code: z.string(), values: problemValues, message: z.string() })),
    errors: ['contact_import_not_found'],
  }),
  listReasons: endpoint({
    method: 'GET',
    path: '/contacts/imports/{importId}/reasons',
    access: 'contacts:create',
    forKeys: true,
    summary:
      'Why rows were not imported, and how many of those that are kept for each reason, the most frequent first',
    input: one,
    output: page(z.object({ code: z.string(), values: problemValues, rows: z.number() })),
    errors: ['contact_import_not_found'],
  }),
  readStart: endpoint({
    method: 'POST',
    path: '/contacts/imports/start',
    access: 'contacts:create',
    repeat: readsOnly,
    summary:
      'In which letters a text file is written, and the first of its cards where it is a file of vCards',
    input: z.strictObject({
      /** The beginning of the file (base64), at most 64 kB of it. */
      start: z.base64().max(100_000),
      /** In which letters cards are read; otherwise as they are guessed. */
      encoding: z.string().max(40).optional(),
    }),
    output: z.object({
      encoding: z.string(),
      /** The file says so itself, or its bytes can be nothing else. */
      isCertain: z.boolean(),
      /** All in which it can be read, the likely ones first, with words of the file that differ between them. */
      possible: z.array(z.object({ encoding: z.string(), examples: z.array(z.string()) })),
      /** Headings and the first cards as rows; null for any other file. */
      cards: z.array(z.array(z.string())).nullable(),
    }),
  }),
  readNumbers: endpoint({
    method: 'POST',
    path: '/contacts/imports/numbers',
    access: 'contacts:create',
    repeat: readsOnly,
    summary:
      'Which numbers without + can be read in two ways: as those of a country, and as those of another with its code',
    input: z.strictObject({
      country: z.enum(phoneCountries),
      numbers: z.array(z.string().max(100)).max(importLimits.numbersAsked),
    }),
    output: z.object({
      twofold: z.number(),
      /** The first few, as both. */
      examples: z.array(z.object({ written: z.string(), home: z.string(), international: z.string() })),
    }),
  }),
  undo: endpoint({
    method: 'POST',
    path: '/contacts/imports/{importId}/undo',
    access: ['contacts:update', 'contacts:delete'],
    forKeys: true,
    repeat: 'keyed',
    work: 'long',
    summary: 'Takes a whole import back; contacts that were edited or wrote since stay as they are',
    input: one,
    output: z.object({ removed: z.number(), restored: z.number(), kept: z.number() }),
    errors: ['contact_import_not_found', 'contact_import_not_undoable'],
  }),
};
