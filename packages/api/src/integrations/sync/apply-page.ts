import type { RunCount, RunCounts } from '@app/domain/integrations/integration-rules';
import type { Contact } from '../../contacts/contacts-queries.ts';
import { lockIdentifiers } from '../../platform/erased-people.ts';
import type { WorkspaceScope } from '../../platform/workspace-scope.ts';
import { applyAll, findChanging, type Planned, type ToSend } from './apply-records.ts';
import type { Room } from './contact-room.ts';
import { findMatches } from './find-matches.ts';
import type { Sync } from './open-sync.ts';
import { contactOf, planRecord, readValues } from './plan-record.ts';
import type { RecordRow } from './record-row.ts';
import { failAll, holdAll } from './settle-records.ts';

export type AppliedPage = { counts: Partial<RunCounts>; toSend: ToSend[] };

/**
 * Applies records whose rows are locked, with a number of statements that does not depend on how many they are. What touches another of them, such as
 * a number that two of them have, is applied one by one. One that the database refuses never takes its neighbours along. Without a room nobody is
 * added: such records go on waiting.
 */
export async function applyPage(
  scope: WorkspaceScope,
  sync: Sync,
  rows: readonly RecordRow[],
  room: Room | null,
): Promise<AppliedPage> {
  // Other transactions that add or erase one of these numbers wait. All lock in one order, so that no two wait for each other.
  await lockIdentifiers(scope, scope.workspaceId, numbersOf(sync, rows));
  const find = await findMatches(scope, sync, rows);
  const planned = rows
    .map((row) => ({ row, plan: planRecord(find, sync, row) }))
    .filter(({ plan }) => room !== null || plan.action !== 'created');
  const outdated = await lockOutdated(
    scope,
    planned.flatMap((one) => findChanging(scope, sync, one) ?? []),
  );
  const named = Map.groupBy(planned, ({ plan }) => contactOf(plan)?.id);
  const isAlone = ({ row, plan }: Planned): boolean => {
    const contact = contactOf(plan);
    if (find.isShared(row)) return true;
    if (!contact) return false;
    // A new number is compared with what the others have by then.
    const isMoving = 'values' in plan && Object.hasOwn(plan.values, 'phone');
    return isMoving || outdated.has(contact.id) || (named.get(contact.id)?.length ?? 0) > 1;
  };
  const alone = planned.filter(isAlone).map(({ row }) => row);
  const together = planned.filter((one) => !isAlone(one));
  const applied: AppliedPage = { counts: {}, toSend: [] };
  alone.push(...(await applyTogether(scope, sync, together, { room, applied })));
  for (const row of alone) {
    const { counted, toSend } = await applyAlone(scope, sync, row, room);
    count(applied.counts, counted);
    applied.toSend.push(...toSend);
  }
  return applied;
}

/** Answers with those that have to be applied alone. Where the database refuses one of them, they are parted until it is found. */
async function applyTogether(
  scope: WorkspaceScope,
  sync: Sync,
  planned: readonly Planned[],
  { room, applied }: { room: Room | null; applied: AppliedPage },
): Promise<RecordRow[]> {
  const [first] = planned;
  if (!first) return [];
  if (planned.length === 1) return [first.row];
  const creating = planned.filter(({ plan }) => plan.action === 'created');
  const held = creating.slice(Math.min(creating.length, room?.left() ?? 0)).map(({ row }) => row);
  const isHeld = new Set(held.map(({ id }) => id));
  const wanted = planned.filter(({ row }) => !isHeld.has(row.id));
  // `applyPage` locked the numbers of the page before it looked for them.
  const done = await unlessRefused(scope, () => applyAll(scope, sync, wanted, { areFree: true }));
  if ('refusedFor' in done) {
    const half = Math.ceil(planned.length / 2);
    return [
      ...(await applyTogether(scope, sync, planned.slice(0, half), { room, applied })),
      ...(await applyTogether(scope, sync, planned.slice(half), { room, applied })),
    ];
  }
  await holdAll(scope, held);
  applied.toSend.push(...done.toSend);
  count(applied.counts, done.counted);
  for (const _ of held) count(applied.counts, ['held']);
  takeRoom(room, done.counted);
  return [];
}

/** What the database refuses of one record, such as a text that no row can hold, is an error of that record; its neighbours go on. */
async function applyAlone(
  scope: WorkspaceScope,
  sync: Sync,
  row: RecordRow,
  room: Room | null,
): Promise<{ counted: RunCount[]; toSend: ToSend[] }> {
  const done = await unlessRefused(scope, async () => {
    const planned = await planAlone(scope, sync, row);
    if (planned.plan.action !== 'created' || (room?.left() ?? 0) > 0)
      return applyAll(scope, sync, [planned], { areFree: false });
    if (room === null) return { counted: [], toSend: [] };
    await holdAll(scope, [row]);
    return { counted: ['held' as const], toSend: [] };
  });
  if (!('refusedFor' in done)) {
    takeRoom(room, done.counted);
    return done;
  }
  await failAll(scope, [{ id: row.id, error: 'value_invalid', detail: done.refusedFor, saysOptOut: false }]);
  return { counted: ['failed'], toSend: [] };
}

/** Where a person was faster, the contact is compared as it is now. Otherwise their edit would count as agreed. */
async function planAlone(scope: WorkspaceScope, sync: Sync, row: RecordRow): Promise<Planned> {
  const planned = { row, plan: planRecord(await findMatches(scope, sync, [row]), sync, row) };
  const changing = findChanging(scope, sync, planned);
  const isOutdated = changing !== null && (await lockOutdated(scope, [changing])).size > 0;
  return isOutdated ? planAlone(scope, sync, row) : planned;
}

/** Undoes what the database refused because of its data, and says the code; every other error goes on. */
async function unlessRefused<Result extends object>(
  scope: WorkspaceScope,
  work: () => Promise<Result>,
): Promise<Result | { refusedFor: string }> {
  await scope.query('SAVEPOINT of_records', []);
  try {
    const result = await work();
    await scope.query('RELEASE SAVEPOINT of_records', []);
    return result;
  } catch (error) {
    const code = codeOf(error);
    if (!/^2[23]/.test(code)) throw error;
    await scope.query('ROLLBACK TO SAVEPOINT of_records', []);
    await scope.query('RELEASE SAVEPOINT of_records', []);
    return { refusedFor: code };
  }
}

function codeOf(error: unknown): string {
  for (let at = error; at instanceof Error; at = at.cause)
    if ('code' in at && typeof at.code === 'string') return at.code;
  return '';
}

/** Locks contacts that are about to change, all in one order. Answers with those that are not as they were read. */
async function lockOutdated(
  scope: WorkspaceScope,
  contacts: readonly Contact[],
): Promise<ReadonlySet<string>> {
  if (contacts.length === 0) return new Set();
  const { rows } = await scope.query<{ id: string; version: number }>(
    `SELECT id, version FROM contacts WHERE workspace_id = $1 AND id = ANY ($2::uuid[]) ORDER BY id FOR NO KEY UPDATE`,
    [scope.workspaceId, contacts.map(({ id }) => id)],
  );
  const versions = new Map(rows.map(({ id, version }) => [id, version]));
  return new Set(contacts.filter(({ id, version }) => versions.get(id) !== version).map(({ id }) => id));
}

function numbersOf(sync: Sync, rows: readonly RecordRow[]): string[] {
  return rows.flatMap((row) => readValues(sync, row).values['phone'] ?? []);
}

function takeRoom(room: Room | null, counted: readonly RunCount[]): void {
  for (const name of counted) if (name === 'created') room?.take();
}

export function count(counts: Partial<RunCounts>, names: readonly RunCount[]): void {
  for (const name of names) counts[name] = (counts[name] ?? 0) + 1;
}
