import type { contactRemoval } from '@app/contracts/contact-removals/contact-removals-contract';
import { bindTo } from '@app/database/bind-value';
import type pg from 'pg';
import type { z } from 'zod';
import { choiceSql, type FrozenChoice } from '../contacts/contact-choice.ts';
import { KEPT_FOR_MS, removeContacts, restoreContacts } from '../contacts/deleted-contacts.ts';
import type { SecretBox } from '../platform/request-context.ts';

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

type NewRemoval = { removalId: string; choice: FrozenChoice; user: { id: string; name: string }; at: Date };

/** Keeps the wish alone; nothing is deleted yet. The same id again changes nothing. */
export async function beginRemoval(
  client: pg.PoolClient,
  workspaceId: string,
  { removalId, choice, user, at }: NewRemoval,
): Promise<void> {
  const values: unknown[] = [];
  const bind = bindTo(values);
  const { rows } = await client.query<{ total: number }>(
    `SELECT count(*)::int AS total FROM contacts c WHERE c.workspace_id = ${bind(workspaceId, 'uuid')} AND ${choiceSql(choice, bind)}`,
    values,
  );
  await client.query(
    `INSERT INTO contact_removals (id, workspace_id, user_id, user_name, choice, total, started_at, touched_at)
     VALUES ($1, $2, $3, $4, $5, $6, $7, $7) ON CONFLICT DO NOTHING`,
    [removalId, workspaceId, user.id, user.name, JSON.stringify(choice), rows[0]?.total ?? 0, at],
  );
}

export async function findRemoval(
  client: pg.PoolClient,
  workspaceId: string,
  removalId: string,
): Promise<ContactRemoval | null> {
  const { rows } = await client.query<RemovalRow>(
    `SELECT ${columns} FROM contact_removals WHERE workspace_id = $1 AND id = $2`,
    [workspaceId, removalId],
  );
  return rows[0] ? presentRemoval(rows[0]) : null;
}

export async function listOpenRemovals(
  client: pg.PoolClient,
  workspaceId: string,
): Promise<ContactRemoval[]> {
  const { rows } = await client.query<RemovalRow>(
    `SELECT ${columns} FROM contact_removals
      WHERE workspace_id = $1 AND state IN ('removing', 'restoring') ORDER BY started_at DESC LIMIT 10`,
    [workspaceId],
  );
  return rows.map(presentRemoval);
}

/** Turns a deletion round, also one that still goes on. One that was turned round before stays as it is. */
export async function undoRemoval(
  client: pg.PoolClient,
  workspaceId: string,
  removalId: string,
  at: Date,
): Promise<ContactRemoval | 'contact_removal_not_found' | 'contact_removal_not_undoable'> {
  const { rows } = await client.query<RemovalRow>(
    `SELECT ${columns} FROM contact_removals WHERE workspace_id = $1 AND id = $2 FOR UPDATE`,
    [workspaceId, removalId],
  );
  const [found] = rows;
  if (!found) return 'contact_removal_not_found';
  if (found.state === 'restoring' || found.state === 'restored') return presentRemoval(found);
  if (at.getTime() - found.started_at.getTime() > KEPT_FOR_MS) return 'contact_removal_not_undoable';
  await client.query(
    `UPDATE contact_removals SET state = 'restoring', choice = '{}', last_id = $3, touched_at = $4
      WHERE workspace_id = $1 AND id = $2`,
    [workspaceId, removalId, NOBODY, at],
  );
  return presentRemoval({ ...found, state: 'restoring' });
}

export type RemovalStep = {
  removal: ContactRemoval;
  isOver: boolean;
  user: { id: string | null; name: string };
};
type StepInput = { removalId: string; secrets: Pick<SecretBox, 'fingerprint'>; at: Date };

/** Does the next bit of a removal or of its undoing. Null when there is nothing to do any more. */
export async function stepRemoval(
  client: pg.PoolClient,
  workspaceId: string,
  { removalId, secrets, at }: StepInput,
): Promise<RemovalStep | null> {
  const { rows } = await client.query<
    RemovalRow & { choice: FrozenChoice; last_id: string; user_id: string | null; user_name: string }
  >(
    `SELECT ${columns}, choice, last_id, user_id, user_name FROM contact_removals
      WHERE workspace_id = $1 AND id = $2 AND state IN ('removing', 'restoring') FOR UPDATE`,
    [workspaceId, removalId],
  );
  const [row] = rows;
  if (!row) return null;
  const isRemoving = row.state === 'removing';
  const limit = isRemoving ? REMOVED_AT_ONCE : RESTORED_AT_ONCE;
  const ids = isRemoving
    ? await nextChosen(client, workspaceId, { ...row, limit })
    : await nextKept(client, workspaceId, { ...row, limit });
  const done = isRemoving
    ? (await removeContacts(client, { workspaceId, secrets }, { contactIds: ids, at, removalId })).length
    : (await restoreContacts(client, { workspaceId, secrets }, ids)).contacts.length;
  const isOver = ids.length < limit;
  const next: RemovalRow = {
    ...row,
    state: isOver ? (isRemoving ? 'removed' : 'restored') : row.state,
    removed: row.removed + (isRemoving ? done : 0),
    restored: row.restored + (isRemoving ? 0 : done),
  };
  await client.query(
    `UPDATE contact_removals SET state = $3, removed = $4, restored = $5, last_id = $6, touched_at = $7,
            choice = CASE WHEN $8 THEN '{}' ELSE choice END
      WHERE workspace_id = $1 AND id = $2`,
    [
      ...[workspaceId, removalId, next.state, next.removed, next.restored],
      ...[ids.at(-1) ?? row.last_id, at, isOver],
    ],
  );
  if (isOver) await client.query('SELECT fold_contact_counts($1)', [workspaceId]);
  return { removal: presentRemoval(next), isOver, user: { id: row.user_id, name: row.user_name } };
}

type Place = { choice: FrozenChoice; last_id: string; started_at: Date; id: string; limit: number };

async function nextChosen(
  client: pg.PoolClient,
  workspaceId: string,
  { choice, last_id: lastId, started_at: startedAt, limit }: Place,
): Promise<string[]> {
  // Ids that were picked are in order: the bit is cut out here, so that 100,000 of them do not travel with each bit.
  if ('contactIds' in choice) return choice.contactIds.filter((id) => id > lastId).slice(0, limit);
  const values: unknown[] = [];
  const bind = bindTo(values);
  const { rows } = await client.query<{ id: string }>(
    `SELECT c.id FROM contacts c WHERE c.workspace_id = ${bind(workspaceId, 'uuid')} AND c.id > ${bind(lastId, 'uuid')}
        AND c.created_at <= ${bind(startedAt, 'timestamptz')} AND ${choiceSql(choice, bind)}
      ORDER BY c.id LIMIT ${bind(limit, 'integer')}`,
    values,
  );
  return rows.map(({ id }) => id);
}

async function nextKept(client: pg.PoolClient, workspaceId: string, { id, last_id: lastId, limit }: Place) {
  const { rows } = await client.query<{ contact_id: string }>(
    `SELECT contact_id FROM deleted_contacts WHERE workspace_id = $1 AND removal_id = $2 AND contact_id > $3
      ORDER BY contact_id LIMIT $4`,
    [workspaceId, id, lastId, limit],
  );
  return rows.map((row) => row.contact_id);
}

function presentRemoval({ started_at: startedAt, ...row }: RemovalRow): ContactRemoval {
  const { id, state, total, removed, restored } = row;
  return { id, state, total, removed, restored, startedAt: startedAt.toISOString() };
}
