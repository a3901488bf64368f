import { foldContactCounts } from '@app/database/contacts/count-contacts';
import type { contactRemoval } from '@app/contracts/contact-removals/contact-removals-contract';
import { bindTo } from '@app/database/bind-value';
import type { SqlQueries } from '@app/database/sql-queries';
import { actorOf, personOf, systemCaller, type Caller } from '@app/domain/auth/caller';
import type { z } from 'zod';
import { choiceSql, type FrozenChoice } from '../contacts/contact-choice.ts';
import { KEPT_FOR_MS, removeContacts, restoreContacts } from '../contacts/deleted-contacts.ts';
import type { Fingerprints } from '../platform/erased-people.ts';
import type { ReadScope, WorkspaceScope } from '../platform/workspace-scope.ts';

export type ContactRemoval = z.infer<typeof contactRemoval>;

type RemovalRow = {
  id: string;
  state: ContactRemoval['state'];
  total: number;
  removed: number;
  restored: number;
  started_at: Date;
};

const columns = 'id, state, total, removed, restored, started_at';
const NOBODY = '00000000-0000-0000-0000-000000000000';
const REMOVED_AT_ONCE = 1_000;
/** Fewer, because each number is locked against a person who is erased meanwhile. */
const RESTORED_AT_ONCE = 500;

/** Keeps the wish alone; nothing is deleted yet. The same id again changes nothing. */
export async function beginRemoval(
  scope: WorkspaceScope,
  { removalId, choice }: { removalId: string; choice: FrozenChoice },
): Promise<void> {
  const { workspaceId } = scope;
  const values: unknown[] = [];
  const bind = bindTo(values);
  const { rows } = await scope.query<{ total: number }>(
    `SELECT count(*)::int AS total FROM contacts c WHERE c.workspace_id = ${bind(workspaceId, 'uuid')} AND ${choiceSql(choice, bind)}`,
    values,
  );
  await scope.query(
    `INSERT INTO contact_removals (id, workspace_id, user_id, user_name, choice, total, started_at, touched_at)
     VALUES ($1, $2, $3, $4, $5, $6, $7, $7) ON CONFLICT DO NOTHING`,
    [
      ...[removalId, workspaceId, ...wisher(scope)],
      ...[JSON.stringify(choice), rows[0]?.total ?? 0, scope.clock()],
    ],
  );
}

export async function findRemoval(scope: ReadScope, removalId: string): Promise<ContactRemoval | null> {
  const { rows } = await scope.query<RemovalRow>(
    `SELECT ${columns} FROM contact_removals WHERE workspace_id = $1 AND id = $2`,
    [scope.workspaceId, removalId],
  );
  return rows[0] ? presentRemoval(rows[0]) : null;
}

export async function listOpenRemovals(scope: ReadScope): Promise<ContactRemoval[]> {
  const { rows } = await scope.query<RemovalRow>(
    `SELECT ${columns} FROM contact_removals
      WHERE workspace_id = $1 AND state IN ('removing', 'restoring') ORDER BY started_at DESC LIMIT 10`,
    [scope.workspaceId],
  );
  return rows.map(presentRemoval);
}

/** Turns a deletion round, also one that still goes on. One that was turned round before stays as it is. */
export async function undoRemoval(
  scope: WorkspaceScope,
  removalId: string,
): Promise<ContactRemoval | 'contact_removal_not_found' | 'contact_removal_not_undoable'> {
  const { workspaceId } = scope;
  const at = scope.clock();
  const { rows } = await scope.query<RemovalRow>(
    `SELECT ${columns} FROM contact_removals WHERE workspace_id = $1 AND id = $2 FOR UPDATE`,
    [workspaceId, removalId],
  );
  const [found] = rows;
  if (!found) return 'contact_removal_not_found';
  if (found.state === 'restoring' || found.state === 'restored') return presentRemoval(found);
  if (at.getTime() - found.started_at.getTime() > KEPT_FOR_MS) return 'contact_removal_not_undoable';
  await scope.query(
    `UPDATE contact_removals SET state = 'restoring', choice = '{}', last_id = $3, touched_at = $4, user_id = $5, user_name = $6
      WHERE workspace_id = $1 AND id = $2`,
    [workspaceId, removalId, NOBODY, at, ...wisher(scope)],
  );
  return presentRemoval({ ...found, state: 'restoring' });
}

/** A deletion, or its undoing, as somebody goes on with it. One that was turned round meanwhile is somebody else's. */
export type RunningRemoval = { removalId: string; state: 'removing' | 'restoring' };
export type RemovalStep = { removal: ContactRemoval; isOver: boolean };

/** Does the next bit of a removal or of its undoing. Null when there is nothing to do any more. */
export async function stepRemoval(
  scope: WorkspaceScope,
  secrets: Fingerprints,
  { removalId, state }: RunningRemoval,
): Promise<RemovalStep | null> {
  const { workspaceId } = scope;
  const { rows } = await scope.query<RemovalRow & { choice: FrozenChoice; last_id: string }>(
    `SELECT ${columns}, choice, last_id FROM contact_removals
      WHERE workspace_id = $1 AND id = $2 AND state = $3 FOR UPDATE`,
    [workspaceId, removalId, state],
  );
  const [row] = rows;
  if (!row) return null;
  const isRemoving = state === 'removing';
  const limit = isRemoving ? REMOVED_AT_ONCE : RESTORED_AT_ONCE;
  const ids = isRemoving
    ? await nextChosen(scope, { ...row, limit })
    : await nextKept(scope, { ...row, limit });
  const done = isRemoving
    ? (await removeContacts(scope, secrets, { contactIds: ids, removalId })).length
    : (await restoreContacts(scope, secrets, ids)).contacts.length;
  const isOver = ids.length < limit;
  const next: RemovalRow = {
    ...row,
    state: isOver ? (isRemoving ? 'removed' : 'restored') : row.state,
    removed: row.removed + (isRemoving ? done : 0),
    restored: row.restored + (isRemoving ? 0 : done),
  };
  await scope.query(
    `UPDATE contact_removals SET state = $3, removed = $4, restored = $5, last_id = $6, touched_at = $7,
            choice = CASE WHEN $8 THEN '{}' ELSE choice END
      WHERE workspace_id = $1 AND id = $2`,
    [
      ...[workspaceId, removalId, next.state, next.removed, next.restored],
      ...[ids.at(-1) ?? row.last_id, scope.clock(), isOver],
    ],
  );
  if (isOver) await foldContactCounts(scope, workspaceId);
  return { removal: presentRemoval(next), isOver };
}

/** Those that stopped moving: the process that did them is gone. In whose name each goes on, it was begun. */
export async function findStoppedInAllWorkspaces(
  client: SqlQueries,
  before: Date,
): Promise<(RunningRemoval & { caller: Caller })[]> {
  const { rows } = await client.query<{
    id: string;
    state: RunningRemoval['state'];
    workspace_id: string;
    user_id: string | null;
    user_name: string;
  }>(
    `SELECT id, state, workspace_id, user_id, user_name FROM contact_removals
      WHERE state IN ('removing', 'restoring') AND touched_at < $1
      ORDER BY touched_at LIMIT 10`,
    [before],
  );
  return rows.map(({ id, state, workspace_id: workspaceId, user_id: userId, user_name: name }) => ({
    ...{ removalId: id, state },
    caller:
      userId === null
        ? systemCaller('upkeep', workspaceId)
        : { kind: 'person', id: userId, name, workspaceId, permissions: ['contacts:delete'] },
  }));
}

/** It counts as touched, so that others are taken up before it. */
export async function postponeRemoval(scope: WorkspaceScope, removalId: string): Promise<void> {
  await scope.query('UPDATE contact_removals SET touched_at = $3 WHERE workspace_id = $1 AND id = $2', [
    ...[scope.workspaceId, removalId, scope.clock()],
  ]);
}

/** Who wished for it, as the row keeps them. */
function wisher({ caller }: WorkspaceScope): [id: string | null, name: string] {
  return [personOf(caller), actorOf(caller).name];
}

type Place = { choice: FrozenChoice; last_id: string; started_at: Date; id: string; limit: number };

async function nextChosen(
  scope: ReadScope,
  { choice, last_id: lastId, started_at: startedAt, limit }: Place,
): Promise<string[]> {
  // Ids that were picked are in order: the bit is cut out here, so that 100,000 of them do not travel with each bit.
  if ('contactIds' in choice) return choice.contactIds.filter((id) => id > lastId).slice(0, limit);
  const values: unknown[] = [];
  const bind = bindTo(values);
  const { rows } = await scope.query<{ id: string }>(
    `SELECT c.id FROM contacts c WHERE c.workspace_id = ${bind(scope.workspaceId, 'uuid')} AND c.id > ${bind(lastId, 'uuid')}
        AND c.created_at <= ${bind(startedAt, 'timestamptz')} AND ${choiceSql(choice, bind)}
      ORDER BY c.id LIMIT ${bind(limit, 'integer')}`,
    values,
  );
  return rows.map(({ id }) => id);
}

async function nextKept(scope: ReadScope, { id, last_id: lastId, limit }: Place) {
  const { rows } = await scope.query<{ contact_id: string }>(
    `SELECT contact_id FROM deleted_contacts WHERE workspace_id = $1 AND removal_id = $2 AND contact_id > $3
      ORDER BY contact_id LIMIT $4`,
    [scope.workspaceId, id, lastId, limit],
  );
  return rows.map((row) => row.contact_id);
}

function presentRemoval({ started_at: startedAt, ...row }: RemovalRow): ContactRemoval {
  const { id, state, total, removed, restored } = row;
  return { id, state, total, removed, restored, startedAt: startedAt.toISOString() };
}
