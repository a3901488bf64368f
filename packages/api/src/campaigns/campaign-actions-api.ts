import { campaignsContract } from '@app/contracts/campaigns/campaigns-contract';
import { campaigns } from '@app/database/campaigns/campaigns-tables';
import { listChannels } from '@app/database/channels/find-channel';
import { cancelRun, pauseRun, pauseRunFor, resolveUnknown, resumeRun } from '@app/delivery/run-controls';
import type { ChannelKinds } from '@app/domain/channels/channel-kind';
import { quietUntil, type QuietHours } from '@app/domain/campaigns/quiet-hours';
import { allowsAction, type CampaignAction } from '@app/domain/campaigns/campaign-status';
import type { NewFact } from '@app/domain/events/fact-catalogue';
import { and, eq } from 'drizzle-orm';
import { implementEndpoints } from '../platform/implement-endpoints.ts';
import type { ReadScope, WorkspaceScope } from '../platform/workspace-scope.ts';
import { describeSegments } from '../sending/audience-segments.ts';
import { choiceOf, findMessage, templateObstacle } from '../sending/choose-message.ts';
import { findSender } from '../sending/find-sender.ts';
import { startCampaign } from '../sending/start-campaign.ts';
import type { CampaignRow } from '../sending/campaign-overview.ts';
import { checkBeforeGoingOn } from './check-before-going-on.ts';
import { findCampaign, lockCampaign, presentCampaignDetails } from './campaigns-queries.ts';
import { checkBeforeRetry, retryFailed } from './retry-failed.ts';
import { takeBackStart } from './take-back-start.ts';
import { sendTestMessage } from './send-test-message.ts';

const os = implementEndpoints(campaignsContract);

type ActionError = 'campaign_not_found' | 'campaign_act_refused';

/** Start, its taking back, pause, resume, cancel, and the decision about recipients of whom nobody knows. */
export const campaignActionsApi = {
  start: os.start.handler(({ input, context, errors }) =>
    context.change(async (scope) => {
      const result = await act(scope, input.campaignId, 'start', {
        perform: async (row) =>
          input.version !== undefined && input.version !== row.version
            ? 'campaign_changed'
            : begin(scope, context.channelKinds, row, input),
        told: ({ id, name }) => ({
          type: 'campaign.started',
          subject: id,
          values: { name, isScheduled: false },
        }),
      });
      if (result === 'campaign_segment_deleted')
        throw errors.campaign_segment_deleted(await nameDeletedSegments(scope, input.campaignId));
      if (result === 'chosen_number_off')
        throw errors.chosen_number_off(await nameNumber(scope, input.campaignId));
      if (result === 'template_not_found' || result === 'template_not_approved')
        throw errors.template_not_approved(await nameObstacle(scope, context.channelKinds, input.campaignId));
      if (typeof result === 'string') throw errors[result]();
      return presentCampaignDetails(scope, result);
    }),
  ),

  takeBack: os.takeBack.handler(({ input, context, errors }) =>
    context.change(async (scope) => {
      const result = await act(scope, input.campaignId, 'take_back', {
        perform: (row) => takeBackStart(scope, row),
        told: ({ id, name }) => ({ type: 'campaign.start_taken_back', subject: id, values: { name } }),
      });
      if (typeof result === 'string') throw errors[result]();
      return presentCampaignDetails(scope, result);
    }),
  ),

  pause: os.pause.handler(({ input, context, errors }) =>
    context.change(async (scope) => {
      const result = await act(scope, input.campaignId, 'pause', {
        perform: async ({ runNo }) =>
          runNo !== null && (await pauseRun(scope, runNo)) ? null : 'campaign_act_refused',
        told: ({ id, name }) => ({ type: 'campaign.paused', subject: id, values: { name } }),
      });
      if (typeof result === 'string') throw errors[result]();
      return presentCampaignDetails(scope, result);
    }),
  ),

  resume: os.resume.handler(({ input, context, errors }) =>
    context.change(async (scope) => {
      const result = await act(scope, input.campaignId, 'resume', {
        perform: async (row) => {
          if (row.runNo === null) return begin(scope, context.channelKinds, row);
          return (await goOn(scope, row.runNo, row.quietHours)) ? null : 'campaign_act_refused';
        },
        told: ({ id, name }) => ({ type: 'campaign.resumed', subject: id, values: { name } }),
      });
      if (result === 'campaign_segment_deleted')
        throw errors.campaign_segment_deleted(await nameDeletedSegments(scope, input.campaignId));
      if (result === 'chosen_number_off')
        throw errors.chosen_number_off(await nameNumber(scope, input.campaignId));
      if (result === 'template_not_found' || result === 'template_not_approved')
        throw errors.template_not_approved(await nameObstacle(scope, context.channelKinds, input.campaignId));
      if (typeof result === 'string') throw errors[result]();
      return presentCampaignDetails(scope, result);
    }),
  ),

  cancel: os.cancel.handler(({ input, context, errors }) =>
    context.change(async (scope) => {
      const result = await act(scope, input.campaignId, 'cancel', {
        perform: async ({ id, runNo, version }) => {
          if (runNo !== null) return (await cancelRun(scope, runNo)) ? null : 'campaign_act_refused';
          await scope.tx
            .update(campaigns)
            .set({ status: 'cancelled', version: version + 1 })
            .where(and(eq(campaigns.workspaceId, scope.workspaceId), eq(campaigns.id, id)));
          return null;
        },
        told: ({ id, name }) => ({ type: 'campaign.cancelled', subject: id, values: { name } }),
      });
      if (typeof result === 'string') throw errors[result]();
      return presentCampaignDetails(scope, result);
    }),
  ),

  preflightRetry: os.preflightRetry.handler(({ input, context, errors }) =>
    context.read('counting', async (scope) => {
      const checked = await checkBeforeRetry(scope, context.channelKinds, input.campaignId);
      if (typeof checked === 'string') throw errors[checked]();
      return checked;
    }),
  ),

  preflightRest: os.preflightRest.handler(({ input, context, errors }) =>
    context.read(async (scope) => {
      const checked = await checkBeforeGoingOn(scope, context.channelKinds, input);
      if (typeof checked === 'string') throw errors[checked]();
      return checked;
    }),
  ),

  retryFailed: os.retryFailed.handler(({ input, context, errors }) =>
    context.change(async (scope) => {
      const retried = await retryFailed(scope, context.channelKinds, input.campaignId);
      if (retried === 'chosen_number_off')
        throw errors.chosen_number_off(await nameNumber(scope, input.campaignId));
      if (typeof retried === 'string') throw errors[retried]();
      const values = { retryOf: input.campaignId };
      await scope.emit({ type: 'campaign.failed_retried', subject: retried.campaignId, values });
      const row = await findCampaign(scope, retried.campaignId);
      if (!row) throw errors.campaign_not_found();
      return presentCampaignDetails(scope, row);
    }),
  ),

  sendTest: os.sendTest.handler(async ({ input, context, errors }) => {
    const result = await sendTestMessage(context, input);
    if (result.outcome === 'refused') {
      const isPhone = result.code === 'contact_phone_invalid';
      throw errors[result.code]({ data: isPhone ? { field: 'phone' } : undefined });
    }
    if (result.outcome === 'refused_by_platform') {
      const { reason, word } = result;
      throw errors.test_message_refused({ data: { values: { reason, word } } });
    }
    return { phone: result.phone };
  }),

  resolveUnknown: os.resolveUnknown.handler(({ input, context, errors }) =>
    context.change(async (scope) => {
      const { campaignId, decision } = input;
      const row = await lockCampaign(scope, campaignId);
      if (!row) throw errors.campaign_not_found();
      if (row.runNo === null) throw errors.campaign_act_refused();
      const wanted = decision === 'mark_sent' ? 'mark_sent' : 'mark_not_sent_and_send';
      const resolved = await resolveUnknown(scope, row.runNo, wanted);
      const values = { name: row.name, decision, resolved };
      await scope.emit({ type: 'campaign.unknown_decided', subject: campaignId, values });
      return { resolved };
    }),
  ),
};

/** One act in the caller's transaction: allowed by the status it finds, and told. */
async function act<Refusal extends string>(
  scope: WorkspaceScope,
  campaignId: string,
  name: CampaignAction,
  {
    perform,
    told,
  }: { perform: (row: CampaignRow) => Promise<Refusal | null>; told: (row: CampaignRow) => NewFact },
): Promise<CampaignRow | Refusal | ActionError> {
  const row = await lockCampaign(scope, campaignId);
  if (!row) return 'campaign_not_found';
  // A second Start of a campaign that is on its way is no mistake: it changes nothing.
  if (name === 'start' && row.status === 'running') return row;
  // Nor is it to take back what was taken back before.
  if (name === 'take_back' && row.runNo === null && row.status !== 'cancelled') return row;
  if (!allowsAction(row.status, name)) return 'campaign_act_refused';
  const refusal = await perform(row);
  if (refusal !== null) return refusal;
  await scope.emit(told(row));
  return (await findCampaign(scope, campaignId)) ?? 'campaign_not_found';
}

/** For the refusal of a start: which segments are gone. */
async function nameDeletedSegments(scope: ReadScope, campaignId: string) {
  const row = await findCampaign(scope, campaignId);
  const segments = row ? await describeSegments(scope, row) : [];
  const names = segments.filter(({ isDeleted }) => isDeleted).map(({ name }) => name);
  return { data: { values: { segment: names.join(', ') } } };
}

/** For the same: which number is off. */
async function nameNumber(scope: ReadScope, campaignId: string) {
  const row = await findCampaign(scope, campaignId);
  const all = await listChannels(scope.tx, scope.workspaceId);
  const number = all.find(({ id }) => id === row?.channelId)?.displayName ?? '';
  return { data: { values: { number } } };
}

/** For the same: what keeps its template from being sent; nothing for one that is gone. */
async function nameObstacle(scope: ReadScope, kinds: ChannelKinds, campaignId: string) {
  const row = await findCampaign(scope, campaignId);
  const choice = row && choiceOf(row);
  const message = choice && (await findMessage(scope, choice, row.channelId ?? undefined));
  const { hasTemplates, rules } = await findSender(scope, kinds, row?.channelId ?? null);
  const found = hasTemplates ? message && templateObstacle(message, rules) : 'elsewhere';
  return { data: { values: { obstacle: found ?? '' } } };
}

/** Within its quiet hours a campaign waits for their end: in the same transaction, so that nothing leaves before. */
async function goOn(scope: WorkspaceScope, runNo: number, quietHours: QuietHours | null): Promise<boolean> {
  if (!(await resumeRun(scope, runNo))) return false;
  const until = quietHours && quietUntil(quietHours, scope.clock());
  if (until) await pauseRunFor(scope, runNo, { reason: 'quiet_hours', resumeAt: until.getTime() });
  return true;
}

async function begin(
  scope: WorkspaceScope,
  kinds: ChannelKinds,
  { id }: CampaignRow,
  held: { takeBackSeconds?: number } = {},
) {
  const started = await startCampaign(scope, kinds, id, held);
  return started.outcome === 'refused' ? started.code : null;
}
