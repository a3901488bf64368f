import { givenUpSql } from '@app/database/campaigns/recipient-outcome';
import { recipientState } from '@app/domain/delivery/recipient-state';
import type { RunCounters, RunState } from '@app/domain/delivery/recipient-state';
import type { PauseReason, RunPause } from './delivery-events.ts';
import type { SqlClient } from './sql-client.ts';

export type RunProgress = {
  runNo: number;
  workspaceId: string;
  channelId: string;
  campaignId: string;
  state: RunState;
  pause: RunPause | null;
  /** False while a large audience is still being frozen: `counters.total` grows. */
  isFrozen: boolean;
  counters: RunCounters;
  startedAt: Date | null;
  completedAt: Date | null;
};

/** Exact figures of these runs, without counting messages. Runs that do not exist (or belong to others) are left out. */
export async function readRunProgress(client: SqlClient, runNos: readonly number[]): Promise<RunProgress[]> {
  const { rows } = await client.query<ProgressRow>(
    'SELECT * FROM delivery_progress WHERE run_no = ANY($1::bigint[])',
    [runNos],
  );
  return rows.map(toRunProgress);
}

/** Counts the recipients themselves; always the same figures as `readRunProgress` at the same moment. */
export async function recountRun(client: SqlClient, runNo: number): Promise<RunCounters> {
  const { pending, sending, waiting } = recipientState;
  const { rows } = await client.query<Record<keyof RunCounters, string>>(
    `SELECT count(*) AS total,
       count(*) FILTER (WHERE state IN (${pending}, ${sending}, ${waiting}) AND NOT is_given_up) AS pending,
       count(*) FILTER (WHERE state = ${recipientState.accepted}) AS accepted,
       count(*) FILTER (WHERE state = ${recipientState.refused}) AS refused,
       count(*) FILTER (WHERE state = ${recipientState.cancelled} OR is_given_up) AS cancelled,
       count(*) FILTER (WHERE state = ${recipientState.unknown}) AS unknown,
       count(*) FILTER (WHERE state = ${recipientState.accepted} AND (sent_at IS NOT NULL OR delivered_at IS NOT NULL OR read_at IS NOT NULL)) AS sent,
       count(*) FILTER (WHERE state = ${recipientState.accepted} AND (delivered_at IS NOT NULL OR read_at IS NOT NULL)) AS delivered,
       count(*) FILTER (WHERE state = ${recipientState.accepted} AND read_at IS NOT NULL) AS read,
       count(*) FILTER (WHERE state = ${recipientState.accepted} AND failed_at IS NOT NULL AND delivered_at IS NULL AND read_at IS NULL) AS failed
     FROM (SELECT r.*, ${givenUpSql} AS is_given_up FROM delivery_recipients r JOIN delivery_runs run USING (run_no)
       WHERE run_no = $1) AS counted`,
    [runNo],
  );
  return Object.fromEntries(
    Object.entries(rows[0] ?? {}).map(([name, count]) => [name, Number(count)]),
  ) as RunCounters; // the query names exactly its fields
}

type ProgressRow = Record<Exclude<keyof RunCounters, 'pending'>, number> & {
  run_no: string;
  workspace_id: string;
  channel_id: string;
  campaign_id: string;
  state: RunState;
  pause_reason: PauseReason | null;
  pause_code: string | null;
  pause_detail: string | null;
  resume_at: Date | null;
  frozen_at: Date | null;
  started_at: Date | null;
  completed_at: Date | null;
};

function toRunProgress(row: ProgressRow): RunProgress {
  const { total, accepted, refused, cancelled, unknown, sent, delivered, read, failed } = row;
  const pending = total - accepted - refused - cancelled - unknown;
  return {
    runNo: Number(row.run_no),
    workspaceId: row.workspace_id,
    channelId: row.channel_id,
    campaignId: row.campaign_id,
    state: row.state,
    pause:
      row.state === 'paused'
        ? {
            reason: row.pause_reason ?? 'operator',
            code: row.pause_code,
            detail: row.pause_detail,
            resumeAt: row.resume_at?.getTime() ?? null,
          }
        : null,
    isFrozen: row.frozen_at !== null,
    counters: { total, pending, accepted, refused, cancelled, unknown, sent, delivered, read, failed },
    startedAt: row.started_at,
    completedAt: row.completed_at,
  };
}
