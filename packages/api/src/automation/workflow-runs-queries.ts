import type { runLogEntry, workflowRun, workflowRunDetails } from '@app/contracts/automation/workflow-values';
import { bindTo } from '@app/database/bind-value';
import { searchCondition } from '@app/database/contacts/search-condition';
import { maskSecrets } from '@app/domain/flows/mask-secrets';
import type { RunState } from '@app/domain/flows/run-state';
import type { z } from 'zod';
import { cutPage, readTimeCursor, timeKey } from '../platform/keyset.ts';
import type { ReadScope } from '../platform/workspace-scope.ts';

export type WorkflowRun = z.infer<typeof workflowRun>;
type RunLogEntry = z.infer<typeof runLogEntry>;

type RunRow = {
  id: string;
  flow_id: string;
  version: number;
  contact_id: string | null;
  contact_name: string | null;
  contact_phone: string | null;
  is_contact_gone: boolean;
  trigger_id: string | null;
  status: WorkflowRun['status'];
  state: RunState;
  step_id: string | null;
  wait: 'delay' | 'time' | 'reply' | 'event' | 'effect' | null;
  is_test: boolean;
  retried_from: string | null;
  end_code: string | null;
  started_at: Date;
  ended_at: Date | null;
  step_type: string | null;
  trigger_type: string | null;
};

/** Of a run `r`: what began it, by the version that it is on. */
export const TRIGGER_TYPE = `(SELECT t->>'type' FROM flow_versions v, jsonb_array_elements(v.content->'triggers') AS t
    WHERE v.flow_id = r.flow_id AND v.number = r.version AND t->>'id' = r.trigger_id)`;
const COLUMNS = `r.id, r.flow_id, r.version, k.id AS contact_id, k.name AS contact_name, k.phone AS contact_phone,
  k.id IS NULL AND (r.contact_id IS NOT NULL OR r.end_code IS NOT DISTINCT FROM 'contact_gone') AS is_contact_gone, r.trigger_id, r.status, r.state,
  r.step_id, r.wait, r.is_test, r.retried_from, r.end_code, r.started_at, r.ended_at, ${TRIGGER_TYPE} AS trigger_type,
  (SELECT s->>'type' FROM flow_versions v, jsonb_array_elements(v.content->'steps') AS s
    WHERE v.flow_id = r.flow_id AND v.number = r.version AND s->>'id' = r.step_id) AS step_type`;
const TABLES = 'flow_runs r LEFT JOIN contacts k ON k.id = r.contact_id AND k.workspace_id = r.workspace_id';

export async function listRuns(
  scope: ReadScope,
  filter: {
    workflowId: string;
    status?: WorkflowRun['status'] | undefined;
    contactId?: string | undefined;
    search?: string | undefined;
    from?: string | undefined;
    to?: string | undefined;
    limit: number;
    cursor?: string | undefined;
  },
): Promise<{ items: WorkflowRun[]; nextCursor: string | null } | 'workflow_not_found'> {
  const { rowCount: isThere } = await scope.query(
    `SELECT FROM flows WHERE workspace_id = $1 AND id = $2 AND kind = 'workflow'`,
    [scope.workspaceId, filter.workflowId],
  );
  if (!isThere) return 'workflow_not_found';
  const values: unknown[] = [scope.workspaceId, filter.workflowId];
  const bind = bindTo(values);
  const conditions = ['r.workspace_id = $1 AND r.flow_id = $2'];
  if (filter.status) conditions.push(`r.status = ${bind(filter.status, 'text')}`);
  if (filter.contactId) conditions.push(`r.contact_id = ${bind(filter.contactId, 'uuid')}`);
  if (filter.from) conditions.push(`r.started_at >= ${bind(filter.from, 'timestamptz')}`);
  if (filter.to) conditions.push(`r.started_at < ${bind(filter.to, 'timestamptz')}`);
  const search = filter.search?.trim();
  if (search) conditions.push(searchCondition(search, bind, 'k.search_text'));
  const after = readTimeCursor(filter.cursor);
  if (after)
    conditions.push(`(r.started_at, r.id) < (${bind(after.key, 'timestamptz')}, ${bind(after.id, 'uuid')})`);
  const { rows } = await scope.query<RunRow & { place: string }>(
    `SELECT ${COLUMNS}, ${timeKey('r.started_at')} AS place FROM ${TABLES} WHERE ${conditions.join(' AND ')}
      ORDER BY r.started_at DESC, r.id DESC LIMIT ${bind(filter.limit + 1, 'integer')}`,
    values,
  );
  const found = cutPage(rows, filter.limit, ({ place, id }) => ({ key: place, id }));
  return { items: found.items.map(presentRun), nextCursor: found.nextCursor };
}

/** Runs of one contact through all workflows, newest first. */
export async function listRunsOfContact(
  scope: ReadScope,
  { contactId, limit, cursor }: { contactId: string; limit: number; cursor?: string | undefined },
): Promise<
  { items: (WorkflowRun & { workflowName: string })[]; nextCursor: string | null } | 'contact_not_found'
> {
  const { rowCount: isThere } = await scope.query(
    'SELECT FROM contacts WHERE workspace_id = $1 AND id = $2',
    [scope.workspaceId, contactId],
  );
  if (!isThere) return 'contact_not_found';
  const after = readTimeCursor(cursor);
  const { rows } = await scope.query<RunRow & { place: string; workflow_name: string }>(
    `SELECT ${COLUMNS}, ${timeKey('r.started_at')} AS place, f.name AS workflow_name
       FROM ${TABLES} JOIN flows f ON f.id = r.flow_id AND f.kind = 'workflow'
      WHERE r.workspace_id = $1 AND r.contact_id = $2
        AND ($3::timestamptz IS NULL OR (r.started_at, r.id) < ($3::timestamptz, $4::uuid))
      ORDER BY r.started_at DESC, r.id DESC LIMIT $5`,
    [scope.workspaceId, contactId, after?.key ?? null, after?.id ?? null, limit + 1],
  );
  const found = cutPage(rows, limit, ({ place, id }) => ({ key: place, id }));
  return {
    items: found.items.map((row) => ({ ...presentRun(row), workflowName: row.workflow_name })),
    nextCursor: found.nextCursor,
  };
}

export async function findRun(
  scope: ReadScope,
  runId: string,
): Promise<z.infer<typeof workflowRunDetails> | null> {
  const { rows } = await scope.query<RunRow & { workflow_name: string }>(
    `SELECT ${COLUMNS}, f.name AS workflow_name FROM ${TABLES} JOIN flows f ON f.id = r.flow_id AND f.kind = 'workflow'
      WHERE r.workspace_id = $1 AND r.id = $2`,
    [scope.workspaceId, runId],
  );
  const [row] = rows;
  if (!row) return null;
  return {
    ...presentRun(row),
    workflowName: row.workflow_name,
    // What another service sent may hold secrets: values whose names say so are not shown.
    triggerValues: maskSecrets(row.state.trigger) as z.infer<typeof workflowRunDetails>['triggerValues'],
    log: await readLog(scope, row),
  };
}

const LONGEST_LOG = 2_000;

async function readLog(scope: ReadScope, { id, started_at }: RunRow): Promise<RunLogEntry[]> {
  const { rows } = await scope.query<{
    id: string;
    visit: number;
    step_id: string | null;
    type: string;
    event: RunLogEntry['event'];
    exit: string | null;
    code: string | null;
    details: RunLogEntry['details'];
    attempt: number;
    began_at: Date;
    ended_at: Date;
  }>(
    `SELECT id, visit, step_id, type, event, exit, code, details, attempt, began_at, ended_at FROM flow_log
      WHERE workspace_id = $1 AND run_id = $2 AND ended_at >= $3 ORDER BY ended_at, visit, id LIMIT ${LONGEST_LOG}`,
    [scope.workspaceId, id, started_at],
  );
  return rows.map((row) => ({
    ...{ id: row.id, visit: row.visit, stepId: row.step_id, type: row.type, event: row.event },
    ...{
      exit: row.exit,
      code: row.code,
      details: maskSecrets(row.details) as RunLogEntry['details'],
      attempt: row.attempt,
    },
    beganAt: row.began_at.toISOString(),
    endedAt: row.ended_at.toISOString(),
  }));
}

function presentRun(row: RunRow): WorkflowRun {
  const until = row.state.wait && 'until' in row.state.wait ? row.state.wait.until : null;
  return {
    ...{ id: row.id, workflowId: row.flow_id, version: row.version },
    ...{ trigger: row.trigger_id, triggerType: row.trigger_type },
    contact:
      row.contact_id === null
        ? null
        : { id: row.contact_id, name: row.contact_name ?? '', phone: row.contact_phone },
    isContactGone: row.is_contact_gone,
    ...{ status: row.status, code: row.end_code, isTest: row.is_test, retriedFrom: row.retried_from },
    startedAt: row.started_at.toISOString(),
    endedAt: row.ended_at?.toISOString() ?? null,
    at:
      row.step_id === null || row.status !== 'running'
        ? null
        : {
            stepId: row.step_id,
            type: row.step_type ?? '',
            visit: row.state.visit,
            wait: row.wait,
            until: until === null ? null : new Date(until).toISOString(),
          },
  };
}
