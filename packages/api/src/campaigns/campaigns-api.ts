import { campaignsContract } from '@app/contracts/campaigns/campaigns-contract';
import { countAudience, findInAudience } from '@app/delivery/audience-preview';
import { successRate } from '@app/domain/campaigns/campaign-status';
import { implementEndpoints } from '../platform/implement-endpoints.ts';
import { resolveAudience } from '../sending/audience-segments.ts';
import { findContents } from '../sending/channel-contents.ts';
import { findMessage } from '../sending/choose-message.ts';
import { findQuietHours } from '../sending/chosen-quiet-hours.ts';
import { findKind, isOwnNumber } from '../sending/find-sender.ts';
import { resolveVariables } from '../sending/message-variables.ts';
import { nameUnfilled } from '../sending/value-problems.ts';
import { checkBeforeSending } from '../sending/preflight.ts';
import { abTestsApi } from './ab-test/ab-tests-api.ts';
import { campaignExportsApi } from './campaign-exports-api.ts';
import { campaignActionsApi } from './campaign-actions-api.ts';
import { countReachable } from './count-reachable.ts';
import { countReasons, readRecipients } from './campaign-recipients.ts';
import { removeCampaign, saveCampaign, updateCampaign } from './campaign-changes.ts';
import { countByStatus } from '../sending/campaign-overview.ts';
import { findCampaign, listCampaigns, presentCampaignDetails } from './campaigns-queries.ts';

const os = implementEndpoints(campaignsContract);

export const campaignsApi = os.router({
  ...campaignActionsApi,
  ...campaignExportsApi,
  ...abTestsApi,

  list: os.list.handler(({ input, context }) => context.read((scope) => listCampaigns(scope, input))),

  summarize: os.summarize.handler(({ input, context }) =>
    context.read(async (scope) => {
      const counts = await countByStatus(scope, input);
      const total = Object.values(counts).reduce((sum, count) => sum + count, 0);
      const { running, completed } = counts;
      return { total, running, completed, successRate: successRate(counts) };
    }),
  ),

  get: os.get.handler(({ input, context, errors }) =>
    context.readAtOneMoment(async (scope) => {
      const row = await findCampaign(scope, input.campaignId);
      if (!row) throw errors.campaign_not_found();
      return presentCampaignDetails(scope, row);
    }),
  ),

  create: os.create.handler(({ input, context, errors }) =>
    context.change(async (scope) => {
      const saved = await saveCampaign(scope, context, input);
      if (saved === 'placeholder_without_value') throw errors[saved](await nameUnfilled(scope, input));
      if (typeof saved === 'string') throw errors[saved]();
      return presentCampaignDetails(scope, saved);
    }),
  ),

  update: os.update.handler(({ input, context, errors }) =>
    context.change(async (scope) => {
      const saved = await updateCampaign(scope, context, input);
      if (saved === 'placeholder_without_value') throw errors[saved](await nameUnfilled(scope, input));
      if (typeof saved === 'string') throw errors[saved]();
      return presentCampaignDetails(scope, saved);
    }),
  ),

  remove: os.remove.handler(({ input, context, errors }) =>
    context.change(async (scope) => {
      if (!(await removeCampaign(scope, input.campaignId))) throw errors.campaign_not_found();
      return {};
    }),
  ),

  preflight: os.preflight.handler(({ input, context, errors }) =>
    context.read('counting', async (scope) => {
      const { channelId } = input;
      if (!(await isOwnNumber(scope, channelId))) throw errors.channel_not_found();
      const message = await findMessage(scope, input.message, channelId ?? undefined);
      if (message.kind === 'missing') throw errors[`${message.of}_not_found`]();
      const resolved = await resolveAudience(scope, input.audience);
      const quietHours = await findQuietHours(scope, input.quietHours);
      const plan = { quietHours, startsAt: input.startsAt === null ? null : new Date(input.startsAt) };
      const variables = await resolveVariables(scope, message, input.variables);
      if (variables === 'custom_field_unknown') throw errors.custom_field_unknown();
      return checkBeforeSending(scope, context.channelKinds, {
        message,
        variables,
        resolved,
        channelId,
        plan,
      });
    }),
  ),

  listContents: os.listContents.handler(({ input, context }) =>
    context.read(async (scope) => {
      const { channelId, ...wanted } = input;
      const kind = channelId === undefined ? undefined : ((await findKind(scope, channelId)) ?? '');
      return { items: await findContents(scope, { ...wanted, kind }) };
    }),
  ),

  countReachable: os.countReachable.handler(async ({ input, context, errors }) => {
    const counted = await countReachable(context, input);
    if (typeof counted === 'string') throw errors[counted]();
    return counted;
  }),

  countAudience: os.countAudience.handler(({ input, context }) =>
    context.read('counting', async (scope) => {
      const { workspaceId } = scope;
      const { audience } = await resolveAudience(scope, input.audience);
      return { chosen: await countAudience(scope, { workspaceId, audience }) };
    }),
  ),

  findInAudience: os.findInAudience.handler(({ input, context }) =>
    context.read('counting', async (scope) => {
      const { workspaceId } = scope;
      const { audience } = await resolveAudience(scope, input.audience);
      const { contactIds } = input;
      return { contactIds: await findInAudience(scope, { workspaceId, audience, contactIds }) };
    }),
  ),

  countReasons: os.countReasons.handler(({ input, context, errors }) =>
    context.read('counting', async (scope) => {
      const counted = await countReasons(scope, input.campaignId);
      if (!counted) throw errors.campaign_not_found();
      return counted;
    }),
  ),

  listRecipients: os.listRecipients.handler(({ input, context, errors }) =>
    context.read(input.reasons ? 'counting' : 'interactive', async (scope) => {
      const { campaignId, outcome, limit, cursor, reasons: withReasons } = input;
      const page = await readRecipients(scope, { campaignId, outcome, limit, cursor, withReasons });
      if (!page) throw errors.campaign_not_found();
      return page;
    }),
  ),
});
