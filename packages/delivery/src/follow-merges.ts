import { advisoryLocks } from '@app/database/advisory-locks';
import type { Audience } from '@app/domain/delivery/audience';
import type { SqlClient } from './sql-client.ts';

const LOCK = advisoryLocks.contactsOfWorkspace;

/**
 * Who freezes an audience holds its workspace's contacts together with others who do, until the transaction ends; who merges contacts
 * waits for them and they for it. What a freeze sees is therefore never half of a merge.
 */
export async function shareContacts(client: SqlClient, workspaceId: string): Promise<void> {
  await client.query(`SELECT pg_advisory_xact_lock_shared(hashtextextended($1, ${LOCK}))`, [workspaceId]);
}

/** The same as a condition, for who goes on with others instead of waiting: false while somebody else has them. `workspace` is SQL for a uuid. */
export const sharesContactsSql = (workspace: string): string =>
  `pg_try_advisory_xact_lock_shared(hashtextextended(${workspace}::text, ${LOCK}))`;

/** The other side of `shareContacts`: nobody freezes an audience of the workspace until the transaction ends. */
export async function ownContacts(client: SqlClient, workspaceId: string): Promise<void> {
  await client.query(`SELECT pg_advisory_xact_lock(hashtextextended($1, ${LOCK}))`, [workspaceId]);
}

/** The same, if nobody has them; false when it would have to wait. */
export async function tryOwnContacts(client: SqlClient, workspaceId: string): Promise<boolean> {
  const { rows } = await client.query<{ isOwned: boolean }>(
    `SELECT pg_try_advisory_xact_lock(hashtextextended($1, ${LOCK})) AS "isOwned"`,
    [workspaceId],
  );
  return rows[0]?.isOwned === true;
}

/** An audience with the contacts that merged ones have become, whether it names them or leaves them out. */
export async function followMerges<Named extends Audience>(
  client: SqlClient,
  workspaceId: string,
  audience: Named,
): Promise<Named> {
  const { contactIds = [], excludedIds = [] } = {
    contactIds: undefined,
    excludedIds: undefined,
    ...audience,
  };
  const named = [...contactIds, ...excludedIds];
  if (named.length === 0) return audience;
  const { rows } = await client.query<{ contact_id: string; survivor_id: string }>(
    'SELECT contact_id, survivor_id FROM merged_contacts WHERE workspace_id = $1 AND contact_id = ANY($2::uuid[])',
    [workspaceId, named],
  );
  if (rows.length === 0) return audience;
  const survivors = new Map(rows.map((row) => [row.contact_id, row.survivor_id]));
  const follow = (ids: readonly string[]) => [...new Set(ids.map((id) => survivors.get(id) ?? id))];
  return {
    ...audience,
    ...(contactIds.length > 0 && { contactIds: follow(contactIds) }),
    ...(excludedIds.length > 0 && { excludedIds: follow(excludedIds) }),
  };
}
