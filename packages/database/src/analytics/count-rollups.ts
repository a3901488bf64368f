import type { SqlQueries } from '../sql-queries.ts';

/**
 * For rows that come back and were counted when they came first: of a contact that is restored or parted from another, or out of an archive that
 * brings its own rollups. Inside the transaction of `client`; what it inserts in `work` is not counted again.
 */
export async function withoutRollups<Result>(
  client: SqlQueries,
  work: () => Promise<Result>,
): Promise<Result> {
  await client.query(`SELECT set_config('app.rollups', 'off', true)`);
  const result = await work();
  await client.query(`SELECT set_config('app.rollups', '', true)`);
  return result;
}

/** Adds contacts that are here already, and what was said of them, to the rollups of contacts: those of the workspace were cleared, the contacts stay. */
export async function countContactsInRollups(
  client: SqlQueries,
  { workspaceId, contactIds }: { workspaceId: string; contactIds: readonly string[] },
): Promise<void> {
  await client.query(
    `INSERT INTO contact_rollup_deltas (workspace_id, quarter, kind, source, contacts)
     SELECT c.workspace_id, quarter_of(c.created_at), 'new', contact_source(c), count(*) FROM contacts c
      WHERE c.workspace_id = $1 AND c.id = ANY ($2::uuid[]) GROUP BY 1, 2, 4
     UNION ALL
     SELECT s.workspace_id, quarter_of(s.occurred_at), s.kind, consent_source(s), count(*) FROM contact_consents s
      WHERE s.workspace_id = $1 AND s.contact_id = ANY ($2::uuid[]) AND NOT repeats_wish(s) GROUP BY 1, 2, 3, 4`,
    [workspaceId, contactIds],
  );
}
