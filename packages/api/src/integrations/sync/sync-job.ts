import { z } from 'zod';
import { defineJob } from '../../platform/jobs/define-job.ts';
import { runSync } from './run-sync.ts';

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
  async run(parts, { payload, workspaceId, signal }) {
    return runSync(parts, { workspaceId: workspaceId!, integrationId: payload.integrationId, signal }); // a job of a workspace
  },
});
