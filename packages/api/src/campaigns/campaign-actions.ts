import { campaigns } from '@app/database/campaigns/campaigns-tables';
import { cancelRun, pauseRun, pauseRunFor, resolveUnknown, resumeRun } from '@app/delivery/run-controls';
import { allowsAction, type CampaignAction } from '@app/domain/campaigns/campaign-status';
import { quietUntil, type QuietHours } from '@app/domain/campaigns/quiet-hours';
import type { NewFact } from '@app/domain/events/fact-catalogue';
import { and, eq } from 'drizzle-orm';
import type { ApiDependencies } from '../platform/request-context.ts';
import type { WorkspaceScope } from '../platform/workspace-scope.ts';
import type { CampaignRow } from '../sending/campaign-overview.ts';
import { findContents } from '../sending/channel-contents.ts';
import { choiceOf, findMessage } from '../sending/choose-message.ts';
import type { SendingParts } from '../sending/count-links.ts';
import { startCampaign } from '../sending/start-campaign.ts';
import { findUnfilled } from '../sending/value-problems.ts';
import { findCampaign, lockCampaign } from './campaigns-queries.ts';
import { takeBackStart } from './take-back-start.ts';

type ActionError = 'campaign_not_found' | 'campaign_act_refused';

/** Starts a draft, scheduled or paused campaign at once. Emits `campaign.started`. */
export function startNow(
  scope: WorkspaceScope,
  parts: SendingParts,
  input: {
    campaignId: string;
    version?: number | undefined;
    takeBackSeconds?: number;
    /** A person confirmed that placeholders without a value leave as they are written. */
    allowMissingValues?: boolean;
  },
) {
  return runAction(scope, input.campaignId, 'start', {
    perform: async (row) => {
      if (input.version !== undefined && input.version !== row.version) return 'campaign_changed';
      const isAllowed = input.allowMissingValues || row.allowMissingValues;
      if (!isAllowed && (await hasUnfilled(scope, row))) return 'placeholder_without_value';
      return begin(scope, parts, row, input);
    },
    factOf: ({ id, name }) => ({
      type: 'campaign.started',
      subject: id,
      values: { name, isScheduled: false },
    }),
  });
}

/** Undoes a start of which nothing was sent yet. Emits `campaign.start_taken_back`. */
export function undoStart(scope: WorkspaceScope, campaignId: string) {
  return runAction(scope, campaignId, 'take_back', {
    perform: (row) => takeBackStart(scope, row),
    factOf: ({ id, name }) => ({ type: 'campaign.start_taken_back', subject: id, values: { name } }),
  });
}

/** Emits `campaign.paused`. */
export function pauseCampaign(scope: WorkspaceScope, campaignId: string) {
  return runAction(scope, campaignId, 'pause', {
    perform: async ({ runNo }) =>
      runNo !== null && (await pauseRun(scope, runNo)) ? null : 'campaign_act_refused',
    factOf: ({ id, name }) => ({ type: 'campaign.paused', subject: id, values: { name } }),
  });
}

/** Resumes a paused run, or starts a campaign whose scheduled start failed. Emits `campaign.resumed`. */
export function resumeCampaign(scope: WorkspaceScope, parts: SendingParts, campaignId: string) {
  return runAction(scope, campaignId, 'resume', {
    perform: async (row) => {
      if (row.runNo === null) return begin(scope, parts, row);
      const refusal = await whyContentStays(scope, row);
      if (refusal !== null) return refusal;
      return (await goOn(scope, row.runNo, row.quietHours)) ? null : 'campaign_act_refused';
    },
    factOf: ({ id, name }) => ({ type: 'campaign.resumed', subject: id, values: { name } }),
  });
}

/** Ends a campaign for good; messages that were not sent are not sent any more. Emits `campaign.cancelled`. */
export function cancelCampaign(scope: WorkspaceScope, campaignId: string) {
  return runAction(scope, campaignId, 'cancel', {
    perform: async ({ id, runNo, version }) => {
      if (runNo !== null) return (await cancelRun(scope, runNo)) ? null : 'campaign_act_refused';
      await scope.tx
        .update(campaigns)
        .set({ status: 'cancelled', version: version + 1 })
        .where(and(eq(campaigns.workspaceId, scope.workspaceId), eq(campaigns.id, id)));
      return null;
    },
    factOf: ({ id, name }) => ({ type: 'campaign.cancelled', subject: id, values: { name } }),
  });
}

/**
 * Decides about the messages whose result is unknown: they count as sent, or are sent again, with the same id where the platform ignores a
 * repeat. Returns how many these were. Emits `campaign.unknown_decided`.
 */
export async function decideUnknown(
  scope: WorkspaceScope,
  { channelKinds }: Pick<ApiDependencies, 'channelKinds'>,
  { campaignId, decision }: { campaignId: string; decision: 'mark_sent' | 'send_again' },
): Promise<number | ActionError> {
  const row = await lockCampaign(scope, campaignId);
  if (!row) return 'campaign_not_found';
  if (row.runNo === null) return 'campaign_act_refused';
  const wanted = decision === 'mark_sent' ? 'mark_sent' : 'mark_not_sent_and_send';
  const { rows } = await scope.query<{ kind: string }>(
    'SELECT kind FROM channels WHERE workspace_id = $1 AND id = $2',
    [scope.workspaceId, row.channelId],
  );
  const ignoresRepeats = rows[0] !== undefined && channelKinds.of(rows[0]).capabilities.ignoresRepeats;
  const resolved = await resolveUnknown(scope, row.runNo, wanted, {
    ignoresRepeats: ignoresRepeats ?? false,
  });
  const values = { name: row.name, decision, resolved };
  await scope.emit({ type: 'campaign.unknown_decided', subject: campaignId, values });
  return resolved;
}

/** One action in the caller's transaction. The status must allow it; afterwards its fact is emitted. */
async function runAction<Refusal extends string>(
  scope: WorkspaceScope,
  campaignId: string,
  name: CampaignAction,
  {
    perform,
    factOf,
  }: { perform: (row: CampaignRow) => Promise<Refusal | null>; factOf: (row: CampaignRow) => NewFact },
): Promise<CampaignRow | Refusal | ActionError> {
  const row = await lockCampaign(scope, campaignId);
  if (!row) return 'campaign_not_found';
  // A second start of a running campaign is no error: it changes nothing.
  if (name === 'start' && row.status === 'running') return row;
  // The same holds for a second undo.
  if (name === 'take_back' && row.runNo === null && row.status !== 'cancelled') return row;
  if (!allowsAction(row.status, name)) return 'campaign_act_refused';
  const refusal = await perform(row);
  if (refusal !== null) return refusal;
  await scope.emit(factOf(row));
  return (await findCampaign(scope, campaignId)) ?? 'campaign_not_found';
}

/** Within its quiet hours a campaign waits for their end: in the same transaction, so that nothing leaves before. */
async function goOn(scope: WorkspaceScope, runNo: number, quietHours: QuietHours | null): Promise<boolean> {
  if (!(await resumeRun(scope, runNo))) return false;
  const until = quietHours && quietUntil(quietHours, scope.clock());
  if (until) await pauseRunFor(scope, runNo, { reason: 'quiet_hours', resumeAt: until.getTime() });
  return true;
}

/** A run that was paused with its content goes on when that is active again. */
async function whyContentStays(scope: WorkspaceScope, { contentId, abTest }: CampaignRow) {
  const ofVariants = (abTest?.variants ?? []).flatMap(({ message }) =>
    'contentId' in message ? [message.contentId] : [],
  );
  for (const id of [...(contentId === null ? [] : [contentId]), ...ofVariants]) {
    const [content] = await findContents(scope, { contentId: id });
    if (!content) return 'content_not_found';
    if (!content.isActive) return 'content_not_active';
  }
  return null;
}

async function begin(
  scope: WorkspaceScope,
  parts: SendingParts,
  { id }: CampaignRow,
  held: { takeBackSeconds?: number; allowMissingValues?: boolean } = {},
) {
  const started = await startCampaign(scope, parts, id, held);
  return started.outcome === 'refused' ? started.code : null;
}

async function hasUnfilled(scope: WorkspaceScope, row: CampaignRow): Promise<boolean> {
  const choice = choiceOf(row);
  const first = choice === null ? [] : [{ message: choice, variables: row.variables }];
  for (const { message, variables } of [...first, ...(row.abTest?.variants ?? [])])
    if (findUnfilled(await findMessage(scope, message), variables).length > 0) return true;
  return false;
}
