import { newId } from '@app/database/new-id';
import { leaveAct } from '../../platform/long-acts/long-act-job.ts';
import { beginAct, findAct } from '../../platform/long-acts/long-act-rows.ts';
import { presentAct, type LongAct } from '../../platform/long-acts/present-act.ts';
import type { SignedInContext } from '../../platform/request-context.ts';
import type { WorkspaceScope } from '../../platform/workspace-scope.ts';
import { findBusy } from './find-busy.ts';
import type { ReadingWish } from './reading-act.ts';
import { endReading, hasOpenAct, lockReading, type StoredReading } from './reading-rows.ts';

type Refused = 'archive_reading_not_found' | 'archive_reading_under_way';
type Busy = 'runs_under_way' | 'acts_under_way';

/** Leaves the act that looks the archive through. Answers with why not where it cannot. */
export async function startCheck(
  scope: WorkspaceScope,
  context: SignedInContext,
  wish: Omit<ReadingWish, 'isBack'>,
): Promise<LongAct | Refused | 'archive_reading_gone'> {
  const reading = await takeReading(scope, wish.readingId);
  if (typeof reading === 'string') return reading;
  if (reading.state !== 'here') return 'archive_reading_gone';
  return begin(scope, context, reading, { kind: 'archive-check', wish: { ...wish, isBack: false } });
}

/** The same for the act that replaces what is here; `isNamed` when the business was typed as it is called. */
export async function startReplacement(
  scope: WorkspaceScope,
  context: SignedInContext,
  { isNamed, ...wish }: Omit<ReadingWish, 'isBack'> & { isNamed: boolean },
): Promise<
  LongAct | Refused | Busy | 'archive_reading_unchecked' | 'archive_reading_gone' | 'data_name_different'
> {
  const reading = await takeReading(scope, wish.readingId);
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
): Promise<LongAct | Refused | Busy | 'archive_reading_not_undoable'> {
  const reading = await takeReading(scope, readingId);
  if (typeof reading === 'string') return reading;
  const { before_bytes: bytes, undone_at: undoneAt, undoable_until: until } = reading;
  if (bytes === null || undoneAt !== null || !until || until <= scope.clock())
    return 'archive_reading_not_undoable';
  const busy = await findBusy(scope);
  const wish = { readingId, sealedPassphrase: null, isBack: true };
  return busy ?? begin(scope, context, reading, { kind: 'archive-replacement', wish });
}

/** The file goes; what was read in of it stays. */
export async function dropReading(
  scope: WorkspaceScope,
  readingId: string,
): Promise<Refused | 'archive_reading_gone' | null> {
  const reading = await takeReading(scope, readingId);
  if (typeof reading === 'string') return reading;
  return (await endReading(scope, readingId)) ? null : 'archive_reading_gone';
}

/** One act at a time: whoever wants another one waits here, and then sees it. */
async function takeReading(scope: WorkspaceScope, id: string): Promise<StoredReading | Refused> {
  await scope.query('SELECT FROM workspaces WHERE id = $1 FOR NO KEY UPDATE', [scope.workspaceId]);
  const reading = await lockReading(scope, id);
  if (!reading) return 'archive_reading_not_found';
  return (await hasOpenAct(scope)) ? 'archive_reading_under_way' : reading;
}

async function begin(
  scope: WorkspaceScope,
  context: SignedInContext,
  reading: StoredReading,
  { kind, wish }: { kind: 'archive-check' | 'archive-replacement'; wish: ReadingWish },
): Promise<LongAct> {
  const { ipAddress, userAgent } = context;
  const id = newId();
  await beginAct(
    scope,
    { ...context, origin: { ipAddress, userAgent } },
    { id, kind, name: reading.file_name, total: Number(reading.bytes), wish },
  );
  await leaveAct(context, scope, kind, id);
  const begun = await findAct(scope, id);
  return presentAct(begun!, { caller: scope.caller, now: scope.clock() }); // in this transaction
}
