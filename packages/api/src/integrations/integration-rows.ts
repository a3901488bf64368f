import type { StoredCredentials } from '@app/database/channels/channels-tables';
import type { ConnectorProblem } from '@app/domain/integrations/connector-problems';
import type { FieldMapping } from '@app/domain/integrations/contact-connector';
import type { FilterRule } from '@app/domain/integrations/sync-filter';
import type { EventTarget, EventTopic } from '@app/domain/integrations/event-connector';
import type {
  RunCounts,
  RunPhase,
  RunStatus,
  SyncFrequency,
  SyncTrigger,
} from '@app/domain/integrations/integration-rules';
import type { ReadScope } from '../platform/workspace-scope.ts';

/** A connection as its row has it. */
export type IntegrationRow = {
  id: string;
  kind: string;
  status: 'connected' | 'disconnected' | 'error';
  problem: ConnectorProblem | null;
  problem_detail: string | null;
  credentials: StoredCredentials | null;
  account: string | null;
  key_hint: string | null;
  frequency: SyncFrequency;
  mapping: FieldMapping[];
  filter: FilterRule[];
  creates_there: boolean;
  creates_tag: string | null;
  is_started: boolean;
  cursor: string | null;
  items_cursor: string | null;
  takes_opt_ins: boolean;
  failures: number;
  next_run_at: Date | null;
  checked_at: Date | null;
  last_synced_at: Date | null;
  last_duration_ms: number | null;
  records_synced: string;
  /** What it hears of; null: what its kind begins with. */
  topics: EventTopic[] | null;
  target: EventTarget | null;
  version: number;
};

export type SampleRow = {
  action: 'created' | 'updated' | 'linked' | 'unchanged' | 'removed' | 'skipped' | 'failed';
  name: string;
  phone: string | null;
  email: string | null;
  error: string | null;
};

export type RunRow = {
  id: string;
  integration_id: string;
  trigger: SyncTrigger;
  status: RunStatus;
  phase: RunPhase;
  place: string | null;
  counts: RunCounts;
  sample: SampleRow[];
  problem: ConnectorProblem | null;
  problem_detail: string | null;
  resume_at: Date | null;
  troubled_at: Date | null;
  started_by: string;
  started_at: Date;
  ended_at: Date | null;
};

export const INTEGRATION_COLUMNS = `id, kind, status, problem, problem_detail, credentials, account, key_hint, frequency, mapping, filter, creates_there,
  creates_tag, is_started, cursor, items_cursor, takes_opt_ins, failures, next_run_at, checked_at, last_synced_at, last_duration_ms, records_synced, topics, target,
  version`;
export const RUN_COLUMNS = `id, integration_id, trigger, status, phase, place, counts, sample, problem, problem_detail, resume_at, troubled_at, started_by,
  started_at, ended_at`;

/** The connection of a kind, whatever its status; null where there never was one. */
export async function findIntegration(
  scope: ReadScope,
  kind: string,
  lock: '' | 'FOR NO KEY UPDATE' = '',
): Promise<IntegrationRow | null> {
  const { rows } = await scope.query<IntegrationRow>(
    `SELECT ${INTEGRATION_COLUMNS} FROM integrations WHERE workspace_id = $1 AND kind = $2 ${lock}`,
    [scope.workspaceId, kind],
  );
  return rows[0] ?? null;
}

export async function findIntegrationById(
  scope: ReadScope,
  id: string,
  lock: '' | 'FOR NO KEY UPDATE' = '',
): Promise<IntegrationRow | null> {
  const { rows } = await scope.query<IntegrationRow>(
    `SELECT ${INTEGRATION_COLUMNS} FROM integrations WHERE workspace_id = $1 AND id = $2 ${lock}`,
    [scope.workspaceId, id],
  );
  return rows[0] ?? null;
}

/** The run of a connection that has not ended. */
export async function findOpenRun(scope: ReadScope, integrationId: string): Promise<RunRow | null> {
  const { rows } = await scope.query<RunRow>(
    `SELECT ${RUN_COLUMNS} FROM integration_runs WHERE workspace_id = $1 AND integration_id = $2 AND ended_at IS NULL`,
    [scope.workspaceId, integrationId],
  );
  return rows[0] ?? null;
}
