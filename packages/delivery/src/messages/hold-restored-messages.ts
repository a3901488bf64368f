import { recountConversations } from '@app/database/conversations/note-messages';
import type { SqlClient } from '../sql-client.ts';

type Held = { workspace_id: string; contact_id: string | null };

/**
 * After a restore: single messages that were on their way, or whose time has come since, may have left. They stand in doubt, and a person decides
 * in the conversation. What is due later still waits for its time, unless `alsoLater` says that it may leave from elsewhere then. Call it in the
 * transaction of the restore.
 */
export async function holdRestoredMessages(
  client: SqlClient,
  { alsoLater = false }: { alsoLater?: boolean } = {},
): Promise<number> {
  const { rows } = await client.query<Held>(
    `UPDATE messages SET state = 'unknown', error_code = 'restored', owner = NULL, lease_until = NULL,
            send_no = coalesce(send_no, nextval('message_numbers')),
            occurred_at = CASE WHEN state = 'scheduled' THEN send_at ELSE occurred_at END
      WHERE state IN ('queued', 'sending') OR (state = 'scheduled' AND (send_at <= now() OR $1))
      RETURNING workspace_id, contact_id`,
    [alsoLater],
  );
  for (const [workspaceId, held] of Map.groupBy(rows, ({ workspace_id: id }) => id))
    await recountConversations(client, workspaceId, [
      ...new Set(held.flatMap(({ contact_id: id }) => (id === null ? [] : [id]))),
    ]);
  return rows.length;
}
