import type { ErrorCode } from '@app/contracts/errors';
import { campaigns } from '@app/database/campaigns/campaigns-tables';
import type { Queries } from '@app/database/database';
import { newId } from '@app/database/new-id';
import { countAudience } from '@app/delivery/audience-preview';
import { allowsAct } from '@app/domain/campaigns/campaign-status';
import { retryName } from '@app/domain/campaigns/retry-name';
import type pg from 'pg';
import type { CampaignRow } from '../platform/messaging/campaign-overview.ts';
import { choiceOf, findMessage } from '../platform/messaging/choose-message.ts';
import { checkBeforeSending } from '../platform/messaging/preflight.ts';
import { startCampaign } from '../platform/messaging/start-campaign.ts';
import type { SignedInContext } from '../platform/request-context.ts';
import { findCampaign, lockCampaign } from './campaigns-queries.ts';

type Refusal = Extract<
  ErrorCode,
  | 'campaign_not_found'
  | 'campaign_act_refused'
  | 'campaign_retry_running'
  | 'campaign_audience_empty'
  | 'channel_not_connected'
  | 'template_not_approved'
>;

/**
 * Starts a campaign of its own for those whose message failed: the record of the first one stays as it was. Whoever may
 * not be written to any more is left out as at every start, and so is everybody to whom an earlier retry sent it: two people
 * who press the button are no reason to write to anybody twice.
 */
export async function retryFailed(
  tx: Queries,
  client: pg.PoolClient,
  { session, clock }: Pick<SignedInContext, 'session' | 'clock'>,
  campaignId: string,
): Promise<{ campaignId: string } | Refusal> {
  const { workspaceId, user } = session;
  const source = await lockCampaign(tx, workspaceId, campaignId);
  if (!source) return 'campaign_not_found';
  if (!allowsAct(source.status, 'retry_failed')) return 'campaign_act_refused';
  const { audience, runningId } = await planRetry(client, source);
  // Who still waits there is not among its recipients yet.
  if (runningId !== null) return 'campaign_retry_running';
  const audienceSize = await countAudience(client, { workspaceId, audience });
  if (audienceSize === 0) return 'campaign_audience_empty';
  const id = newId();
  const { kind, templateId, templateName, customMessage, variables, quietHours } = source;
  await tx.insert(campaigns).values({
    ...{ id, workspaceId, kind, templateId, templateName, customMessage, variables, quietHours },
    ...{ audience, audienceSize, name: retryName(source.name), createdBy: user.id },
  });
  const started = await startCampaign(tx, client, workspaceId, id, clock());
  if (started.outcome !== 'refused') return { campaignId: id };
  if (started.code === 'campaign_segment_deleted')
    throw new Error('The failed of a campaign are no segment.');
  return started.code === 'template_not_found' ? 'template_not_approved' : started.code;
}

/** Whom a retry would reach now and at what cost: asked by the same audience as the retry itself, so that both agree. */
export async function checkBeforeRetry(
  tx: Queries,
  client: pg.PoolClient,
  workspaceId: string,
  campaignId: string,
) {
  const source = await findCampaign(tx, workspaceId, campaignId);
  if (!source) return 'campaign_not_found';
  if (!allowsAct(source.status, 'retry_failed')) return 'campaign_act_refused';
  const { audience, runningId } = await planRetry(client, source);
  const choice = choiceOf(source);
  const message = choice ? await findMessage(tx, workspaceId, choice) : { kind: 'missing' as const };
  const resolved = { audience, segments: [], deletedSegmentIds: [] };
  return { ...(await checkBeforeSending(tx, client, workspaceId, { message, resolved })), runningId };
}

/** The audience of a retry, and the retry that is still under way, if there is one. Who starts one holds the campaign's row. */
async function planRetry(
  client: pg.PoolClient,
  { workspaceId, id }: Pick<CampaignRow, 'workspaceId' | 'id'>,
): Promise<{ audience: { failedOf: string; retriedBy: string[] }; runningId: string | null }> {
  const earlier = await readRetries(client, workspaceId, id);
  const running = earlier.find(({ isOver }) => !isOver);
  return {
    audience: { failedOf: id, retriedBy: earlier.map(({ campaignId }) => campaignId) },
    runningId: running?.campaignId ?? null,
  };
}

/** The campaigns that were made of this one's failed recipients, also those that were deleted since. */
async function readRetries(
  client: pg.PoolClient,
  workspaceId: string,
  campaignId: string,
): Promise<{ campaignId: string; isOver: boolean }[]> {
  const { rows } = await client.query(
    `SELECT campaign_id AS "campaignId", completed_at IS NOT NULL AS "isOver" FROM delivery_runs
      WHERE workspace_id = $1 AND retry_of = $2 ORDER BY run_no`,
    [workspaceId, campaignId],
  );
  return rows;
}
