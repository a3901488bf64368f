import { outcomeSql } from '@app/database/campaigns/recipient-outcome';
import {
  CAMPAIGN_OUTCOME,
  campaignOutcomes,
  type CampaignOutcome,
} from '@app/domain/integrations/event-connector';
import { every } from '../../platform/jobs/define-job.ts';
import type { ApiDependencies } from '../../platform/request-context.ts';
import type { ReadScope, WorkspaceScope } from '../../platform/workspace-scope.ts';
import type { LineBody } from '../../webhook-endpoints/connector-deliveries.ts';
import { deriveId } from '../../webhook-endpoints/derived-id.ts';
import { insertDeliveries } from '../../webhook-endpoints/enqueue-deliveries.ts';
import { eachConnectionWith, type HearingConnection } from './each-connection.ts';

/** Reads, clicks and replies come within a day, most of them. */
const AFTER_MS = 24 * 3_600_000;
/** Recipients that one statement looks at, and statements of one look. */
const WINDOW = 20_000;
const MOST_WINDOWS = 10;
/** Other events of the line wait behind so many seconds of outcomes, at most. */
const WAITING_SECONDS = 60;

/** In the order of the runs: up to `seq` of run `runNo`; null: this run is done. `completedAt` is text, because the database counts microseconds. */
type Place = { completedAt: string; runNo: number; seq: number | null };
type Run = { run_no: number; campaign_id: string; completed_at: string; total: number };
type Found = CampaignOutcome & { seq: number; contactId: string; at: Date };

export const campaignOutcomesSchedule = every(60, {
  name: 'integration-campaign-outcomes',
  timeoutSeconds: 120,
  run: enqueueCampaignOutcomes,
});

/** Enqueues, for each connection that asked for it, what became of the messages of campaigns that were completed a day ago. */
export function enqueueCampaignOutcomes(parts: ApiDependencies): Promise<void> {
  return eachConnectionWith(parts, 'campaignOutcomes', enqueueOf);
}

/** How far it came is stored with what is enqueued, in one transaction. */
async function enqueueOf(scope: WorkspaceScope, { row, events, isOn }: HearingConnection): Promise<void> {
  const before = await readPlace(scope, row.id);
  const due = new Date(scope.clock().getTime() - AFTER_MS);
  // The first time, and after outcomes were not wanted for a while, only what becomes due from now on counts.
  let place: Place | null = before ?? { completedAt: due.toISOString(), runNo: 0, seq: null };
  if (!isOn) place = null;
  else if (before) {
    const line = await findLine(scope, row.id);
    let room = line ? events.perSecond * WAITING_SECONDS - line.waiting : 0;
    for (let window = 0; line && room > 0 && window < MOST_WINDOWS; window += 1) {
      const run = await findRun(scope, place, due);
      if (!run) break;
      const from: number = place.seq !== null && Number(run.run_no) === place.runNo ? place.seq : -1;
      const found = await listOutcomes(scope, run, { integrationId: row.id, from, limit: room });
      await enqueue(scope, line.id, run, found);
      // A full page may have more behind its last recipient.
      const until = found.length === room ? found.at(-1)!.seq : from + WINDOW;
      const seq: number | null = until + 1 >= run.total ? null : until;
      place = { completedAt: run.completed_at, runNo: Number(run.run_no), seq };
      room -= found.length;
    }
  }
  if (JSON.stringify(place) !== JSON.stringify(before))
    await scope.query('UPDATE integrations SET outcomes_place = $3 WHERE workspace_id = $1 AND id = $2', [
      ...[scope.workspaceId, row.id, place && JSON.stringify(place)],
    ]);
}

async function readPlace(scope: ReadScope, id: string): Promise<Place | null> {
  const { rows } = await scope.query<{ place: Place | null }>(
    'SELECT outcomes_place AS place FROM integrations WHERE workspace_id = $1 AND id = $2',
    [scope.workspaceId, id],
  );
  const place = rows[0]?.place;
  return place ? { completedAt: place.completedAt, runNo: place.runNo, seq: place.seq } : null;
}

async function findLine(
  scope: ReadScope,
  integrationId: string,
): Promise<{ id: string; waiting: number } | undefined> {
  const { rows } = await scope.query<{ id: string; waiting: number }>(
    `SELECT e.id, (SELECT count(*)::int FROM webhook_deliveries d
                    WHERE d.workspace_id = e.workspace_id AND d.endpoint_id = e.id AND d.status = 'waiting') AS waiting
       FROM webhook_endpoints e WHERE e.workspace_id = $1 AND e.integration_id = $2 AND e.url = ''`,
    [scope.workspaceId, integrationId],
  );
  return rows[0];
}

/** The run that is under way, or the next one. */
async function findRun(scope: ReadScope, place: Place, due: Date): Promise<Run | undefined> {
  const { rows } = await scope.query<Run>(
    `SELECT run_no, campaign_id, completed_at::text, total FROM delivery_runs
      WHERE workspace_id = $1 AND completed_at <= $4
        AND (($5 AND run_no = $3) OR (completed_at, run_no) > ($2::timestamptz, $3::bigint))
      ORDER BY ($5 AND run_no = $3) DESC, completed_at, run_no LIMIT 1`,
    [scope.workspaceId, place.completedAt, place.runNo, due, place.seq !== null],
  );
  return rows[0];
}

/** Of recipients whom a sync linked with a record there. */
async function listOutcomes(
  scope: ReadScope,
  { run_no: runNo }: Run,
  { integrationId, from, limit }: { integrationId: string; from: number; limit: number },
): Promise<Found[]> {
  const { rows } = await scope.query<Found>(
    `SELECT * FROM (
       SELECT r.seq, r.contact_id AS "contactId", coalesce(r.accepted_at, run.completed_at) AS at, ${outcomeSql} AS outcome,
              r.replied_at IS NOT NULL AS replied,
              EXISTS (SELECT FROM link_clicks k WHERE k.owner = 'r' || r.run_no AND k.seq = r.seq) AS clicked
         FROM delivery_recipients r JOIN delivery_runs run USING (run_no)
         JOIN integration_records i ON i.workspace_id = r.workspace_id AND i.integration_id = $3 AND i.contact_id = r.contact_id
              AND i.external_id IS NOT NULL AND NOT i.is_gone
        WHERE r.workspace_id = $1 AND r.run_no = $2 AND r.seq > $4 AND r.seq <= $4 + ${WINDOW} AND r.seq < run.total) AS found
      WHERE outcome = ANY ($5) ORDER BY seq LIMIT $6`,
    [scope.workspaceId, runNo, integrationId, from, campaignOutcomes, limit],
  );
  return rows;
}

/** Once for each recipient, also of a run that is completed a second time: the id is made of the run and the place in it. */
async function enqueue(
  scope: WorkspaceScope,
  lineId: string,
  { run_no: runNo, campaign_id: campaignId }: Run,
  found: readonly Found[],
): Promise<void> {
  if (found.length === 0) return;
  await insertDeliveries(
    ...([scope, scope.workspaceId] as const),
    found.map(({ seq, contactId, at, outcome, clicked, replied }) => {
      const body: LineBody = {
        data: { outcome, clicked, replied },
        ...{ contactId, conversationId: null, campaignId },
      };
      return {
        ...{ id: deriveId(`${lineId}/${runNo}/${seq}`), endpoint_id: lineId, fact_id: null },
        ...{ type: CAMPAIGN_OUTCOME, occurred_at: at.toISOString(), body: JSON.stringify(body) },
        ...{ contact_ids: [contactId], is_manual: false },
      };
    }),
    scope.clock(),
  );
}
