import type { ApiDependencies } from '../platform/request-context.ts';
import { sweepEach } from '../platform/jobs/sweep-each.ts';
import { changeAcrossWorkspaces, changeAsSystem } from '../platform/system-work.ts';
import { askHealth, storeHealth } from './connect-integration.ts';
import { findIntegrationById } from './integration-rows.ts';

const EVERY_MS = 3_600_000;

/** Asks each service once an hour whether its connection works; a sync that went well is such a sign. */
export async function checkConnections(parts: ApiDependencies): Promise<void> {
  const before = new Date(parts.clock().getTime() - EVERY_MS);
  const { rows } = await changeAcrossWorkspaces(parts, 'upkeep', ({ client }) =>
    client.query<{ workspace_id: string; id: string }>(
      `SELECT workspace_id, id FROM integrations
        WHERE status <> 'disconnected' AND problem IS DISTINCT FROM 'restored' AND checked_at < $1 ORDER BY checked_at LIMIT 100`,
      [before],
    ),
  );
  await sweepEach(parts, rows, async ({ workspace_id: workspaceId, id }) => {
    const row = await changeAsSystem(parts, 'upkeep', workspaceId, (scope) => findIntegrationById(scope, id));
    const health = row && (await askHealth(parts, workspaceId, row));
    if (!health) return;
    await changeAsSystem(parts, 'upkeep', workspaceId, async (scope) => {
      const now = await findIntegrationById(scope, id, 'FOR NO KEY UPDATE');
      if (now && now.version === row.version) await storeHealth(scope, now, health);
    });
  });
}
