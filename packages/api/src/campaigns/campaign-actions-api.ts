import { campaignsContract } from '@app/contracts/campaigns/campaigns-contract';
import { listChannels } from '@app/database/channels/find-channel';
import type { ChannelKinds } from '@app/domain/channels/channel-kind';
import { implementEndpoints } from '../platform/implement-endpoints.ts';
import type { ReadScope } from '../platform/workspace-scope.ts';
import { describeSegments } from '../sending/audience-segments.ts';
import { choiceOf, findMessage, templateObstacle } from '../sending/choose-message.ts';
import { findSender } from '../sending/find-sender.ts';
import { nameUnfilled } from '../sending/value-problems.ts';
import {
  cancelCampaign,
  decideUnknown,
  pauseCampaign,
  resumeCampaign,
  startNow,
  undoStart,
} from './campaign-actions.ts';
import { checkBeforeGoingOn } from './check-before-going-on.ts';
import { findCampaign, presentCampaignDetails } from './campaigns-queries.ts';
import { checkBeforeRetry, retryFailed } from './retry-failed.ts';
import { sendTestMessage } from './send-test-message.ts';

const os = implementEndpoints(campaignsContract);

/** Start and its undo, pause, resume, cancel, retry, and the decision about messages with an unknown result. */
export const campaignActionsApi = {
  start: os.start.handler(({ input, context, errors }) =>
    context.change(async (scope) => {
      const result = await startNow(scope, context, input);
      if (result === 'placeholder_without_value') {
        const row = await findCampaign(scope, input.campaignId);
        throw errors[result](
          await nameUnfilled(scope, { message: row && choiceOf(row), variables: row?.variables ?? {} }),
        );
      }
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
      const result = await undoStart(scope, input.campaignId);
      if (typeof result === 'string') throw errors[result]();
      return presentCampaignDetails(scope, result);
    }),
  ),

  pause: os.pause.handler(({ input, context, errors }) =>
    context.change(async (scope) => {
      const result = await pauseCampaign(scope, input.campaignId);
      if (typeof result === 'string') throw errors[result]();
      return presentCampaignDetails(scope, result);
    }),
  ),

  resume: os.resume.handler(({ input, context, errors }) =>
    context.change(async (scope) => {
      const result = await resumeCampaign(scope, context, input.campaignId);
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
      const result = await cancelCampaign(scope, input.campaignId);
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
      const retried = await retryFailed(scope, context, input.campaignId, input);
      if (retried === 'chosen_number_off')
        throw errors.chosen_number_off(await nameNumber(scope, input.campaignId));
      if (typeof retried === 'string') throw errors[retried]();
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
    if (result.outcome === 'content_invalid')
      throw errors.message_content_invalid({ data: { values: { ...result.fault } } });
    if (result.outcome === 'refused_by_platform') {
      const { reason, word } = result;
      throw errors.test_message_refused({ data: { values: { reason, word } } });
    }
    return { phone: result.phone };
  }),

  resolveUnknown: os.resolveUnknown.handler(({ input, context, errors }) =>
    context.change(async (scope) => {
      const resolved = await decideUnknown(scope, context, input);
      if (typeof resolved === 'string') throw errors[resolved]();
      return { resolved };
    }),
  ),
};

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
