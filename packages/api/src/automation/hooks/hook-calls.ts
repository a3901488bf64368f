import type { workflowHookCall, workspaceHook } from '@app/contracts/automation/workflow-hooks-contract';
import type { Json } from '@app/domain/flows/flow-file';
import { maskSecrets } from '@app/domain/flows/mask-secrets';
import type { z } from 'zod';
import type { ReadScope, WorkspaceScope } from '../../platform/workspace-scope.ts';

export type WorkflowHookCall = z.infer<typeof workflowHookCall>;
export type WorkspaceHook = z.infer<typeof workspaceHook>;

/** So many calls of an address are stored, and so many that were rejected: a stranger pushes no real call out. */
export const CALLS_KEPT = 50;
/** A larger body is stored as the beginning of its text. */
const LARGEST_SAMPLE = 8_192;

export type NewCall = {
  hookId: string;
  status: number;
  source?: string | undefined;
  reason?: string | undefined;
  bytes: number;
  body?: Json | undefined;
};

/** Stores a call, and deletes the oldest beyond what is kept of its address. */
export async function storeCall(scope: WorkspaceScope, call: NewCall): Promise<void> {
  const { hookId, status, source = null, reason = null, bytes, body } = call;
  await scope.query(
    `INSERT INTO flow_hook_calls (workspace_id, hook_id, at, status, source, reason, bytes, body) VALUES ($1, $2, $3, $4, $5, $6, $7, $8)`,
    [
      ...[scope.workspaceId, hookId, scope.clock(), status, source, reason, bytes],
      body === undefined ? null : JSON.stringify(sampleOf(body)),
    ],
  );
  await scope.query(
    `DELETE FROM flow_hook_calls WHERE workspace_id = $1 AND hook_id = $2 AND (status = 202) = $3 AND id <= (
       SELECT id FROM flow_hook_calls WHERE workspace_id = $1 AND hook_id = $2 AND (status = 202) = $3 ORDER BY id DESC OFFSET ${CALLS_KEPT} LIMIT 1)`,
    [scope.workspaceId, hookId, status === 202],
  );
}

function sampleOf(body: Json): Json {
  const masked = maskSecrets(body);
  const text = JSON.stringify(masked);
  return text.length <= LARGEST_SAMPLE ? masked : `${text.slice(0, LARGEST_SAMPLE)}…`;
}

/** The last calls of an address, the newest first, each with what became of it. */
export async function listCalls(
  scope: ReadScope,
  { workflowId, triggerId }: { workflowId: string; triggerId: string },
): Promise<WorkflowHookCall[]> {
  const { rows } = await scope.query<{
    id: string;
    at: Date;
    status: number;
    reason: string | null;
    bytes: number;
    body: WorkflowHookCall['body'] | undefined;
    state: string | null;
    run_id: string | null;
  }>(
    `SELECT c.id, c.at, c.status, coalesce(c.reason, s.reason) AS reason, c.bytes, c.body, s.state, s.run_id
       FROM flow_hook_calls c JOIN flow_hooks h ON h.id = c.hook_id
       LEFT JOIN LATERAL (SELECT state, reason, run_id FROM flow_starts o
         WHERE o.flow_id = h.flow_id AND o.source = c.source AND c.reason IS NULL LIMIT 1) AS s ON true
      WHERE c.workspace_id = $1 AND h.flow_id = $2 AND h.trigger_id = $3 ORDER BY c.id DESC LIMIT ${2 * CALLS_KEPT}`,
    [scope.workspaceId, workflowId, triggerId],
  );
  return rows.map(({ id, at, status, reason, bytes, body, state, run_id: runId }) => ({
    ...{ id, at: at.toISOString(), status, reason, runId, bytes, body: body ?? null },
    outcome:
      status === 202 ? (state === 'started' ? 'started' : reason === null ? 'waits' : 'nothing') : 'rejected',
  }));
}

/** Every address of the workspace, the one that was called last first. */
export async function listAllHooks(scope: ReadScope, publicUrl: string): Promise<WorkspaceHook[]> {
  const { rows } = await scope.query<{
    flow_id: string;
    name: string;
    is_active: boolean;
    trigger_id: string;
    token: string;
    has_secret: boolean;
    calls: string;
    last_call_at: Date | null;
  }>(
    `SELECT h.flow_id, f.name, f.status = 'active' AS is_active, h.trigger_id, h.token, h.secret_hash IS NOT NULL AS has_secret, h.calls, h.last_call_at
       FROM flow_hooks h JOIN flows f ON f.id = h.flow_id AND f.kind = 'workflow'
      WHERE h.workspace_id = $1 ORDER BY h.last_call_at DESC NULLS LAST, h.created_at DESC LIMIT 500`,
    [scope.workspaceId],
  );
  return rows.map((row) => ({
    ...{ workflowId: row.flow_id, workflowName: row.name, isActive: row.is_active },
    ...{ triggerId: row.trigger_id, url: `${publicUrl}/hooks/${row.token}`, hasSecret: row.has_secret },
    ...{ calls: Number(row.calls), lastCallAt: row.last_call_at?.toISOString() ?? null },
  }));
}
