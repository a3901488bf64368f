import { newId } from '@app/database/new-id';
import {
  CAMPAIGN_RESULTS,
  campaignCounts,
  type CampaignCount,
} from '@app/domain/integrations/event-connector';
import { every } from '../../platform/jobs/define-job.ts';
import type { ApiDependencies } from '../../platform/request-context.ts';
import type { ReadScope, WorkspaceScope } from '../../platform/workspace-scope.ts';
import { insertDeliveries } from '../../webhook-endpoints/enqueue-deliveries.ts';
import type { LineBody } from '../../webhook-endpoints/connector-deliveries.ts';
import { eachConnectionWith, type HearingConnection } from './each-connection.ts';

/** Reports of an older campaign count no more, in days. */
const OLDEST_DAYS = 30;

/** Counts of campaigns by their ids. */
type Counts = Record<string, Partial<Record<CampaignCount, number>>>;

/** Once a minute, so that a campaign of any size costs a few calls and no work of its own. */
export const campaignResultsSchedule = every(60, {
  name: 'integration-campaign-results',
  timeoutSeconds: 120,
  run: enqueueCampaignResults,
});

/** Enqueues for each connection that hears of results how far campaigns came since the last time. */
export function enqueueCampaignResults(parts: ApiDependencies): Promise<void> {
  return eachConnectionWith(parts, 'campaignResults', enqueueOf);
}

/** What was counted is stored with what is sent of it, in one transaction: nothing is counted twice. */
async function enqueueOf(scope: WorkspaceScope, { row, isOn: isWanted }: HearingConnection): Promise<void> {
  const before = isWanted ? readCounts(row.cursor) : null;
  const counts = isWanted ? await countCampaigns(scope) : null;
  const now = scope.clock();
  if (before && counts) {
    const [line] = (
      await scope.query<{ id: string }>(
        `SELECT id FROM webhook_endpoints WHERE workspace_id = $1 AND integration_id = $2 AND url = ''`,
        [scope.workspaceId, row.id],
      )
    ).rows;
    const grown = Object.entries(counts).flatMap(([campaignId, after]) => {
      const data = growth(before[campaignId] ?? {}, after);
      return Object.keys(data).length === 0 ? [] : [{ campaignId, data }];
    });
    if (line && grown.length > 0)
      await insertDeliveries(
        ...([scope, scope.workspaceId] as const),
        grown.map(({ campaignId, data }) => {
          const body: LineBody = { data, contactId: null, conversationId: null, campaignId };
          return {
            ...{ id: newId(), endpoint_id: line.id, fact_id: null, type: CAMPAIGN_RESULTS },
            ...{
              occurred_at: now.toISOString(),
              body: JSON.stringify(body),
              contact_ids: [],
              is_manual: false,
            },
          };
        }),
        now,
      );
  }
  // The first time, and after results were not wanted for a while, nothing is sent: only what comes from now on counts.
  const cursor = counts && JSON.stringify(before ? highest(before, counts) : counts);
  if (cursor !== row.cursor)
    await scope.query('UPDATE integrations SET cursor = $3 WHERE workspace_id = $1 AND id = $2', [
      ...[scope.workspaceId, row.id, cursor],
    ]);
}

async function countCampaigns(scope: ReadScope): Promise<Counts> {
  const { rows } = await scope.query<{ id: string } & Record<CampaignCount, number>>(
    `SELECT c.id, c.sent, c.delivered, c.read,
            (SELECT count(*)::int FROM link_clicks k WHERE k.workspace_id = $1 AND k.campaign_id = c.id AND k.is_first) AS clicked,
            (SELECT count(*)::int FROM conversions v WHERE v.workspace_id = $1 AND v.campaign_id = c.id AND v.cancelled_at IS NULL) AS converted
       FROM campaigns_now c WHERE c.workspace_id = $1 AND c.run_no IS NOT NULL AND c.started_at > $2 ORDER BY c.id`,
    [scope.workspaceId, new Date(scope.clock().getTime() - OLDEST_DAYS * 86_400_000)],
  );
  return Object.fromEntries(rows.map(({ id, ...counts }) => [id, counts]));
}

function growth(before: Counts[string], after: Counts[string]): Record<string, number> {
  return Object.fromEntries(
    campaignCounts
      .map((count) => [count, (after[count] ?? 0) - (before[count] ?? 0)] as const)
      .filter(([, more]) => more > 0),
  );
}

/** A count that fell, because a message failed later, and grows again is not counted twice. */
function highest(before: Counts, after: Counts): Counts {
  return Object.fromEntries(
    Object.entries(after).map(([id, counts]) => [
      id,
      Object.fromEntries(
        campaignCounts.map((count) => [count, Math.max(counts[count] ?? 0, before[id]?.[count] ?? 0)]),
      ),
    ]),
  );
}

function readCounts(cursor: string | null): Counts | null {
  // Written above.
  return cursor === null ? null : (JSON.parse(cursor) as Counts);
}
