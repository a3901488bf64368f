import { pauseRunFor } from '@app/delivery/run-controls';
import { quietUntil, type QuietHours } from '@app/domain/campaigns/quiet-hours';
import type { ApiDependencies } from '../platform/request-context.ts';

type SendingRow = { run_no: string; id: string; workspace_id: string; quiet_hours: QuietHours };

/**
 * Pauses every campaign that sends into its quiet hours; the engine goes on with it when they end. Any number of
 * processes may call this at once, as often as once a second.
 */
export async function keepQuietHours({
  db,
  clock,
  liveEvents,
}: Pick<ApiDependencies, 'db' | 'clock' | 'liveEvents'>): Promise<void> {
  const { rows } = await db.systemPool.query<SendingRow>(
    `SELECT run.run_no, c.id, c.workspace_id, c.quiet_hours
       FROM delivery_runs run JOIN campaigns c ON c.run_no = run.run_no
      WHERE run.completed_at IS NULL AND run.state IN ('ready', 'running') AND c.quiet_hours IS NOT NULL`,
  );
  for (const { run_no, id, workspace_id, quiet_hours } of rows) {
    const resumeAt = quietUntil(quiet_hours, clock());
    if (!resumeAt) continue;
    const pause = { reason: 'quiet_hours', resumeAt: resumeAt.getTime() } as const;
    if (await pauseRunFor(db.systemPool, Number(run_no), pause)) {
      await liveEvents.publish(workspace_id, 'campaigns', { campaignId: id });
    }
  }
}
