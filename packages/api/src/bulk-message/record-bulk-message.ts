import { addCampaign } from '@app/database/campaigns/write-campaigns';
import type { ErrorCode } from '@app/contracts/errors';
import type { CampaignVariables } from '@app/database/campaigns/campaigns-tables';
import { newId } from '@app/database/new-id';
import { bulkCampaignName } from '@app/domain/bulk-message/bulk-campaign-name';
import { quietUntil, type QuietHours } from '@app/domain/campaigns/quiet-hours';
import type { ChosenAudience } from '@app/domain/delivery/audience';
import { users } from '@app/database/auth/auth-tables';
import { personOf } from '@app/domain/auth/caller';
import { eq } from 'drizzle-orm';
import { resolveAudience } from '../sending/audience-segments.ts';
import { findMessage, hasOthers, isSendable, type MessageChoice } from '../sending/choose-message.ts';
import { findQuietHours } from '../sending/chosen-quiet-hours.ts';
import { findSender, isOwnNumber } from '../sending/find-sender.ts';
import { resolveVariables } from '../sending/message-variables.ts';
import { checkBeforeSending } from '../sending/preflight.ts';
import { findUnfilled } from '../sending/value-problems.ts';
import type { SendingParts } from '../sending/count-links.ts';
import { startCampaign } from '../sending/start-campaign.ts';
import type { WorkspaceScope } from '../platform/workspace-scope.ts';

type BulkMessage = {
  audience: ChosenAudience;
  message: MessageChoice;
  variables: CampaignVariables;
  allowMissingValues: boolean;
  scheduledAt: string | null;
  /** Undefined where nobody chose any. */
  quietHours?: QuietHours | null | undefined;
  channelId: string | null;
  takeBackSeconds: number;
};

export type RecordedBulkMessage = {
  campaignId: string;
  recipients: number;
  scheduledAt: string | null;
  quietUntil: string | null;
  heldUntil: string | null;
  heldForMs: number | null;
};

type Refusal = Extract<
  ErrorCode,
  | 'bulk_message_no_contacts'
  | 'campaign_schedule_past'
  | 'campaign_audience_empty'
  | 'campaign_segment_deleted'
  | 'channel_not_connected'
  | 'channel_not_found'
  | 'chosen_number_off'
  | 'template_not_found'
  | 'template_not_approved'
  | 'custom_field_unknown'
  | 'placeholder_without_value'
  | 'link_target_missing'
>;

/**
 * Records a bulk send as a campaign and starts or schedules it, in the caller's transaction: both or neither. Emits
 * `bulk_message.sent` or `bulk_message.scheduled`.
 */
export async function recordBulkMessage(
  scope: WorkspaceScope,
  parts: SendingParts,
  {
    audience,
    message: choice,
    variables: wanted,
    allowMissingValues,
    scheduledAt,
    quietHours: chosenHours,
    channelId,
    takeBackSeconds,
  }: BulkMessage,
): Promise<RecordedBulkMessage | Refusal> {
  const { tx, workspaceId } = scope;
  const now = scope.clock();
  if (scheduledAt !== null && new Date(scheduledAt) <= now) return 'campaign_schedule_past';
  if (!(await isOwnNumber(scope, channelId))) return 'channel_not_found';
  const message = await findMessage(scope, choice, channelId ?? undefined);
  if (message.kind === 'missing') return 'template_not_found';
  const { rules } = await findSender(scope, parts.channelKinds, channelId);
  if (!isSendable(message, rules)) return 'template_not_approved';
  const resolved = await resolveAudience(scope, audience, { hold: true });
  if (resolved.deletedSegmentIds.length > 0) return 'campaign_segment_deleted';
  const variables = await resolveVariables(scope, message, wanted);
  if (variables === 'custom_field_unknown') return variables;
  if (!allowMissingValues && findUnfilled(message, variables).length > 0) return 'placeholder_without_value';
  const { chosen, receiving, obstacle, pricePerMessage, priceCurrency } = await checkBeforeSending(
    scope,
    parts.channelKinds,
    {
      message,
      variables: null,
      resolved,
      channelId,
    },
  );
  if (chosen === 0) return 'bulk_message_no_contacts';
  if (receiving === 0) return 'campaign_audience_empty';
  if (obstacle === 'not_connected') return 'channel_not_connected';
  if (obstacle === 'chosen_number_off') return obstacle;
  if (obstacle === 'template_elsewhere') return 'template_not_approved';

  const quietHours = await findQuietHours(scope, chosenHours);
  const createdBy = personOf(scope.caller);
  const [sender] = createdBy
    ? await tx.select({ timezone: users.timezone }).from(users).where(eq(users.id, createdBy))
    : [];
  const campaignId = newId();
  await addCampaign(tx, {
    id: campaignId,
    workspaceId,
    name: bulkCampaignName(now, sender?.timezone ?? 'UTC'),
    kind: 'bulk',
    templateId: message.kind === 'template' ? message.template.id : null,
    templateName: message.kind === 'template' ? message.template.name : null,
    customMessage: message.kind === 'text' ? message.text : null,
    inContactLanguage: hasOthers(message),
    variables,
    allowMissingValues,
    audience,
    audienceSize: chosen,
    segments: resolved.segments,
    quietHours,
    channelId,
    pricePerMessage,
    priceCurrency,
    status: scheduledAt === null ? 'draft' : 'scheduled',
    scheduledAt: scheduledAt === null ? null : new Date(scheduledAt),
    createdBy,
  });
  const sendsAt = scheduledAt === null ? now : new Date(scheduledAt);
  const recorded = {
    ...{ campaignId, recipients: receiving, scheduledAt },
    quietUntil: (quietHours && quietUntil(quietHours, sendsAt))?.toISOString() ?? null,
    heldUntil: null,
    heldForMs: null,
  };
  if (scheduledAt !== null) {
    await scope.emit({
      type: 'bulk_message.scheduled',
      subject: campaignId,
      values: { recipients: receiving },
    });
    return recorded;
  }
  const started = await startCampaign(scope, parts, campaignId, { takeBackSeconds });
  if (started.outcome === 'refused')
    return started.code === 'campaign_audience_empty' || started.code === 'link_target_missing'
      ? started.code
      : 'channel_not_connected';
  await scope.emit({ type: 'bulk_message.sent', subject: campaignId, values: { recipients: receiving } });
  if (started.outcome !== 'started') return recorded;
  const { heldUntil, heldForMs } = started;
  return { ...recorded, heldUntil, heldForMs };
}
