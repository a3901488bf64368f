import { campaignsContract } from '@app/contracts/campaigns/campaigns-contract';
import { campaigns } from '@app/database/campaigns/campaigns-tables';
import type { Queries } from '@app/database/database';
import { cancelRun, pauseRun, resolveUnknown, resumeRun } from '@app/delivery/run-controls';
import { allowsAct, type CampaignAct } from '@app/domain/campaigns/campaign-status';
import { and, eq } from 'drizzle-orm';
import type pg from 'pg';
import { implementEndpoints } from '../platform/implement-endpoints.ts';
import { describeSegments } from '../sending/audience-segments.ts';
import { startCampaign } from '../sending/start-campaign.ts';
import type { SignedInContext } from '../platform/request-context.ts';
import type { CampaignRow } from '../sending/campaign-overview.ts';
import { findCampaign, lockCampaign, presentCampaignDetails } from './campaigns-queries.ts';
import { checkBeforeRetry, retryFailed } from './retry-failed.ts';
import { sendTestMessage } from './send-test-message.ts';

const os = implementEndpoints(campaignsContract);

type ActRefusal = 'campaign_not_found' | 'campaign_act_refused';

/** Start, pause, resume, cancel, and the decision about recipients of whom nobody knows. */
export const campaignActsApi = {
  start: os.start.handler(async ({ input, context, errors }) => {
    const result = await act(context, input.campaignId, 'start', 'Started campaign', (tx, client, row) =>
      begin(tx, client, row, context.clock()),
    );
    if (result === 'campaign_segment_deleted') {
      throw errors.campaign_segment_deleted(await nameDeletedSegments(context, input.campaignId));
    }
    if (typeof result === 'string') {
      throw errors[result === 'template_not_found' ? 'template_not_approved' : result]();
    }
    return presentCampaignDetails(context, result);
  }),

  pause: os.pause.handler(async ({ input, context, errors }) => {
    const result = await act(
      context,
      input.campaignId,
      'pause',
      'Paused campaign',
      async (_, client, { runNo }) =>
        runNo !== null && (await pauseRun(client, runNo)) ? null : 'campaign_act_refused',
    );
    if (typeof result === 'string') throw errors[result]();
    return presentCampaignDetails(context, result);
  }),

  resume: os.resume.handler(async ({ input, context, errors }) => {
    const result = await act(
      context,
      input.campaignId,
      'resume',
      'Resumed campaign',
      async (tx, client, row) => {
        if (row.runNo === null) return begin(tx, client, row, context.clock());
        return (await resumeRun(client, row.runNo)) ? null : 'campaign_act_refused';
      },
    );
    if (result === 'campaign_segment_deleted') {
      throw errors.campaign_segment_deleted(await nameDeletedSegments(context, input.campaignId));
    }
    if (typeof result === 'string') {
      throw errors[result === 'template_not_found' ? 'template_not_approved' : result]();
    }
    return presentCampaignDetails(context, result);
  }),

  cancel: os.cancel.handler(async ({ input, context, errors }) => {
    const result = await act(
      context,
      input.campaignId,
      'cancel',
      'Cancelled campaign',
      async (tx, client, row) => {
        if (row.runNo !== null) return (await cancelRun(client, row.runNo)) ? null : 'campaign_act_refused';
        await tx
          .update(campaigns)
          .set({ status: 'cancelled', version: row.version + 1 })
          .where(and(eq(campaigns.workspaceId, row.workspaceId), eq(campaigns.id, row.id)));
        return null;
      },
    );
    if (typeof result === 'string') throw errors[result]();
    return presentCampaignDetails(context, result);
  }),

  preflightRetry: os.preflightRetry.handler(({ input, context, errors }) =>
    context.inWorkspaceFor('counting', async (tx, client) => {
      const checked = await checkBeforeRetry(tx, client, context.session.workspaceId, input.campaignId);
      if (typeof checked === 'string') throw errors[checked]();
      return checked;
    }),
  ),

  retryFailed: os.retryFailed.handler(async ({ input, context, errors }) => {
    const { campaignId } = input;
    const row = await context.inWorkspaceFor('starting', async (tx, client) => {
      const retried = await retryFailed(tx, client, context, campaignId);
      if (typeof retried === 'string') throw errors[retried]();
      await context.recordActivity(tx, {
        type: 'send',
        resource: 'campaigns',
        description: 'Sent again to the failed recipients of a campaign',
        metadata: { campaignId, retryId: retried.campaignId },
      });
      return findCampaign(tx, context.session.workspaceId, retried.campaignId);
    });
    if (!row) throw errors.campaign_not_found();
    await context.publish('campaigns', { campaignId: row.id });
    return presentCampaignDetails(context, row);
  }),

  sendTest: os.sendTest.handler(async ({ input, context, errors }) => {
    const result = await sendTestMessage(context, input);
    if (result.outcome === 'refused') {
      const isPhone = result.code === 'contact_phone_invalid';
      throw errors[result.code]({ data: isPhone ? { field: 'phone' } : undefined });
    }
    if (result.outcome === 'refused_by_platform') {
      throw errors.test_message_refused({ data: { values: { reason: result.reason } } });
    }
    return { phone: result.phone };
  }),

  resolveUnknown: os.resolveUnknown.handler(async ({ input, context, errors }) => {
    const { workspaceId } = context.session;
    const result = await context.inWorkspaceFor('long', async (tx, client) => {
      const row = await lockCampaign(tx, workspaceId, input.campaignId);
      if (!row) return 'campaign_not_found' satisfies ActRefusal;
      if (row.runNo === null) return 'campaign_act_refused' satisfies ActRefusal;
      const decision = input.decision === 'mark_sent' ? 'mark_sent' : 'mark_not_sent_and_send';
      const resolved = await resolveUnknown(client, row.runNo, decision);
      await context.recordActivity(tx, {
        type: 'update',
        resource: 'campaigns',
        description: `Decided ${resolved} unknown recipients of campaign ${row.name}`,
        metadata: { decision: input.decision },
      });
      return { resolved };
    });
    if (typeof result === 'string') throw errors[result]();
    await context.publish('campaigns', { campaignId: input.campaignId });
    return result;
  }),
};

/** One act in one transaction: allowed by the status it finds, written to the audit log, told to every browser. */
async function act<Refusal extends string>(
  context: SignedInContext,
  campaignId: string,
  name: CampaignAct,
  description: string,
  perform: (tx: Queries, client: pg.PoolClient, row: CampaignRow) => Promise<Refusal | null>,
): Promise<CampaignRow | Refusal | ActRefusal> {
  const { workspaceId } = context.session;
  const kind = name === 'start' || name === 'resume' ? 'starting' : 'interactive';
  const result = await context.inWorkspaceFor(kind, async (tx, client) => {
    const row = await lockCampaign(tx, workspaceId, campaignId);
    if (!row) return 'campaign_not_found';
    // A second Start of a campaign that is on its way is no mistake: it changes nothing.
    if (name === 'start' && row.status === 'running') return row;
    if (!allowsAct(row.status, name)) return 'campaign_act_refused';
    const refusal = await perform(tx, client, row);
    if (refusal !== null) return refusal;
    await context.recordActivity(tx, {
      type: name === 'start' || name === 'resume' ? 'send' : 'update',
      resource: 'campaigns',
      description: `${description} ${row.name}`,
    });
    return (await findCampaign(tx, workspaceId, campaignId)) ?? 'campaign_not_found';
  });
  if (typeof result === 'object') await context.publish('campaigns', { campaignId });
  return result;
}

/** For the refusal of a start: which segments are gone. */
async function nameDeletedSegments(context: SignedInContext, campaignId: string) {
  const names = await context.inWorkspace(async (tx, client) => {
    const row = await findCampaign(tx, context.session.workspaceId, campaignId);
    const segments = row ? await describeSegments(client, row) : [];
    return segments.filter(({ isDeleted }) => isDeleted).map(({ name }) => name);
  });
  return { data: { values: { segment: names.join(', ') } } };
}

async function begin(tx: Queries, client: pg.PoolClient, { workspaceId, id }: CampaignRow, now: Date) {
  const started = await startCampaign(tx, client, workspaceId, id, now);
  return started.outcome === 'refused' ? started.code : null;
}
