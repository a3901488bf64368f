import { narrowToWorkspace, widenToSystem } from '@app/database/database';
import type { SqlQueries } from '@app/database/sql-queries';

/** A decision that is not there after so long is not waited for any more. */
const PATIENCE_MS = 60_000;

/** Of these contacts those with a message that was stored and that the consumer of the bot has not read yet, by its cursor. */
export async function findUndecided(
  transaction: SqlQueries & { readonly workspaceId: string },
  contactIds: readonly string[],
  now: Date,
): Promise<Set<string>> {
  await widenToSystem(transaction);
  const { rows } = await transaction.query<{ id: string }>(
    `SELECT k.id FROM unnest($1::uuid[]) AS k (id)
      WHERE EXISTS (
        SELECT FROM events e, event_consumers c
         WHERE e.workspace_id = $2 AND e.type = 'messages.arrived' AND e.recorded_at > $3 AND e.values->'contactIds' ? k.id::text
           AND c.name = 'chatbot' AND NOT pg_visible_in_snapshot(e.txid, c.seen)
           AND NOT (c.batch IS NOT NULL AND e.id <= c.last_id AND pg_visible_in_snapshot(e.txid, c.batch)))`,
    [contactIds, transaction.workspaceId, new Date(now.getTime() - PATIENCE_MS)],
  );
  await narrowToWorkspace(transaction, transaction.workspaceId);
  return new Set(rows.map(({ id }) => id));
}
