import { integrationLimits } from '@app/domain/integrations/integration-rules';
import { every } from '../../platform/jobs/define-job.ts';
import type { ApiDependencies } from '../../platform/request-context.ts';
import { sweepEach } from '../../platform/jobs/sweep-each.ts';
import { changeAcrossWorkspaces, changeAsSystem } from '../../platform/system-work.ts';
import { findIntegrationById } from '../integration-rows.ts';
import { emitDueItems } from '../items/due-items.ts';
import { startRun } from './start-run.ts';
import { integrationSync } from './sync-job.ts';

/** A run whose process gave no sign for so long is taken up by another one. */
const QUIET_MS = 120_000;

/** Begins the runs that are due, and takes up those that waited or were left. */
export const syncSchedule = every(10, {
  name: 'integration-schedule',
  timeoutSeconds: 300,
  async run(parts) {
    // An error of the first does not keep the second from its work.
    try {
      await beginDueRuns(parts);
    } finally {
      await emitDueItems(parts);
    }
  },
});

export async function beginDueRuns(parts: ApiDependencies): Promise<void> {
  const now = parts.clock();
  const found = await changeAcrossWorkspaces(parts, 'upkeep', async ({ client }) => {
    const { rows: due } = await client.query<{ workspace_id: string; id: string }>(
      // What is asked for while a run is under way is the next one.
      `SELECT workspace_id, id FROM integrations i WHERE next_run_at <= $1 AND status <> 'disconnected' AND is_started AND mapping <> '[]'::jsonb
          AND NOT EXISTS (SELECT FROM integration_runs r WHERE r.workspace_id = i.workspace_id AND r.integration_id = i.id AND r.ended_at IS NULL)
        ORDER BY next_run_at LIMIT 200`,
      [now],
    );
    const { rows: left } = await client.query<{ workspace_id: string; id: string }>(
      `SELECT workspace_id, integration_id AS id FROM integration_runs
        WHERE ended_at IS NULL AND ((status = 'waiting' AND resume_at <= $1) OR (status = 'running' AND touched_at < $2)) LIMIT 200`,
      [now, new Date(now.getTime() - QUIET_MS)],
    );
    return [
      ...due.map((row) => ({ ...row, isBegun: false })),
      ...left.map((row) => ({ ...row, isBegun: true })),
    ];
  });
  await sweepEach(parts, found, ({ workspace_id: workspaceId, id, isBegun }) =>
    changeAsSystem(parts, 'upkeep', workspaceId, async (scope) => {
      if (isBegun) return void (await parts.jobs.enqueue(scope, integrationSync, id, { integrationId: id }));
      const integration = await findIntegrationById(scope, id, 'FOR NO KEY UPDATE');
      if (!integration || integration.status === 'disconnected') return;
      await startRun(scope, parts, integration, 'schedule');
    }),
  );
}

/** Runs are shown for a while. */
export async function pruneRuns(parts: ApiDependencies): Promise<void> {
  await changeAcrossWorkspaces(parts, 'upkeep', ({ client }) =>
    client.query(`DELETE FROM integration_runs WHERE ended_at < $1`, [
      new Date(parts.clock().getTime() - integrationLimits.runDays * 86_400_000),
    ]),
  );
}
