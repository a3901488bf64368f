import type { FlowFile } from '@app/domain/flows/flow-file';
import type { StoredOperation } from '../platform/operations/operation-rows.ts';
import type { SteppingKind } from '../platform/operations/step-operation.ts';
import type { ReadScope } from '../platform/workspace-scope.ts';

/** The version that runs in progress move to. */
export type MoveWish = { workflowId: string; number: number };

const AT_ONCE = 500;
/** Runs of drafts have versions below 1. `$1` to `$3` are workspace, workflow and the version to move to. */
const TO_MOVE = `workspace_id = $1 AND flow_id = $2 AND status = 'running' AND version BETWEEN 1 AND $3 - 1 AND NOT is_test`;

export async function countRunsToMove(scope: ReadScope, { workflowId, number }: MoveWish): Promise<number> {
  const { rows } = await scope.query<{ n: number }>(
    `SELECT count(*)::int AS n FROM flow_runs WHERE ${TO_MOVE}`,
    [...[scope.workspaceId, workflowId, number]],
  );
  return rows[0]?.n ?? 0;
}

/**
 * Moves runs in progress to a newer version. A run moves when the step at which it stands is in that version, with the same type; one that has not
 * begun moves as well. All others finish on their version. A slice locks its runs, so that no engine moves one of them meanwhile. When a still newer
 * version is published, the rest of the work is left to the operation of that one.
 */
export const workflowMove = {
  name: 'workflow-move',
  async step(scope, operation) {
    const { workflowId, number } = wishOf(operation);
    const after = typeof operation.resume['runId'] === 'string' ? operation.resume['runId'] : null;
    const of = [scope.workspaceId, workflowId, number];
    const { rows: found } = await scope.query<{ id: string }>(
      `SELECT id FROM flow_runs WHERE ${TO_MOVE} AND ($4::uuid IS NULL OR id > $4)
          AND EXISTS (SELECT FROM flows f WHERE f.id = flow_id AND f.published = $3)
        ORDER BY id LIMIT ${AT_ONCE} FOR UPDATE`,
      [...of, after],
    );
    const ids = found.map(({ id }) => id);
    const { rowCount } = await scope.query(
      `UPDATE flow_runs r SET version = $3 FROM (SELECT * FROM jsonb_to_recordset($5::jsonb) AS s (version integer, "stepId" text)) AS same
        WHERE r.workspace_id = $1 AND r.flow_id = $2 AND r.id = ANY ($4::uuid[]) AND r.version = same.version
          AND coalesce(r.step_id, r.state ->> 'from', '') = same."stepId"`,
      [...of, ids, JSON.stringify(await listSameSteps(scope, { workflowId, number }))],
    );
    return {
      ...{ done: rowCount ?? 0, resume: { runId: ids.at(-1) ?? after }, isOver: ids.length < AT_ONCE },
    };
  },
  async onEnd(scope, { operation }) {
    const count = Number(operation.done);
    if (count === 0) return;
    // Its wish is gone by now: the workflow is its subject.
    await scope.emit({
      ...{ type: 'workflow.runs_moved', subject: operation.subject },
      values: { name: operation.name, count },
    });
  },
} satisfies SteppingKind;

/** Steps of earlier versions that the version to move to has, too; an empty id stands for a run before its first step. */
async function listSameSteps(
  scope: ReadScope,
  { workflowId, number }: MoveWish,
): Promise<{ version: number; stepId: string }[]> {
  const { rows } = await scope.query<{ number: number; content: FlowFile }>(
    `SELECT v.number, v.content FROM flow_versions v WHERE v.workspace_id = $1 AND v.flow_id = $2 AND v.number BETWEEN 1 AND $3
        AND (v.number = $3 OR EXISTS (SELECT FROM flow_runs r WHERE r.flow_id = v.flow_id AND r.version = v.number AND r.status = 'running'))`,
    [scope.workspaceId, workflowId, number],
  );
  const target = rows.find((row) => row.number === number)?.content;
  if (!target) return [];
  const types = new Map(target.steps.map(({ id, type }) => [id, type]));
  return rows
    .filter((row) => row.number !== number)
    .flatMap(({ number: version, content }) => [
      { version, stepId: '' },
      ...content.steps
        .filter(({ id, type }) => types.get(id) === type)
        .map(({ id }) => ({ version, stepId: id })),
    ]);
}

function wishOf({ wish }: StoredOperation): MoveWish {
  return wish as MoveWish; // as publishing stored it
}
