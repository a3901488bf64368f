import { findFailingRuns } from '@app/delivery/guard-runs';
import { pauseRunFor } from '@app/delivery/run-controls';
import { emitRuns } from '@app/delivery/emit-runs';
import { sweepEach } from '../platform/jobs/sweep-each.ts';
import { changeAsSystem, type SystemParts } from '../platform/system-work.ts';

/** Pauses every campaign of which too much fails. Any number of processes may call this at once, as often as once a second. */
export async function guardCampaigns(parts: SystemParts): Promise<void> {
  const failing = await findFailingRuns(parts.db.systemPool);
  const rows = failing.map(({ runNo, workspaceId }) => ({ runNo, workspace_id: workspaceId }));
  await sweepEach(parts, rows, ({ runNo, workspace_id: workspaceId }) =>
    changeAsSystem(parts, 'scheduler', workspaceId, async (scope) => {
      if (!(await pauseRunFor(scope, runNo, { reason: 'failures' }))) return;
      await emitRuns(scope, (_, __, fact) => scope.emit(fact), [runNo]);
    }),
  );
}
