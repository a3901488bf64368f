import type { ErrorCode } from '@app/contracts/errors';
import {
  campaigns,
  type CampaignAbTest,
  type CampaignFallback,
  type CampaignVariables,
} from '@app/database/campaigns/campaigns-tables';
import { newId } from '@app/database/new-id';
import { personOf } from '@app/domain/auth/caller';
import { countAudience } from '@app/delivery/audience-preview';
import { cancelRun } from '@app/delivery/run-controls';
import type { QuietHours } from '@app/domain/campaigns/quiet-hours';
import type { ChosenAudience, PlannedAudience } from '@app/domain/delivery/audience';
import { and, eq } from 'drizzle-orm';
import { canonicalJson } from '../platform/canonical-json.ts';
import { findVariants, readExpected } from '../sending/ab-variants.ts';
import { resolveAudience } from '../sending/audience-segments.ts';
import {
  categoryOf,
  findMessage,
  hasOthers,
  runMessageOf,
  whyUnsendable,
  type ChosenMessage,
  type MessageChoice,
} from '../sending/choose-message.ts';
import type { ReadScope, WorkspaceScope } from '../platform/workspace-scope.ts';
import type { CampaignRow } from '../sending/campaign-overview.ts';
import { findQuietHours } from '../sending/chosen-quiet-hours.ts';
import { isTargetMissing, type SendingParts } from '../sending/count-links.ts';
import { findSender, isOwnNumber, type Sender } from '../sending/find-sender.ts';
import { priceAudience } from '../sending/price-audience.ts';
import { resolveVariables } from '../sending/message-variables.ts';
import { findUnfilled } from '../sending/value-problems.ts';
import { findCampaign } from './campaigns-queries.ts';

export type CampaignDraft = {
  name: string;
  message: MessageChoice;
  variables: CampaignVariables;
  allowMissingValues: boolean;
  audience: ChosenAudience;
  status: 'draft' | 'scheduled';
  scheduledAt: string | null;
  /** Undefined where nobody chose any. */
  quietHours?: QuietHours | null | undefined;
  /** Undefined: that of the stored campaign, or none. */
  fallback?: CampaignFallback | null | undefined;
  /** Undefined: that of the stored campaign, or true. */
  countsLinks?: boolean | undefined;
  /** Undefined: that of the stored campaign, or false. */
  bestTime?: boolean | undefined;
  /** Undefined: that of the stored campaign, or none. */
  abTest?: NewAbTest | null | undefined;
  /** Null: the number through which the workspace sends when it begins. */
  channelId: string | null;
};

type NewAbTest = Omit<CampaignAbTest, 'variants' | 'expectedRate'> & {
  /** Undefined: that of the last campaigns. */
  expectedRate?: number | undefined;
  variants: readonly Omit<CampaignAbTest['variants'][number], 'name'>[];
};

type CampaignUpdate = Omit<CampaignDraft, 'audience'> & {
  audience: PlannedAudience;
  campaignId: string;
  version: number;
};

type SaveRefusal = Extract<
  ErrorCode,
  | 'template_not_found'
  | 'template_not_approved'
  | 'content_not_found'
  | 'content_not_active'
  | 'content_elsewhere'
  | 'content_file_gone'
  | 'campaign_schedule_past'
  | 'campaign_schedule_missing'
  | 'campaign_audience_empty'
  | 'campaign_segment_deleted'
  | 'channel_not_found'
  | 'custom_field_unknown'
  | 'placeholder_without_value'
  | 'fallback_not_possible'
  | 'link_target_missing'
  | 'campaign_variants_differ'
  | 'campaign_best_time_with_test'
>;
type UpdateError =
  | SaveRefusal
  | Extract<ErrorCode, 'campaign_not_found' | 'campaign_changed' | 'campaign_already_started'>;

/** Stores a new draft or scheduled campaign, or returns the error code. Emits `campaign.created`. */
export async function saveCampaign(
  scope: WorkspaceScope,
  parts: SendingParts,
  draft: CampaignDraft,
): Promise<CampaignRow | SaveRefusal> {
  const { tx, workspaceId, caller } = scope;
  const checked = await checkDraft(scope, parts, draft);
  if (typeof checked === 'string') return checked;
  const id = newId();
  await tx.insert(campaigns).values({ id, workspaceId, createdBy: personOf(caller), ...checked });
  await scope.emit({ type: 'campaign.created', subject: id, values: { name: draft.name } });
  return readBack(scope, id);
}

/** Replaces a campaign unless it was changed since `version`; once sending began only its name changes. Emits `campaign.updated`. */
export async function updateCampaign(
  scope: WorkspaceScope,
  parts: SendingParts,
  { campaignId, version, audience, ...wanted }: CampaignUpdate,
): Promise<CampaignRow | UpdateError> {
  const { tx, workspaceId, clock } = scope;
  const isIt = and(eq(campaigns.workspaceId, workspaceId), eq(campaigns.id, campaignId));
  const [stored] = await tx.select().from(campaigns).where(isIt).for('update');
  if (!stored) return 'campaign_not_found';
  if (stored.version !== version) return 'campaign_changed';
  const { quietHours = stored.quietHours, fallback = stored.fallback } = wanted;
  const { abTest = stored.abTest, bestTime = stored.bestTime } = wanted;
  const changes = { ...wanted, quietHours, fallback, abTest, bestTime };
  if (stored.runNo !== null) {
    if (!isOnlyRenamed(stored, { audience, ...changes })) return 'campaign_already_started';
    await tx
      .update(campaigns)
      .set({ name: changes.name, quietHours, version: version + 1, updatedAt: clock() })
      .where(isIt);
    return emitUpdated(scope, campaignId);
  }
  if ('failedOf' in audience) return 'campaign_audience_empty';
  const checked = await checkDraft(scope, parts, { audience, ...changes });
  if (typeof checked === 'string') return checked;
  await tx
    .update(campaigns)
    .set({ ...checked, pauseReason: null, pauseDetail: null, version: version + 1, updatedAt: clock() })
    .where(isIt);
  return emitUpdated(scope, campaignId);
}

/** Deletes a campaign in any state and stops what it was still sending. False when it is gone. Emits `campaign.deleted`. */
export async function removeCampaign(scope: WorkspaceScope, campaignId: string): Promise<boolean> {
  const { tx, workspaceId } = scope;
  const isIt = and(eq(campaigns.workspaceId, workspaceId), eq(campaigns.id, campaignId));
  const [stored] = await tx.select().from(campaigns).where(isIt).for('update');
  if (!stored) return false;
  if (stored.runNo !== null) await cancelRun(scope, stored.runNo, { isDropped: true });
  await tx.delete(campaigns).where(isIt);
  await scope.emit({ type: 'campaign.deleted', subject: campaignId, values: { name: stored.name } });
  return true;
}

async function checkDraft(
  scope: WorkspaceScope,
  parts: SendingParts,
  draft: CampaignDraft,
): Promise<CheckedDraft | SaveRefusal> {
  const { workspaceId } = scope;
  const { channelId } = draft;
  if (!(await isOwnNumber(scope, channelId))) return 'channel_not_found';
  const message = await findMessage(scope, draft.message, channelId ?? undefined);
  if (message.kind === 'missing') return `${message.of}_not_found`;
  const sender = await findSender(scope, parts.channelKinds, channelId);
  const { rules } = sender;
  const why = whyUnsendable(message, rules);
  if (why !== null) return why;
  const scheduledAt = draft.scheduledAt === null ? null : new Date(draft.scheduledAt);
  if (draft.status === 'scheduled' && !scheduledAt) return 'campaign_schedule_missing';
  if (draft.status === 'scheduled' && scheduledAt && scheduledAt <= scope.clock())
    return 'campaign_schedule_past';
  const resolved = await resolveAudience(scope, draft.audience, { hold: true });
  if (resolved.deletedSegmentIds.length > 0) return 'campaign_segment_deleted';
  const chosen = await countAudience(scope, { workspaceId, audience: resolved.audience });
  if (chosen === 0) return 'campaign_audience_empty';
  const variables = await resolveVariables(scope, message, draft.variables);
  if (variables === 'custom_field_unknown') return variables;
  const fallback = await checkFallback(scope, parts, draft.fallback ?? null, sender);
  if (typeof fallback === 'string') return fallback;
  if (draft.bestTime && draft.abTest) return 'campaign_best_time_with_test';
  const abTest = await checkAbTest(scope, draft, { sender, first: message, channelId });
  if (typeof abTest === 'string') return abTest;
  const { allowMissingValues } = draft;
  // What is scheduled leaves without another question.
  if (draft.status === 'scheduled' && !allowMissingValues && findUnfilled(message, variables).length > 0)
    return 'placeholder_without_value';
  // A draft may be unfinished.
  const isScheduled = draft.status === 'scheduled';
  if (
    isScheduled &&
    rules &&
    isTargetMissing(parts, runMessageOf(message, variables, '', rules), { message, rules })
  )
    return 'link_target_missing';
  return {
    allowMissingValues,
    fallback,
    ...(draft.countsLinks !== undefined && { countsLinks: draft.countsLinks }),
    abTest,
    bestTime: draft.bestTime ?? false,
    name: draft.name,
    templateId: message.kind === 'template' ? message.template.id : null,
    templateName: message.kind === 'template' ? message.template.name : null,
    customMessage: message.kind === 'text' ? message.text : null,
    contentId: message.kind === 'content' ? (message.stored?.id ?? null) : null,
    contentName: message.kind === 'content' ? (message.stored?.name ?? null) : null,
    inContactLanguage: hasOthers(message),
    variables,
    audience: draft.audience,
    audienceSize: chosen,
    segments: resolved.segments,
    ...(await priceAudience(scope, sender, {
      audience: resolved.audience,
      category: categoryOf(message, rules),
    })),
    quietHours: await findQuietHours(scope, draft.quietHours),
    channelId,
    status: draft.status,
    scheduledAt,
  };
}

/** The test with its variables as they are stored and the names of its messages; the code of what keeps a variant from being sent. */
async function checkAbTest(
  scope: WorkspaceScope,
  { abTest = null, status, allowMissingValues }: CampaignDraft,
  asked: Parameters<typeof findVariants>[2],
): Promise<CampaignAbTest | null | SaveRefusal> {
  if (abTest === null) return null;
  const variants: CampaignAbTest['variants'] = [];
  for (const variant of abTest.variants) {
    const { message: choice, variables: wanted, share } = variant;
    const found = await findVariants(scope, { variants: [{ ...variant, name: null }] }, asked);
    if (typeof found === 'string') return found;
    const [{ message }] = found as [(typeof found)[number]]; // one was asked for
    const variables = await resolveVariables(scope, message, wanted);
    if (variables === 'custom_field_unknown') return variables;
    if (status === 'scheduled' && !allowMissingValues && findUnfilled(message, variables).length > 0)
      return 'placeholder_without_value';
    variants.push({ message: choice, name: nameOf(message), variables, share });
  }
  const { metric, expectedRate = (await readExpected(scope, metric)).rate } = abTest;
  return { ...abTest, expectedRate, variants };
}

function nameOf(message: ChosenMessage): string | null {
  if (message.kind === 'template') return message.template.name;
  return message.kind === 'content' ? (message.stored?.name ?? null) : null;
}

/** With its variables as they are stored; the code of what keeps it from being sent. */
async function checkFallback(
  scope: WorkspaceScope,
  parts: SendingParts,
  fallback: CampaignFallback | null,
  first: Sender,
): Promise<CampaignFallback | null | SaveRefusal> {
  if (fallback === null) return null;
  const { channelId, templateId } = fallback;
  if (!(await isOwnNumber(scope, channelId))) return 'channel_not_found';
  if (!first.rules?.withdraws || first.channel?.id === channelId) return 'fallback_not_possible';
  const message = await findMessage(scope, { templateId }, channelId);
  if (message.kind !== 'template') return 'template_not_found';
  const { rules, hasTemplates } = await findSender(scope, parts.channelKinds, channelId);
  if (!hasTemplates || whyUnsendable(message, rules) !== null) return 'template_not_approved';
  const variables = await resolveVariables(scope, message, fallback.variables);
  if (variables === 'custom_field_unknown') return variables;
  if (rules && isTargetMissing(parts, runMessageOf(message, variables, '', rules), { message, rules }))
    return 'link_target_missing';
  return { ...fallback, variables };
}

type CheckedDraft = Omit<typeof campaigns.$inferInsert, 'id' | 'workspaceId'>;

function isOnlyRenamed(
  stored: typeof campaigns.$inferSelect,
  draft: Omit<CampaignUpdate, 'campaignId' | 'version'>,
): boolean {
  const { message, audience, variables, channelId, fallback = null, abTest = null, bestTime } = draft;
  const isSameMessage =
    'templateId' in message
      ? message.templateId === stored.templateId &&
        (message.inContactLanguage ?? stored.inContactLanguage) === stored.inContactLanguage
      : 'contentId' in message
        ? message.contentId === stored.contentId
        : message.customMessage === stored.customMessage;
  // jsonb gives keys back in its own order, so both sides are put into one.
  return (
    isSameMessage &&
    (bestTime ?? stored.bestTime) === stored.bestTime &&
    (channelId === null || channelId === stored.channelId) &&
    canonicalJson(fallback) === canonicalJson(stored.fallback) &&
    canonicalJson(withoutNames(abTest, stored.abTest)) === canonicalJson(withoutNames(stored.abTest)) &&
    canonicalJson(audience) === canonicalJson(stored.audience) &&
    canonicalJson(variables) === canonicalJson(stored.variables)
  );
}

/** For comparing: what is left out is as `stored`. */
function withoutNames(test: NewAbTest | CampaignAbTest | null, stored: CampaignAbTest | null = null) {
  return (
    test && {
      ...test,
      expectedRate: test.expectedRate ?? stored?.expectedRate,
      variants: test.variants.map(({ message, variables, share }) => ({ message, variables, share })),
    }
  );
}

async function emitUpdated(scope: WorkspaceScope, campaignId: string): Promise<CampaignRow> {
  const saved = await readBack(scope, campaignId);
  await scope.emit({ type: 'campaign.updated', subject: campaignId, values: { name: saved.name } });
  return saved;
}

async function readBack(scope: ReadScope, campaignId: string): Promise<CampaignRow> {
  const row = await findCampaign(scope, campaignId);
  if (!row) throw new Error('A campaign vanished within its own transaction.');
  return row;
}
