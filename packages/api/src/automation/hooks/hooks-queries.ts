import { randomBytes } from 'node:crypto';
import type { workflowHook } from '@app/contracts/automation/workflow-hooks-contract';
import { newId } from '@app/database/new-id';
import type { z } from 'zod';
import type { SecretBox } from '../../platform/request-context.ts';
import type { ReadScope, WorkspaceScope } from '../../platform/workspace-scope.ts';

export type WorkflowHook = z.infer<typeof workflowHook>;

type Row = {
  trigger_id: string;
  token: string;
  has_secret: boolean;
  calls: string;
  last_call_at: Date | null;
  sample: WorkflowHook['sample'] | undefined;
};
type Of = { workflowId: string; triggerId: string };

const COLUMNS = 'trigger_id, token, secret_hash IS NOT NULL AS has_secret, calls, last_call_at, sample';

export async function listHooks(
  scope: ReadScope,
  workflowId: string,
  publicUrl: string,
): Promise<WorkflowHook[] | 'workflow_not_found'> {
  if (!(await isWorkflow(scope, workflowId))) return 'workflow_not_found';
  const { rows } = await scope.query<Row>(
    `SELECT ${COLUMNS} FROM flow_hooks WHERE workspace_id = $1 AND flow_id = $2 ORDER BY created_at, trigger_id`,
    [scope.workspaceId, workflowId],
  );
  return rows.map((row) => present(row, publicUrl));
}

/** Makes the address where there is none. The secret itself is not stored: what callers send is compared by its fingerprint. */
export async function setHook(
  scope: WorkspaceScope,
  { secrets, publicUrl }: { secrets: SecretBox; publicUrl: string },
  { workflowId, triggerId, secret }: Of & { secret?: string | null | undefined },
): Promise<WorkflowHook | 'workflow_not_found'> {
  if (!(await isWorkflow(scope, workflowId))) return 'workflow_not_found';
  const hash = typeof secret === 'string' ? secretHash(secrets, secret) : null;
  const { rows } = await scope.query<Row>(
    `INSERT INTO flow_hooks AS h (id, workspace_id, flow_id, trigger_id, token, secret_hash, created_at) VALUES ($1, $2, $3, $4, $5, $6, $7)
     ON CONFLICT (flow_id, trigger_id) DO UPDATE SET secret_hash = CASE WHEN $8 THEN excluded.secret_hash ELSE h.secret_hash END
     RETURNING ${COLUMNS}`,
    [
      ...[newId(), scope.workspaceId, workflowId, triggerId, newToken(), hash, scope.clock()],
      secret !== undefined,
    ],
  );
  return present(rows[0]!, publicUrl); // written above
}

/** A workflow that is published can be called: its triggers without an address get one, which has no secret yet. */
export async function addMissingHooks(
  scope: WorkspaceScope,
  workflowId: string,
  triggerIds: readonly string[],
): Promise<void> {
  for (const triggerId of triggerIds)
    await scope.query(
      `INSERT INTO flow_hooks (id, workspace_id, flow_id, trigger_id, token, created_at) VALUES ($1, $2, $3, $4, $5, $6)
       ON CONFLICT (flow_id, trigger_id) DO NOTHING`,
      [newId(), scope.workspaceId, workflowId, triggerId, newToken(), scope.clock()],
    );
}

export async function renewHook(
  scope: WorkspaceScope,
  publicUrl: string,
  { workflowId, triggerId }: Of,
): Promise<WorkflowHook | 'workflow_not_found'> {
  if (!(await isWorkflow(scope, workflowId))) return 'workflow_not_found';
  const { rows } = await scope.query<Row>(
    `INSERT INTO flow_hooks AS h (id, workspace_id, flow_id, trigger_id, token, created_at) VALUES ($1, $2, $3, $4, $5, $6)
     ON CONFLICT (flow_id, trigger_id) DO UPDATE SET token = excluded.token RETURNING ${COLUMNS}`,
    [newId(), scope.workspaceId, workflowId, triggerId, newToken(), scope.clock()],
  );
  return present(rows[0]!, publicUrl); // written above
}

export function secretHash(secrets: Pick<SecretBox, 'fingerprint'>, secret: string): string {
  return secrets.fingerprint(`hook-secret/${secret}`);
}

/** Nobody guesses it. */
function newToken(): string {
  return randomBytes(24).toString('base64url');
}

export async function isWorkflow(scope: ReadScope, workflowId: string): Promise<boolean> {
  const { rowCount } = await scope.query(
    `SELECT FROM flows WHERE workspace_id = $1 AND id = $2 AND kind = 'workflow'`,
    [scope.workspaceId, workflowId],
  );
  return rowCount !== 0;
}

function present(row: Row, publicUrl: string): WorkflowHook {
  return {
    ...{ triggerId: row.trigger_id, url: `${publicUrl}/hooks/${row.token}`, hasSecret: row.has_secret },
    ...{ calls: Number(row.calls), lastCallAt: row.last_call_at?.toISOString() ?? null },
    sample: row.sample ?? null,
  };
}
