import type { SqlQueries } from '../sql-queries.ts';

/** Some recipients of a run, by their places in it: from `from` to before `to`. */
export type NotedSlice = { runNo: number; workspaceId: string; from: number; to: number };

/**
 * What people received and read from a campaign is their last message, unless a newer one is known: at the time that was reported, under the name of
 * the campaign; one that was deleted has none to give. Locked in the order of ids, as everywhere; whoever knows it already is not written.
 */
export async function noteCampaignMessages(
  client: SqlQueries,
  { runNo, workspaceId, from, to }: NotedSlice,
): Promise<number> {
  const { rowCount } = await client.query(
    `WITH got AS MATERIALIZED (
       SELECT r.contact_id, max(greatest(r.delivered_at, r.read_at)) AS at FROM delivery_recipients r
        WHERE r.run_no = $1 AND r.seq >= $3 AND r.seq < $4 AND r.workspace_id = $2 AND coalesce(r.delivered_at, r.read_at) IS NOT NULL
        GROUP BY r.contact_id
     ), locked AS MATERIALIZED (
       SELECT c.id, got.at FROM contacts c JOIN got ON got.contact_id = c.id
        WHERE c.workspace_id = $2 AND (c.last_message_at IS NULL OR c.last_message_at < got.at) ORDER BY c.id FOR NO KEY UPDATE OF c
     )
     UPDATE contacts c SET last_message_at = locked.at, last_message = k.name
       FROM locked, campaigns k WHERE k.run_no = $1 AND k.workspace_id = $2 AND c.id = locked.id AND (c.last_message_at IS NULL OR c.last_message_at < locked.at)`,
    [runNo, workspaceId, from, to],
  );
  return rowCount ?? 0;
}
