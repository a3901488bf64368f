import { countContactsInRollups } from '../analytics/count-rollups.ts';
import type { SqlQueries } from '../sql-queries.ts';

type Contacts = { workspaceId: string; contactIds: readonly string[] };

/** These contacts stay and their conversations go: they show no message any more. `withoutPlatformIds` where the platform was a sandbox; a contact without a number keeps its id. */
export async function clearConversationTraces(
  client: SqlQueries,
  { workspaceId, contactIds, withoutPlatformIds }: Contacts & { withoutPlatformIds: boolean },
): Promise<void> {
  await client.query(
    `UPDATE contacts SET last_message = NULL, last_message_at = NULL, window_expires_at = NULL,
            platform_user_id = CASE WHEN $3 AND phone IS NOT NULL THEN NULL ELSE platform_user_id END
      WHERE workspace_id = $1 AND id = ANY ($2::uuid[])
        AND (last_message_at IS NOT NULL OR window_expires_at IS NOT NULL OR ($3 AND phone IS NOT NULL AND platform_user_id IS NOT NULL))`,
    [workspaceId, contactIds, withoutPlatformIds],
  );
}

/** Adds contacts that stay to the figures over time, after those of the whole workspace were cleared. Call it once. */
export async function countContactsAnew(
  client: SqlQueries,
  { workspaceId, contactIds }: Contacts,
): Promise<void> {
  await client.query(
    `INSERT INTO contact_growth SELECT c.workspace_id, quarter_of(c.created_at), count(*) FROM contacts c
      WHERE c.workspace_id = $1 AND c.id = ANY ($2::uuid[]) GROUP BY 1, 2`,
    [workspaceId, contactIds],
  );
  await countContactsInRollups(client, { workspaceId, contactIds });
}
