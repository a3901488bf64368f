import type { workflow, workflowDetails, workflowVersion } from '@app/contracts/automation/workflow-values';
import { bindTo } from '@app/database/bind-value';
import { containsPattern } from '@app/database/contains-pattern';
import { personOf } from '@app/domain/auth/caller';
import type { FlowStatus } from '@app/domain/automation/workflow-status';
import { stepsInOrder } from '@app/domain/flows/check-flow';
import type { FlowFile, FlowKind } from '@app/domain/flows/flow-file';
import { isHeldSql } from '@app/flows/hold-restored';
import type { z } from 'zod';
import { cutPage, readTimeCursor, timeKey } from '../platform/keyset.ts';
import type { ReadScope } from '../platform/workspace-scope.ts';
import { checkFlow } from './check-references.ts';

export type Workflow = z.infer<typeof workflow>;
export type WorkflowDetails = z.infer<typeof workflowDetails>;
export type WorkflowVersion = z.infer<typeof workflowVersion>;

export type FlowRow = {
  id: string;
  kind: FlowKind;
  name: string;
  description: string;
  owner_id: string | null;
  status: FlowStatus;
  draft: FlowFile;
  version: number;
  published: number | null;
  published_draft: number | null;
  published_at: Date | null;
  triggered: string;
  completed: string;
  failed: string;
  cancelled: string;
  last_triggered_at: Date | null;
  paused_for: string | null;
  paused_by_run: string | null;
  held_runs: number;
  created_at: Date;
  updated_at: Date;
  /** Of the published version; null while there is none. */
  content: FlowFile | null;
};

const COLUMNS = `f.id, f.kind, f.name, f.description, f.owner_id, f.status, f.draft, f.version, f.published, f.published_draft, f.published_at, f.triggered,
  f.completed, f.failed, f.cancelled, f.last_triggered_at, f.paused_for, f.paused_by_run, f.created_at, f.updated_at, v.content,
  CASE WHEN f.paused_for = 'restored' THEN (SELECT count(*)::int FROM flow_runs r WHERE r.workspace_id = f.workspace_id AND r.flow_id = f.id AND ${isHeldSql('r')})
       ELSE 0 END AS held_runs`;
const TABLES = 'flows f LEFT JOIN flow_versions v ON v.flow_id = f.id AND v.number = f.published';
const IS_WORKFLOW = `f.workspace_id = $1 AND f.kind = 'workflow'`;
/** Flows of the bot have the same file, versions and log; the one through which it says its built-in answers is nobody's to see. */
const IS_FLOW = `f.workspace_id = $1 AND (f.kind = 'workflow' OR EXISTS (SELECT FROM bot_flows b WHERE b.id = f.id))`;

export async function listWorkflows(
  scope: ReadScope,
  filter: {
    search?: string | undefined;
    status?: FlowStatus | undefined;
    limit: number;
    cursor?: string | undefined;
  },
): Promise<{ items: Workflow[]; nextCursor: string | null; matching: number }> {
  const values: unknown[] = [scope.workspaceId];
  const bind = bindTo(values);
  const conditions = [IS_WORKFLOW];
  if (filter.status) conditions.push(`f.status = ${bind(filter.status, 'text')}`);
  const search = filter.search?.trim().toLowerCase();
  if (search)
    conditions.push(`lower(f.name || ' ' || f.description) LIKE ${bind(containsPattern(search), 'text')}`);
  const matching = conditions.join(' AND ');
  const { rows: counts } = await scope.query<{ n: number }>(
    `SELECT count(*)::int AS n FROM flows f WHERE ${matching}`,
    values,
  );
  const after = readTimeCursor(filter.cursor);
  const place = after
    ? ` AND (f.created_at, f.id) < (${bind(after.key, 'timestamptz')}, ${bind(after.id, 'uuid')})`
    : '';
  const { rows } = await scope.query<FlowRow & { place: string }>(
    `SELECT ${COLUMNS}, ${timeKey('f.created_at')} AS place FROM ${TABLES} WHERE ${matching}${place}
      ORDER BY f.created_at DESC, f.id DESC LIMIT ${bind(filter.limit + 1, 'integer')}`,
    values,
  );
  const found = cutPage(rows, filter.limit, ({ place: key, id }) => ({ key, id }));
  return {
    items: found.items.map((row) => presentWorkflow(scope, row)),
    nextCursor: found.nextCursor,
    matching: counts[0]?.n ?? 0,
  };
}

export async function findFlowRow(
  scope: ReadScope,
  workflowId: string,
  lock: '' | 'FOR UPDATE OF f' = '',
  of: 'workflows' | 'all' = 'workflows',
): Promise<FlowRow | null> {
  const { rows } = await scope.query<FlowRow>(
    `SELECT ${COLUMNS} FROM ${TABLES} WHERE ${of === 'all' ? IS_FLOW : IS_WORKFLOW} AND f.id = $2 ${lock}`,
    [scope.workspaceId, workflowId],
  );
  return rows[0] ?? null;
}

/** A workflow, or a flow of the bot. */
export async function findWorkflow(scope: ReadScope, workflowId: string): Promise<WorkflowDetails | null> {
  const row = await findFlowRow(scope, workflowId, '', 'all');
  return row && presentDetails(scope, row);
}

/** With what keeps the draft from being published, as things stand. */
export async function presentDetails(scope: ReadScope, row: FlowRow): Promise<WorkflowDetails> {
  return {
    ...presentWorkflow(scope, row),
    flow: row.draft,
    problems: await checkFlow(scope, row.draft, row.content),
  };
}

export function presentWorkflow(scope: ReadScope, row: FlowRow): Workflow {
  const shown = row.content ?? row.draft;
  const [triggered, completed, failed, cancelled] = [
    row.triggered,
    row.completed,
    row.failed,
    row.cancelled,
  ].map(Number) as [number, number, number, number]; // four are given
  return {
    ...{ id: row.id, name: row.name, description: row.description, status: row.status },
    triggers: shown.triggers.map(({ type }) => type),
    steps: stepsInOrder(shown).map(({ type }) => type),
    stats: {
      ...{ triggered, completed, failed, cancelled },
      running: Math.max(0, triggered - completed - failed - cancelled),
    },
    createdAt: row.created_at.toISOString(),
    updatedAt: row.updated_at.toISOString(),
    lastTriggered: row.last_triggered_at?.toISOString() ?? null,
    publishedVersion: row.published,
    publishedAt: row.published_at?.toISOString() ?? null,
    hasChanges: row.published_draft !== row.version,
    pausedFor:
      row.paused_for === null
        ? null
        : { code: row.paused_for, runId: row.paused_by_run, heldRuns: row.held_runs },
    version: row.version,
    isOwnDraft: isOwnDraft(scope, row),
  };
}

/** Whether the caller created it and it was never published. */
export function isOwnDraft({ caller }: ReadScope, row: Pick<FlowRow, 'owner_id' | 'published'>): boolean {
  return row.published === null && row.owner_id !== null && row.owner_id === personOf(caller);
}

export async function listVersions(scope: ReadScope, workflowId: string): Promise<WorkflowVersion[]> {
  const { rows } = await scope.query<{
    number: number;
    published_at: Date;
    published_by_name: string;
    is_current: boolean;
    running: number;
  }>(
    `SELECT v.number, v.published_at, v.published_by_name, v.number = f.published AS is_current,
            (SELECT count(*)::int FROM flow_runs r WHERE r.flow_id = f.id AND r.version = v.number AND r.status = 'running') AS running
       FROM flow_versions v JOIN flows f ON f.id = v.flow_id WHERE ${IS_FLOW} AND f.id = $2 AND v.number > 0 ORDER BY v.number DESC LIMIT 200`,
    [scope.workspaceId, workflowId],
  );
  return rows.map((row) => ({
    number: row.number,
    publishedAt: row.published_at.toISOString(),
    publishedBy: row.published_by_name,
    isCurrent: row.is_current,
    running: row.running,
  }));
}

export async function findVersion(
  scope: ReadScope,
  workflowId: string,
  number: number,
): Promise<{ number: number; flow: FlowFile } | null> {
  const { rows } = await scope.query<{ content: FlowFile }>(
    `SELECT v.content FROM flow_versions v JOIN flows f ON f.id = v.flow_id WHERE ${IS_FLOW} AND f.id = $2 AND v.number = $3`,
    [scope.workspaceId, workflowId, number],
  );
  return rows[0] ? { number, flow: rows[0].content } : null;
}
