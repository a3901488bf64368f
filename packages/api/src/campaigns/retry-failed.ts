import type { ErrorCode } from '@app/contracts/errors';
import { campaigns } from '@app/database/campaigns/campaigns-tables';
import { newId } from '@app/database/new-id';
import { countAudience } from '@app/delivery/audience-preview';
import { personOf } from '@app/domain/auth/caller';
import { allowsAction } from '@app/domain/campaigns/campaign-status';
import type { ChannelKinds } from '@app/domain/channels/channel-kind';
import { retryName } from '@app/domain/campaigns/retry-name';
import type { CampaignRow } from '../sending/campaign-overview.ts';
import { findLeftOut, resolveAudience } from '../sending/audience-segments.ts';
import { choiceOf, findMessage } from '../sending/choose-message.ts';
import { checkBeforeSending } from '../sending/preflight.ts';
import type { SendingParts } from '../sending/count-links.ts';
import { startCampaign } from '../sending/start-campaign.ts';
import type { ReadScope, WorkspaceScope } from '../platform/workspace-scope.ts';
import { findCampaign, lockCampaign, readCountsLinks } from './campaigns-queries.ts';

type Refusal = Extract<
  ErrorCode,
  | 'campaign_not_found'
  | 'campaign_act_refused'
  | 'campaign_retry_running'
  | 'campaign_audience_empty'
  | 'channel_not_connected'
  | 'chosen_number_off'
  | 'template_not_approved'
  | 'content_not_found'
  | 'content_not_active'
  | 'content_elsewhere'
  | 'link_target_missing'
  | 'campaign_variants_differ'
  | 'content_file_gone'
>;

/**
 * Starts a new campaign for the contacts whose message failed; the first campaign stays as it was. Contacts who opted out
 * since are left out, as at every start, and so are those to whom an earlier retry sent the message: when two people press
 * the button, nobody gets it twice. Emits `campaign.failed_retried`.
 */
export async function retryFailed(
  scope: WorkspaceScope,
  parts: SendingParts,
  campaignId: string,
  { allowMissingValues = false } = {},
): Promise<{ campaignId: string } | Refusal> {
  const { tx, workspaceId, caller } = scope;
  const source = await lockCampaign(scope, campaignId);
  if (!source) return 'campaign_not_found';
  if (!allowsAction(source.status, 'retry_failed')) return 'campaign_act_refused';
  // Who still waits there is not among its recipients yet.
  if ((await findRunningRetry(scope, source)) !== null) return 'campaign_retry_running';
  const planned = { failedOf: source.id };
  const { audience } = await resolveAudience(scope, planned);
  const audienceSize = await countAudience(scope, { workspaceId, audience });
  if (audienceSize === 0) return 'campaign_audience_empty';
  const id = newId();
  const { kind, templateId, templateName, customMessage, variables, quietHours, channelId } = source;
  const { inContactLanguage, contentId, contentName, abTest } = source;
  await tx.insert(campaigns).values({
    ...{ id, workspaceId, kind, templateId, templateName, customMessage, variables, quietHours, channelId },
    ...{
      inContactLanguage,
      allowMissingValues,
      contentId,
      contentName,
      abTest,
      countsLinks: await readCountsLinks(scope, source.id),
    },
    ...{ audience: planned, audienceSize, name: retryName(source.name), createdBy: personOf(caller) },
    leftOut: await findLeftOut(scope, source.id),
  });
  const started = await startCampaign(scope, parts, id);
  if (started.outcome !== 'refused') {
    await scope.emit({ type: 'campaign.failed_retried', subject: id, values: { retryOf: source.id } });
    return { campaignId: id };
  }
  if (started.code === 'campaign_segment_deleted')
    throw new Error('The failed of a campaign are no segment.');
  return started.code === 'template_not_found' ? 'template_not_approved' : started.code;
}

/** Whom a retry would reach now and at what cost: asked by the same audience as the retry itself, so that both agree. */
export async function checkBeforeRetry(scope: ReadScope, kinds: ChannelKinds, campaignId: string) {
  const source = await findCampaign(scope, campaignId);
  if (!source) return 'campaign_not_found';
  if (!allowsAction(source.status, 'retry_failed')) return 'campaign_act_refused';
  const resolved = await resolveAudience(scope, { failedOf: source.id });
  const runningId = await findRunningRetry(scope, source);
  const choice = choiceOf(source);
  const { channelId, variables } = source;
  const message = choice
    ? await findMessage(scope, choice, channelId ?? undefined)
    : { kind: 'missing' as const, of: 'template' as const };
  const plan = { quietHours: source.quietHours, startsAt: null };
  return {
    ...(await checkBeforeSending(scope, kinds, { message, variables, resolved, channelId, plan })),
    runningId,
  };
}

/** The retry of this campaign that is still under way, also one that was deleted since. Who starts one holds the campaign's row. */
async function findRunningRetry(scope: ReadScope, { id }: Pick<CampaignRow, 'id'>): Promise<string | null> {
  const { rows } = await scope.query<{ campaign_id: string }>(
    `SELECT campaign_id FROM delivery_runs WHERE workspace_id = $1 AND retry_of = $2 AND completed_at IS NULL
      ORDER BY run_no LIMIT 1`,
    [scope.workspaceId, id],
  );
  return rows[0]?.campaign_id ?? null;
}
