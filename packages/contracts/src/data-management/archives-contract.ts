import { LONGEST_PASSPHRASE, SHORTEST_PASSPHRASE } from '@app/domain/data-management/workspace-archive';
import { operationKinds } from '@app/domain/operations/operation-kinds';
import { z } from 'zod';
import { endpoint, id, instant, page } from '../endpoint.ts';
import { operation } from '../operations/operations-contract.ts';

const archive = z.object({
  id,
  bytes: z.number().int(),
  withSecrets: z.boolean(),
  isEncrypted: z.boolean(),
  /** Files that it speaks of and does not hold: the store had lost them. */
  missingFiles: z.number().int(),
  /** Secrets that the key of the installation did not open, and that are not in it. */
  lockedSecrets: z.number().int(),
  by: z.string(),
  createdAt: instant,
  keptUntil: instant,
});

const wish = z
  .strictObject({
    withSecrets: z.boolean(),
    /** Closes the file; nobody can open it without. */
    passphrase: z.string().min(SHORTEST_PASSPHRASE).max(LONGEST_PASSPHRASE).nullable(),
  })
  .refine(({ withSecrets, passphrase }) => passphrase !== null || !withSecrets, {
    path: ['passphrase'],
    message: 'Secrets travel only under a passphrase.',
  });

/** Whoever takes a whole workspace away may read all of it. */
export const archiveAccess = operationKinds['workspace-archive'].access;

export const archivesContract = {
  listArchives: endpoint({
    method: 'GET',
    path: '/data/archives',
    access: 'settings:read',
    summary: 'Whole archives of the workspace that lie ready, newest first',
    input: z.object({}),
    output: page(archive),
  }),
  startArchive: endpoint({
    method: 'POST',
    path: '/data/archives',
    access: [...archiveAccess],
    needsReauthentication: true,
    repeat: 'keyed',
    summary:
      'Writes each table of the workspace and its files into one archive, as an operation; with secrets only under a passphrase, which is forgotten afterwards',
    input: wish,
    output: operation,
    errors: ['archive_under_way', 'too_many_archives'],
  }),
  deleteArchive: endpoint({
    method: 'DELETE',
    path: '/data/archives/{archiveId}',
    access: 'settings:manage',
    repeat: 'keyed',
    summary: 'Deletes an archive for good before its time',
    input: z.object({ archiveId: id }),
    output: z.object({}),
    errors: ['archive_not_found'],
  }),
};
