import type { SqlQueries } from '@app/database/sql-queries';
import type { RunInput } from '@app/domain/flows/run-state';
import { runClasses } from './flow-host.ts';

export type NewInput = {
  runId: string;
  /** What it came from, such as the id of a fact: the same source counts once for a run. */
  source: string;
  input: RunInput;
};

/** Writes what came for runs, and has them claimed. Whoever calls it advances nothing: the engine does, in its own transaction. */
export async function addInputs(
  client: SqlQueries & { workspaceId: string },
  inputs: readonly NewInput[],
  at: Date,
): Promise<void> {
  if (inputs.length === 0) return;
  const { rows } = await client.query<{ class: number }>(
    `WITH given AS (SELECT * FROM jsonb_to_recordset($2::jsonb) AS g ("runId" uuid, source text, input jsonb)),
     added AS (
       INSERT INTO flow_inputs (workspace_id, run_id, source, input, at)
       SELECT $1, g."runId", g.source, g.input, $3 FROM given g JOIN flow_runs r ON r.id = g."runId" AND r.workspace_id = $1 AND r.status = 'running'
       ON CONFLICT DO NOTHING RETURNING run_id)
     UPDATE flow_runs SET due_at = least(coalesce(due_at, $3), $3)
      WHERE id IN (SELECT run_id FROM added ORDER BY run_id) AND workspace_id = $1 AND status = 'running'
     RETURNING class`,
    [client.workspaceId, JSON.stringify(inputs), at],
  );
  if (rows.length === 0) return;
  const isReply = inputs.some(({ input }) => input.kind === 'reply');
  await wakeFlows(client, isReply ? runClasses.person : Math.min(...rows.map((run) => run.class)));
}

export const flowsWakeName = 'flows_wake';

/** Has the engines look, when the transaction commits. `runClass` is the most urgent class of what they find: a person ends the rest of an engine. */
export async function wakeFlows(client: SqlQueries, runClass: number): Promise<void> {
  await client.query('SELECT pg_notify($1, $2)', [flowsWakeName, String(runClass)]);
}
