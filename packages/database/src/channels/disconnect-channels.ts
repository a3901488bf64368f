import type { SqlQueries } from '../sql-queries.ts';

/** Nothing leaves by any number of the workspace from now on; what opens them is kept. */
export async function disconnectChannels(client: SqlQueries, workspaceId: string): Promise<void> {
  await client.query(
    'UPDATE channels SET is_connected = false, version = version + 1 WHERE workspace_id = $1 AND is_connected',
    [workspaceId],
  );
}

/** For good, with what only they have; what was sent by them goes too. */
export async function removeChannels(
  client: SqlQueries,
  workspaceId: string,
  ids: readonly string[],
): Promise<void> {
  await client.query('DELETE FROM channels WHERE workspace_id = $1 AND id = ANY ($2::uuid[])', [
    workspaceId,
    ids,
  ]);
}
