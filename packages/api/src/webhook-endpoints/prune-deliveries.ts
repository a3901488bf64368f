import { webhookLimits } from '@app/domain/webhook-endpoints/webhook-rules';
import { changeAcrossWorkspaces, type SystemParts } from '../platform/system-work.ts';

const AT_ONCE = 2_000;

/** Deliveries go after a month with their attempts, and so does a secret that signs no more. */
export async function pruneDeliveries(parts: SystemParts): Promise<void> {
  const before = new Date(parts.clock().getTime() - webhookLimits.storedDays * 86_400_000);
  for (;;) {
    const gone = await changeAcrossWorkspaces(parts, 'outgoing-webhooks', async ({ client }) => {
      const { rowCount } = await client.query(
        `DELETE FROM webhook_deliveries WHERE (workspace_id, id) IN
           (SELECT workspace_id, id FROM webhook_deliveries WHERE created_at < $1 ORDER BY created_at LIMIT ${AT_ONCE} FOR UPDATE SKIP LOCKED)`,
        [before],
      );
      return rowCount ?? 0;
    });
    if (gone < AT_ONCE) break;
  }
  await changeAcrossWorkspaces(parts, 'outgoing-webhooks', ({ client }) =>
    client.query(
      'UPDATE webhook_endpoints SET previous_secret = NULL, previous_secret_until = NULL WHERE previous_secret_until < $1',
      [parts.clock()],
    ),
  );
}
