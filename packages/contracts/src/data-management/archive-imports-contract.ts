import { archiveCounts } from '@app/domain/data-management/archive-import';
import { LONGEST_PASSPHRASE } from '@app/domain/data-management/workspace-archive';
import { operationKinds } from '@app/domain/operations/operation-kinds';
import { z } from 'zod';
import { endpoint, id, instant, page } from '../endpoint.ts';
import { operation } from '../operations/operations-contract.ts';

const whole = z.number().int();
const counts = z.object(
  Object.fromEntries(archiveCounts.map((kind) => [kind, whole])) as Record<
    (typeof archiveCounts)[number],
    typeof whole
  >,
);

/** What was found in an archive, before anything is replaced by it. */
export const archiveReport = z.object({
  /** The business that it is of. */
  name: z.string(),
  holds: counts,
  fileBytes: whole,
  /** What opens its numbers; without, they are connected anew. */
  hasSecrets: z.boolean(),
  /** Who was of it; their notes, drafts and teams come along where they are of this workspace, by their e-mail. */
  people: z.array(z.object({ name: z.string(), email: z.string(), isHere: z.boolean() })),
  /** What is here, and goes. */
  replaces: counts,
});

export const archiveReading = z.object({
  id,
  fileName: z.string(),
  /** `receiving`: its file arrives; `here`: it can be looked through and read in; `over`: the file is gone. */
  state: z.enum(['receiving', 'here', 'over']),
  bytes: whole,
  isEncrypted: z.boolean(),
  by: z.string(),
  /** When the archive was written; null until its file is here. */
  takenAt: instant.nullable(),
  /** Null until it was looked through. */
  report: archiveReport.nullable(),
  createdAt: instant,
  /** Null until what was here was replaced by it. */
  replacedAt: instant.nullable(),
  /** Null where what was here before cannot be had back. */
  undoableUntil: instant.nullable(),
  undoneAt: instant.nullable(),
});

const one = z.object({ readingId: id });
/** Closes the file; null for an open one. */
const passphrase = z.string().min(1).max(LONGEST_PASSPHRASE).nullable();

export const checkAccess = operationKinds['archive-check'].access;
const replaceAccess = operationKinds['archive-replacement'].access;

export const archiveReadingsContract = {
  listArchiveReadings: endpoint({
    method: 'GET',
    path: '/data/archive-readings',
    access: 'settings:manage',
    summary:
      'Archives that came to be read in, newest first: at most one whose file is here, and those that were read in',
    input: z.object({}),
    output: page(archiveReading),
  }),
  checkArchive: endpoint({
    method: 'POST',
    path: '/data/archive-readings/{readingId}/check',
    access: [...checkAccess],
    needsReauthentication: true,
    repeat: 'keyed',
    summary:
      'Looks an archive through from end to end, as an operation: what it holds, whose it is and what it would replace. Nothing changes',
    input: one.extend({ passphrase }),
    output: operation,
    errors: ['archive_reading_not_found', 'archive_reading_gone', 'archive_reading_under_way'],
  }),
  replaceByArchive: endpoint({
    method: 'POST',
    path: '/data/archive-readings/{readingId}/replace',
    access: [...replaceAccess],
    needsReauthentication: true,
    repeat: 'keyed',
    summary:
      'Puts an archive that was looked through in the place of what the workspace holds, as an operation, all or nothing. Nothing that was under way goes on by itself; what was here can be had back for seven days',
    input: one.extend({ passphrase, name: z.string().max(1000) }),
    output: operation,
    errors: [
      ...(['archive_reading_not_found', 'archive_reading_under_way', 'archive_reading_unchecked'] as const),
      'archive_reading_gone',
      ...(['data_name_different', 'acts_under_way', 'runs_under_way'] as const),
    ],
  }),
  undoArchive: endpoint({
    method: 'POST',
    path: '/data/archive-readings/{readingId}/undo',
    access: [...replaceAccess],
    needsReauthentication: true,
    repeat: 'keyed',
    summary:
      'Brings back what the workspace held before an archive was read in, as an operation, all or nothing',
    input: one,
    output: operation,
    errors: [
      ...([
        'archive_reading_not_found',
        'archive_reading_under_way',
        'archive_reading_not_undoable',
      ] as const),
      ...(['acts_under_way', 'runs_under_way'] as const),
    ],
  }),
  dropArchiveReading: endpoint({
    method: 'DELETE',
    path: '/data/archive-readings/{readingId}',
    access: 'settings:manage',
    repeat: 'keyed',
    summary: 'Deletes the file of an archive that came to be read in; what was read in stays',
    input: one,
    output: z.object({}),
    errors: ['archive_reading_not_found', 'archive_reading_gone', 'archive_reading_under_way'],
  }),
};
