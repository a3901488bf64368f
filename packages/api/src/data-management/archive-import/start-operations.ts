import { newId } from '@app/database/new-id';
import { enqueueOperation } from '../../platform/operations/operation-job.ts';
import { beginOperation, findOperation } from '../../platform/operations/operation-rows.ts';
import { presentOperation, type Operation } from '../../platform/operations/present-operation.ts';
import type { SignedInContext } from '../../platform/request-context.ts';
import type { WorkspaceScope } from '../../platform/workspace-scope.ts';
import { findBusy } from './find-busy.ts';
import type { ArchiveImportWish } from './archive-import-operation.ts';
import {
  endArchiveImport,
  hasOpenOperation,
  lockArchiveImport,
  type StoredArchiveImport,
} from './archive-import-rows.ts';

type Refused = 'archive_reading_not_found' | 'archive_reading_under_way';
type Busy = 'runs_under_way' | 'acts_under_way';

/** Leaves the act that looks the archive through. Answers with why not where it cannot. */
export async function startCheck(
  scope: WorkspaceScope,
  context: SignedInContext,
  wish: Omit<ArchiveImportWish, 'isBack'>,
): Promise<Operation | Refused | 'archive_reading_gone'> {
  const reading = await takeArchiveImport(scope, wish.readingId);
  if (typeof reading === 'string') return reading;
  if (reading.state !== 'here') return 'archive_reading_gone';
  return begin(scope, context, reading, { kind: 'archive-check', wish: { ...wish, isBack: false } });
}

/** The same for the act that replaces what is here; `isNamed` when the business was typed as it is called. */
export async function startReplacement(
  scope: WorkspaceScope,
  context: SignedInContext,
  { isNamed, ...wish }: Omit<ArchiveImportWish, 'isBack'> & { isNamed: boolean },
): Promise<
  Operation | Refused | Busy | 'archive_reading_unchecked' | 'archive_reading_gone' | 'data_name_different'
> {
  const reading = await takeArchiveImport(scope, wish.readingId);
  if (typeof reading === 'string') return reading;
  if (reading.state !== 'here') return 'archive_reading_gone';
  if (!isNamed) return 'data_name_different';
  if (!reading.report) return 'archive_reading_unchecked';
  const busy = await findBusy(scope);
  return (
    busy ?? begin(scope, context, reading, { kind: 'archive-replacement', wish: { ...wish, isBack: false } })
  );
}

/** The same for the act that brings back what was here. */
export async function startUndo(
  scope: WorkspaceScope,
  context: SignedInContext,
  readingId: string,
): Promise<Operation | Refused | Busy | 'archive_reading_not_undoable'> {
  const reading = await takeArchiveImport(scope, readingId);
  if (typeof reading === 'string') return reading;
  const { before_bytes: bytes, undone_at: undoneAt, undoable_until: until } = reading;
  if (bytes === null || undoneAt !== null || !until || until <= scope.clock())
    return 'archive_reading_not_undoable';
  const busy = await findBusy(scope);
  const wish = { readingId, sealedPassphrase: null, isBack: true };
  return busy ?? begin(scope, context, reading, { kind: 'archive-replacement', wish });
}

/** The file goes; what was read in of it stays. */
export async function dropArchiveImport(
  scope: WorkspaceScope,
  readingId: string,
): Promise<Refused | 'archive_reading_gone' | null> {
  const reading = await takeArchiveImport(scope, readingId);
  if (typeof reading === 'string') return reading;
  return (await endArchiveImport(scope, readingId)) ? null : 'archive_reading_gone';
}

/** One act at a time: whoever wants another one waits here, and then sees it. */
async function takeArchiveImport(scope: WorkspaceScope, id: string): Promise<StoredArchiveImport | Refused> {
  await scope.query('SELECT FROM workspaces WHERE id = $1 FOR NO KEY UPDATE', [scope.workspaceId]);
  const reading = await lockArchiveImport(scope, id);
  if (!reading) return 'archive_reading_not_found';
  return (await hasOpenOperation(scope)) ? 'archive_reading_under_way' : reading;
}

async function begin(
  scope: WorkspaceScope,
  context: SignedInContext,
  reading: StoredArchiveImport,
  { kind, wish }: { kind: 'archive-check' | 'archive-replacement'; wish: ArchiveImportWish },
): Promise<Operation> {
  const { ipAddress, userAgent } = context;
  const id = newId();
  await beginOperation(
    scope,
    { ...context, origin: { ipAddress, userAgent } },
    { id, kind, name: reading.file_name, total: Number(reading.bytes), wish },
  );
  await enqueueOperation(context, scope, kind, id);
  const begun = await findOperation(scope, id);
  return presentOperation(begun!, { caller: scope.caller, now: scope.clock() }); // in this transaction
}
