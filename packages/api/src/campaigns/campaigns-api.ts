import { campaignsContract } from '@app/contracts/campaigns/campaigns-contract';
import { countAudience, findInAudience } from '@app/delivery/audience-preview';
import { successRate } from '@app/domain/campaigns/campaign-status';
import { implementEndpoints } from '../platform/implement-endpoints.ts';
import { resolveAudience } from '../sending/audience-segments.ts';
import { findMessage } from '../sending/choose-message.ts';
import { checkBeforeSending } from '../sending/preflight.ts';
import { campaignActsApi } from './campaign-acts-api.ts';
import { listRecipients } from './campaign-recipients.ts';
import { removeCampaign, saveCampaign, updateCampaign } from './campaign-changes.ts';
import { countByStatus } from '../sending/campaign-overview.ts';
import { findCampaign, listCampaigns, presentCampaignDetails } from './campaigns-queries.ts';

const os = implementEndpoints(campaignsContract);

export const campaignsApi = os.router({
  ...campaignActsApi,

  list: os.list.handler(({ input, context }) =>
    context.inWorkspace((tx) => listCampaigns(tx, context.session.workspaceId, input)),
  ),

  summarize: os.summarize.handler(({ context }) =>
    context.inWorkspace(async (tx) => {
      const counts = await countByStatus(tx, context.session.workspaceId);
      const total = Object.values(counts).reduce((sum, count) => sum + count, 0);
      const { running, completed } = counts;
      return { total, running, completed, successRate: successRate(completed, total) };
    }),
  ),

  get: os.get.handler(async ({ input, context, errors }) => {
    const row = await context.inWorkspace((tx) =>
      findCampaign(tx, context.session.workspaceId, input.campaignId),
    );
    if (!row) throw errors.campaign_not_found();
    return presentCampaignDetails(context, row);
  }),

  create: os.create.handler(async ({ input, context, errors }) => {
    const saved = await context.inWorkspaceFor('starting', async (tx, client) => {
      const result = await saveCampaign(tx, client, context, input);
      if (typeof result === 'object') {
        await context.recordActivity(tx, {
          type: 'create',
          resource: 'campaigns',
          description: `Created campaign ${input.name}`,
        });
      }
      return result;
    });
    if (typeof saved === 'string') throw errors[saved]();
    await context.publish('campaigns', { campaignId: saved.id });
    return presentCampaignDetails(context, saved);
  }),

  update: os.update.handler(async ({ input, context, errors }) => {
    const saved = await context.inWorkspaceFor('starting', async (tx, client) => {
      const result = await updateCampaign(tx, client, context, input);
      if (typeof result === 'object') {
        await context.recordActivity(tx, {
          type: 'update',
          resource: 'campaigns',
          description: `Updated campaign ${input.name}`,
        });
      }
      return result;
    });
    if (typeof saved === 'string') throw errors[saved]();
    await context.publish('campaigns', { campaignId: saved.id });
    return presentCampaignDetails(context, saved);
  }),

  remove: os.remove.handler(async ({ input, context, errors }) => {
    const name = await context.inWorkspace(async (tx, client) => {
      const removed = await removeCampaign(tx, client, context.session.workspaceId, input.campaignId);
      if (removed !== null) {
        await context.recordActivity(tx, {
          type: 'delete',
          resource: 'campaigns',
          description: `Deleted campaign ${removed}`,
        });
      }
      return removed;
    });
    if (name === null) throw errors.campaign_not_found();
    await context.publish('campaigns', { campaignId: input.campaignId });
    return {};
  }),

  preflight: os.preflight.handler(({ input, context, errors }) =>
    context.inWorkspaceFor('counting', async (tx, client) => {
      const { workspaceId } = context.session;
      const message = await findMessage(tx, workspaceId, input.message);
      if (message.kind === 'missing') throw errors.template_not_found();
      const resolved = await resolveAudience(client, workspaceId, input.audience);
      return checkBeforeSending(tx, client, workspaceId, { message, resolved });
    }),
  ),

  countAudience: os.countAudience.handler(({ input, context }) =>
    context.inWorkspaceFor('counting', async (_, client) => {
      const { workspaceId } = context.session;
      const { audience } = await resolveAudience(client, workspaceId, input.audience);
      return { chosen: await countAudience(client, { workspaceId, audience }) };
    }),
  ),

  findInAudience: os.findInAudience.handler(({ input, context }) =>
    context.inWorkspaceFor('counting', async (_, client) => {
      const { workspaceId } = context.session;
      const { audience } = await resolveAudience(client, workspaceId, input.audience);
      const { contactIds } = input;
      return { contactIds: await findInAudience(client, { workspaceId, audience, contactIds }) };
    }),
  ),

  listRecipients: os.listRecipients.handler(({ input, context, errors }) =>
    context.inWorkspace(async (tx) => {
      const { workspaceId } = context.session;
      const { campaignId, outcome, limit, cursor } = input;
      const campaign = await findCampaign(tx, workspaceId, campaignId);
      if (!campaign) throw errors.campaign_not_found();
      if (campaign.runNo === null) return { items: [], nextCursor: null };
      return listRecipients(tx, { workspaceId, runNo: campaign.runNo, outcome, limit, cursor });
    }),
  ),
});
