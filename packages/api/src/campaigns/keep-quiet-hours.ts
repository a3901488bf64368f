import { pauseRunFor } from '@app/delivery/run-controls';
import { quietUntil, type QuietHours } from '@app/domain/campaigns/quiet-hours';
import { sweepEach } from '../platform/jobs/sweep-each.ts';
import { changeAsSystem, type SystemParts } from '../platform/system-work.ts';

type SendingRow = { run_no: string; id: string; workspace_id: string; name: string; quiet_hours: QuietHours };

/**
 * Pauses every campaign that sends into its quiet hours; the engine goes on with it when they end. Any number of
 * processes may call this at once, as often as once a second.
 */
export async function keepQuietHours(parts: SystemParts): Promise<void> {
  const { rows } = await parts.db.systemPool.query<SendingRow>(
    `SELECT run.run_no, c.id, c.workspace_id, c.name, c.quiet_hours
       FROM delivery_runs run JOIN campaigns c ON c.run_no = run.run_no
      WHERE run.completed_at IS NULL AND run.state IN ('ready', 'running') AND c.quiet_hours IS NOT NULL`,
  );
  await sweepEach(parts, rows, async ({ run_no, id, workspace_id, name, quiet_hours }) => {
    const until = quietUntil(quiet_hours, parts.clock());
    if (!until) return;
    await changeAsSystem(parts, 'scheduler', workspace_id, async (scope) => {
      const pause = { reason: 'quiet_hours', resumeAt: until.getTime() } as const;
      if (!(await pauseRunFor(scope, Number(run_no), pause))) return;
      const values = { name, resumeAt: until.toISOString() };
      await scope.emit({ type: 'campaign.quiet_hours_began', subject: id, values });
    });
  });
}
