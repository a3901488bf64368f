import { addInputs } from '@app/flows/flow-inputs';
import { effectKey } from '@app/flows/move-runs';
import type { AskedEffect } from '@app/flows/flow-host';
import type { EffectOutcome } from '@app/domain/flows/run-state';
import { z } from 'zod';
import type { Jobs } from '../../../platform/jobs/enqueue-job.ts';
import type { WorkspaceJobKind } from '../../../platform/jobs/job-kind.ts';
import type { WorkspaceScope } from '../../../platform/workspace-scope.ts';

/** An effect that a job does: what leaves this machine, and what needs a transaction of its own. */
export const laterEffect = z.object({
  runId: z.uuid(),
  visit: z.number().int(),
  number: z.number().int(),
});
export type LaterEffect = z.infer<typeof laterEffect>;

/** Enqueues the job in the transaction of the step. What is asked is stored with the effect, and deleted with its outcome. */
export async function enqueueLater(
  scope: WorkspaceScope,
  jobs: Jobs,
  kind: WorkspaceJobKind<LaterEffect>,
  { run, visit, number }: Pick<AskedEffect, 'run' | 'visit' | 'number'>,
): Promise<void> {
  const of = { runId: run.runId, visit, number };
  await jobs.enqueue(scope, kind, effectKey(run.runId, visit, number), of);
}

type Begun = { request: Record<string, unknown>; flowId: string; flowName: string };

/**
 * Notes that the effect begins, and answers with what is asked; null where it is not to be done (any more). One that had begun before, in a process
 * that died since, may have happened: its outcome becomes unknown here. Commit this before anything leaves.
 */
export async function beginLater(scope: WorkspaceScope, of: LaterEffect): Promise<Begun | null> {
  const { rows } = await scope.query<Begun & { state: string; is_awaited: boolean }>(
    `SELECT e.state, e.request, f.id AS "flowId", f.name AS "flowName",
            r.status = 'running' AND r.state->>'visit' = $3::text AND r.state->'wait'->>'kind' = 'effect'
              AND r.state->'wait'->>'number' = $4::text AS is_awaited
       FROM flow_effects e JOIN flow_runs r ON r.id = e.run_id JOIN flows f ON f.id = r.flow_id
      WHERE e.workspace_id = $1 AND e.run_id = $2 AND e.visit = $3::integer AND e.number = $4::integer FOR UPDATE OF e`,
    [scope.workspaceId, of.runId, String(of.visit), String(of.number)],
  );
  const [found] = rows;
  if (!found) return null;
  if (found.state === 'begun') {
    await settleLater(scope, of, { status: 'unknown', code: 'interrupted' });
    return null;
  }
  if (found.state !== 'asked') return null;
  if (!found.is_awaited) {
    await settleLater(scope, of, { status: 'failed', code: 'run_over' });
    return null;
  }
  await setState(scope, of, 'begun');
  return found;
}

/** Nothing happened: a later attempt may begin. */
export async function putBackLater(scope: WorkspaceScope, of: LaterEffect): Promise<void> {
  await setState(scope, of, 'asked');
}

/** Stores the outcome and hands it to the run, once: a second outcome of the same effect changes nothing. */
export async function settleLater(
  scope: WorkspaceScope,
  of: LaterEffect,
  outcome: EffectOutcome,
): Promise<void> {
  const { rowCount } = await scope.query(
    `UPDATE flow_effects SET state = $5, outcome = $6, ended_at = $7, request = NULL
      WHERE workspace_id = $1 AND run_id = $2 AND visit = $3 AND number = $4 AND state IN ('asked', 'begun')`,
    [
      ...[scope.workspaceId, of.runId, of.visit, of.number],
      ...[outcome.status, JSON.stringify(outcome), scope.clock()],
    ],
  );
  if (!rowCount) return;
  const { runId, visit, number } = of;
  const source = `effect/${visit}/${number}`;
  await addInputs(
    scope,
    [{ runId, source, input: { kind: 'outcome', visit, number, outcome } }],
    scope.clock(),
  );
}

async function setState(scope: WorkspaceScope, of: LaterEffect, state: 'asked' | 'begun'): Promise<void> {
  await scope.query(
    `UPDATE flow_effects SET state = $5 WHERE workspace_id = $1 AND run_id = $2 AND visit = $3 AND number = $4
        AND state IN ('asked', 'begun')`,
    [scope.workspaceId, of.runId, of.visit, of.number, state],
  );
}
