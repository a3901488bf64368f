import type { SqlQueries } from '@app/database/sql-queries';

type Place = { workspaceId: string; actId: string };

/** Keeps one piece of a file that came with an act, or comes of it. The same piece again changes nothing. */
export async function keepPart(
  client: SqlQueries,
  { workspaceId, actId }: Place,
  part: number,
  bytes: Uint8Array,
): Promise<void> {
  await client.query(
    `INSERT INTO long_act_parts (workspace_id, act_id, part, bytes) VALUES ($1, $2, $3, $4)
     ON CONFLICT (act_id, part) DO UPDATE SET bytes = excluded.bytes`,
    [workspaceId, actId, part, bytes],
  );
}

/** Null behind the last one. */
export async function readPart(
  client: SqlQueries,
  { workspaceId, actId }: Place,
  part: number,
): Promise<Uint8Array | null> {
  const { rows } = await client.query<{ bytes: Uint8Array }>(
    'SELECT bytes FROM long_act_parts WHERE workspace_id = $1 AND act_id = $2 AND part = $3',
    [workspaceId, actId, part],
  );
  return rows[0]?.bytes ?? null;
}

export async function forgetParts(client: SqlQueries, { workspaceId, actId }: Place): Promise<void> {
  await client.query('DELETE FROM long_act_parts WHERE workspace_id = $1 AND act_id = $2', [
    workspaceId,
    actId,
  ]);
}
