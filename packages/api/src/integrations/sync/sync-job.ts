import { z } from 'zod';
import { defineJob } from '../../platform/jobs/define-job.ts';
import { changeAsSystem } from '../../platform/system-work.ts';
import { runSync, type SyncOutcome } from './run-sync.ts';

/** A sync of many records makes room for others after so long, and goes on when they had their turn: an opt-out of another service comes in within seconds. */
const SLICE_MS = 10_000;

/** Does the work of the run that is open. Run twice it does nothing twice: each step checks in its transaction that it is still its turn. */
export const integrationSync = defineJob({
  name: 'integration-sync',
  as: 'upkeep',
  payload: z.object({ integrationId: z.uuid() }),
  repeat: 'while-waiting',
  ...{
    attempts: 20,
    pauseSeconds: 2,
    longestPauseSeconds: 60,
    timeoutSeconds: 900,
    atOnce: 2,
    atOnceOfOne: 1,
  },
  async run(parts, { payload, workspaceId: id, signal }): Promise<SyncOutcome> {
    const { integrationId } = payload;
    const workspaceId = id!; // a job of a workspace
    const outcome = await runSync(parts, { workspaceId, integrationId, signal, sliceMs: SLICE_MS });
    if (outcome.isUnfinished)
      await changeAsSystem(parts, 'upkeep', workspaceId, async (scope) => {
        await parts.jobs.enqueue(scope, integrationSync, integrationId, { integrationId });
      });
    return outcome;
  },
});
