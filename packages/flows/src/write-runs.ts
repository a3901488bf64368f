import type { SqlQueries } from '@app/database/sql-queries';
import type { LogEntry } from '@app/domain/flows/run-state';
import type { MovedRun } from './moved-run.ts';

const LONGEST_DETAILS = 2_000;

/** What became of a slice of runs: one statement for each kind of write. */
export async function writeRuns(
  transaction: SqlQueries & { workspaceId: string },
  {
    runs,
    inputs,
    now,
    newId,
  }: { runs: readonly MovedRun[]; inputs: readonly string[]; now: number; newId: () => string },
): Promise<void> {
  const { workspaceId } = transaction;
  const at = new Date(now);
  await transaction.query(
    `UPDATE flow_runs r SET state = g.state, status = g.status, step_id = g."stepId", wait = g.wait, due_at = g."dueAt", owner = NULL,
            lease_until = NULL, attempt = 0, end_code = g.code, ended_at = CASE WHEN g.status <> 'running' THEN $3::timestamptz END
       FROM jsonb_to_recordset($2::jsonb) AS g (id uuid, state jsonb, status text, "stepId" text, wait text, "dueAt" timestamptz, code text)
      WHERE r.workspace_id = $1 AND r.id = g.id`,
    [workspaceId, JSON.stringify(runs.map(rowOf)), at],
  );
  const entries = runs.flatMap(({ run, log }) =>
    log.map((entry) => ({
      ...entry,
      ...{ id: newId(), runId: run.id, flowId: run.flow_id, attempt: Math.max(run.attempt, 1) },
      ...{
        details: shorten(entry.details),
        beganAt: new Date(entry.beganAt),
        endedAt: new Date(entry.endedAt),
      },
    })),
  );
  if (entries.length > 0)
    await transaction.query(
      `INSERT INTO flow_log (id, workspace_id, run_id, flow_id, visit, step_id, type, event, exit, code, details, attempt, began_at, ended_at)
       SELECT g.id, $1, g."runId", g."flowId", g.visit, g."stepId", g.type, g.event, g.exit, g.code, g.details, g.attempt, g."beganAt", g."endedAt"
         FROM jsonb_to_recordset($2::jsonb) AS g (id uuid, "runId" uuid, "flowId" uuid, visit integer, "stepId" text, type text, event text, exit text,
                code text, details jsonb, attempt smallint, "beganAt" timestamptz, "endedAt" timestamptz)`,
      [workspaceId, JSON.stringify(entries)],
    );
  const effects = runs.flatMap(({ run, effects: open }) =>
    open.map((effect) => ({ ...effect, runId: run.id })),
  );
  if (effects.length > 0)
    await transaction.query(
      `INSERT INTO flow_effects (workspace_id, run_id, visit, number, step_id, kind, hash, state, message_id, request, asked_at)
       SELECT $1, g."runId", g.visit, g.number, g."stepId", g.kind, g.hash, 'asked', g."messageId", nullif(g.stored, 'null'), $3
         FROM jsonb_to_recordset($2::jsonb) AS g ("runId" uuid, visit integer, number integer, "stepId" text, kind text, hash text, "messageId" uuid,
                stored jsonb)`,
      [workspaceId, JSON.stringify(effects), at],
    );
  if (inputs.length > 0)
    await transaction.query(
      'UPDATE flow_inputs SET is_open = false WHERE workspace_id = $1 AND id = ANY ($2::bigint[])',
      [workspaceId, inputs],
    );
  await countEnds(transaction, runs);
}

function rowOf({ run, state }: MovedRun) {
  const { wait, end, at } = state;
  const until = wait === null || wait.until === null ? null : new Date(wait.until);
  return {
    ...{ id: run.id, state, status: end?.outcome ?? 'running', stepId: at, code: end?.code ?? null },
    wait: wait === null ? null : state.isDelayed ? wait.kind : 'delay',
    dueAt: end ? null : until,
  };
}

/** References instead of copies: what is longer than a row may be is left out, and says so. */
function shorten(details: LogEntry['details']): LogEntry['details'] {
  return JSON.stringify(details).length > LONGEST_DETAILS ? { isShortened: true } : details;
}

async function countEnds(
  transaction: SqlQueries & { workspaceId: string },
  runs: readonly MovedRun[],
): Promise<void> {
  const ended = runs.filter(({ run, state }) => state.end && !run.is_test);
  if (ended.length === 0) return;
  const counts = [...Map.groupBy(ended, ({ run }) => run.flow_id)].map(([id, all]) => {
    const count = (outcome: string) => all.filter(({ state }) => state.end?.outcome === outcome).length;
    return { id, completed: count('completed'), failed: count('failed'), cancelled: count('cancelled') };
  });
  await transaction.query(
    `UPDATE flows f SET completed = f.completed + g.completed, failed = f.failed + g.failed, cancelled = f.cancelled + g.cancelled
       FROM jsonb_to_recordset($2::jsonb) AS g (id uuid, completed integer, failed integer, cancelled integer) WHERE f.workspace_id = $1 AND f.id = g.id`,
    [transaction.workspaceId, JSON.stringify(counts)],
  );
}
