import {
  adoptionOutcomes,
  importPreferences,
  importSections,
  replacedCounts,
} from '@app/domain/data-management/data-import';
import { retentionChoices } from '@app/domain/data-management/retention';
import { operationStates } from '@app/domain/operations/operation-state';
import { generalLimits, readBusinessName } from '@app/domain/settings/general-settings';
import { z } from 'zod';
import { archiveReadingsContract } from './archive-imports-contract.ts';
import { archivesContract } from './archives-contract.ts';
import { endpoint, id, instant, page, readsOnly, versioned } from '../endpoint.ts';
import { operation } from '../operations/operations-contract.ts';

const whole = z.number().int();

/** Of one kind of thing in a file; `kept` differs here and stays as it is here. */
const counts = z.object({
  added: whole,
  changed: whole,
  same: whole,
  kept: whole,
  refused: whole,
});

export const dataImport = z.object({
  id,
  fileName: z.string(),
  /** That of its act, or that it was taken back. */
  state: z.enum([...operationStates, 'undone']),
  /** Why nothing was imported. */
  problem: z
    .object({
      code: z.string(),
      values: z.record(z.string(), z.union([z.string(), z.number()])),
    })
    .nullable(),
  prefers: z.enum(importPreferences),
  /** The file took the place of what was here, or would; it is taken back by `undoArchive` under the id of the import. */
  replaces: z.boolean(),
  /** A try only tells what would happen. */
  isDryRun: z.boolean(),
  /** Null until it is done. */
  report: z
    .object({
      ...{
        contacts: counts,
        customFields: counts,
        templates: counts,
        campaigns: counts,
        settings: counts,
      },
      /** People of the file who get no marketing from then on. */
      optOuts: whole,
      /** What goes where the file takes its place; else null. */
      goes: z
        .object(
          Object.fromEntries(replacedCounts.map((kind) => [kind, whole])) as Record<
            (typeof replacedCounts)[number],
            typeof whole
          >,
        )
        .nullable(),
      /** The first fifty of each kind but contacts that were not simply added; of contacts `GET /contacts/imports/{importId}/errors` tells. */
      items: z.array(
        z.object({
          section: z.enum(importSections),
          row: whole,
          name: z.string(),
          outcome: z.enum(adoptionOutcomes),
          problem: z.string().nullable(),
        }),
      ),
    })
    .nullable(),
  createdAt: instant,
  /** Null where it cannot be taken back. */
  undoableUntil: instant.nullable(),
});

/** Days; null: until somebody deletes it. */
const retention = z.strictObject({
  messages: z.literal(retentionChoices.messages).nullable(),
  /** Of messages, which go with them at the latest. */
  files: z.literal(retentionChoices.files).nullable(),
  audit: z.literal(retentionChoices.audit).nullable(),
  /** Calls of platforms, and what they told beside messages. */
  logs: z.literal(retentionChoices.logs).nullable(),
});
const version = z.number().int().min(0).max(2_000_000_000);

const oneImport = z.object({ importId: id });

export const dataManagementContract = {
  ...archivesContract,
  ...archiveReadingsContract,
  listBackups: endpoint({
    method: 'GET',
    path: '/data/backups',
    access: 'settings:manage',
    summary: 'Backups that the product takes of the whole installation by itself, newest first',
    input: z.object({}),
    output: page(
      z.object({
        id,
        state: z.enum(['running', 'done', 'failed']),
        /** It was read from end to end where it lies. */
        isVerified: z.boolean(),
        /** It was restored into a database of its own too, and each table compared. */
        isRestored: z.boolean(),
        bytes: whole,
        error: z.string().nullable(),
        startedAt: instant,
      }),
    ).extend({
      /** Null where the operator has named no place for them. */
      plan: z
        .object({
          everyHours: whole,
          keep: whole,
          place: z.enum(['disk', 'bucket']),
          isEncrypted: z.boolean(),
        })
        .nullable(),
    }),
  }),
  listImports: endpoint({
    method: 'GET',
    path: '/data/imports',
    access: 'settings:manage',
    summary: 'The newest imports of whole files of data',
    input: z.object({}),
    output: page(dataImport),
  }),
  getImport: endpoint({
    method: 'GET',
    path: '/data/imports/{importId}',
    access: 'settings:manage',
    summary: 'What came of an import, or would',
    input: oneImport,
    output: dataImport,
    errors: ['contact_import_not_found'],
  }),
  undoImport: endpoint({
    method: 'POST',
    path: '/data/imports/{importId}/undo',
    access: ['settings:manage', 'contacts:update', 'contacts:delete', 'templates:delete', 'campaigns:delete'],
    repeat: 'keyed',
    work: 'long',
    summary: 'Takes a whole import back within 30 days; what was touched since stays as it is',
    input: oneImport,
    output: z.object({ removed: whole, restored: whole, kept: whole }),
    errors: ['contact_import_not_found', 'contact_import_not_undoable'],
  }),
  summarize: endpoint({
    method: 'GET',
    path: '/data',
    access: 'settings:manage',
    summary: 'What the workspace holds, and its name as it is typed before all of that is cleared',
    input: z.object({}),
    output: z.object({
      name: z.string(),
      contacts: whole,
      templates: whole,
      campaigns: whole,
    }),
  }),
  getRetention: endpoint({
    method: 'GET',
    path: '/data/retention',
    access: 'settings:read',
    summary: 'How long the workspace keeps what',
    input: z.object({}),
    output: retention.extend({ version }),
  }),
  previewRetention: endpoint({
    method: 'POST',
    path: '/data/retention/preview',
    access: 'settings:manage',
    repeat: readsOnly,
    work: 'long',
    summary: 'What would be deleted if these times were saved now; nothing is',
    input: retention,
    output: z.object({
      messages: whole,
      files: whole,
      fileBytes: whole,
      audit: whole,
      logs: whole,
    }),
  }),
  updateRetention: endpoint({
    method: 'PUT',
    path: '/data/retention',
    access: 'settings:manage',
    needsReauthentication: true,
    repeat: versioned,
    work: 'long',
    summary:
      'Sets how long the workspace keeps what. Where that deletes something, the name of the business is asked for; what is gone does not come back',
    input: retention.extend({ version, name: z.string().max(1000).optional() }),
    output: retention.extend({ version }),
    errors: ['settings_changed', 'data_name_different'],
  }),
  startExport: endpoint({
    method: 'POST',
    path: '/data/exports',
    access: ['settings:manage', 'contacts:read', 'templates:read', 'campaigns:read'],
    needsReauthentication: true,
    repeat: 'keyed',
    work: 'long',
    summary:
      'Writes contacts, templates, campaigns and settings into one JSON file, as an operation: what is small is ready with the answer, and kept for a day',
    input: z.object({}),
    output: operation,
  }),
  clear: endpoint({
    method: 'POST',
    path: '/data/clear',
    access: 'settings:manage',
    needsReauthentication: true,
    repeat: 'keyed',
    work: 'long',
    summary:
      'Deletes all contacts, conversations, templates, campaigns and files for good, as an operation, and sets the settings to their defaults; people and the audit log stay',
    input: z.object({ name: z.string().max(1000) }),
    output: operation,
    errors: ['data_name_different'],
  }),
  previewStart: endpoint({
    method: 'GET',
    path: '/data/start-for-real',
    access: ['settings:manage', 'users:delete'],
    summary: 'What `POST /data/start-for-real` would ask of whoever calls, and which accounts would go',
    input: z.object({}),
    output: z.object({
      /** Everybody can open the caller's account: the act asks who they are. */
      needsOwner: z.boolean(),
      /** Addresses of accounts that go, beside those that came with the sample: their password is still the sample's. */
      leaving: z.array(z.string()),
      /** Imports into the sample whose contacts are still there, newest first: the request decides about each. */
      imports: z.array(z.object({ id, fileName: z.string(), contacts: whole, createdAt: instant })),
    }),
    errors: ['sample_gone'],
  }),
  startForReal: endpoint({
    method: 'POST',
    path: '/data/start-for-real',
    access: ['settings:manage', 'users:delete'],
    needsReauthentication: true,
    repeat: 'keyed',
    work: 'long',
    summary:
      'Makes the sample workspace that of a business: clears it as `POST /data/clear` does, and takes away its accounts and all others whose password is still that of the sample, their sessions and all invitations. A user who is signed in with one of these accounts names the new owner (`owner`) with another password, and continues as that owner. Contacts of imports can be kept (`imports`), with their tags, custom fields and consent',
    input: z.object({
      name: z.string().max(1000),
      businessName: z
        .string()
        .max(1000)
        .transform(readBusinessName)
        .pipe(z.string().max(generalLimits.businessName)),
      owner: z
        .object({
          firstName: z.string().max(1000),
          lastName: z.string().max(1000),
          email: z.string().max(1000),
          password: z.string().max(1000),
        })
        .optional(),
      /** For each import of the preview whether its contacts are kept; a contact of two files is kept if one of them is. */
      imports: z
        .array(z.strictObject({ importId: id, keep: z.boolean() }))
        .max(10_000)
        .default([]),
    }),
    output: operation,
    errors: [
      ...(['sample_gone', 'data_name_different', 'profile_invalid', 'email_taken'] as const),
      ...(['user_elsewhere', 'user_above', 'last_admin', 'imports_undecided'] as const),
    ],
  }),
};
