import type { OpenScenes, Stored } from '../scene-kit.ts';

export const openScenes: OpenScenes = ({ query, next, phone, post, addContact }) => {
  const draft = async () => ({
    name: `Campaign ${next()}`,
    message: { customMessage: 'Hello' },
    audience: { contactIds: [(await addContact()).id] },
  });

  const addCampaign = async () => post('/api/campaigns', await draft());

  async function addStarted(): Promise<Stored> {
    const campaign = await addCampaign();
    return post(`/api/campaigns/${campaign.id}/start`);
  }

  /** As the engine leaves a campaign whose only recipient came to this end. */
  async function addEnded(recipient: string): Promise<Stored> {
    const campaign = await addStarted();
    const run = `(SELECT run_no FROM delivery_runs WHERE campaign_id = '${campaign.id}')`;
    await query(`UPDATE delivery_recipients SET ${recipient} WHERE run_no = ${run}`);
    await query(
      `UPDATE delivery_runs SET state = 'completed', completed_at = now(), cursor = 1, low_water = 1 WHERE run_no = ${run}`,
    );
    return campaign;
  }

  return {
    makers: {
      campaignId: async () => ({ campaignId: (await addCampaign()).id }),
    },
    scenes: {
      'bulkMessage.send': async () => {
        const { message, audience } = await draft();
        return { message, audience };
      },
      'campaigns.create': draft,
      'campaigns.update': async () => {
        const { id: campaignId, version } = await addCampaign();
        return { campaignId, version, ...(await draft()) };
      },
      'campaigns.pause': async () => ({ campaignId: (await addStarted()).id }),
      'campaigns.resume': async () => {
        const { id: campaignId } = await addStarted();
        await post(`/api/campaigns/${campaignId}/pause`);
        return { campaignId };
      },
      'campaigns.takeBack': async () => {
        const { id: campaignId } = await addCampaign();
        await post(`/api/campaigns/${campaignId}/start`, { takeBackSeconds: 10 });
        return { campaignId };
      },
      'campaigns.chooseVariant': async () => {
        const { id: campaignId } = await post('/api/campaigns', {
          ...(await draft()),
          abTest: {
            ...{ metric: 'read', expectedRate: 50, smallestDifference: 5, share: 50 },
            variants: [{ message: { customMessage: 'Hello' }, share: 50 }],
          },
        });
        await post(`/api/campaigns/${campaignId}/start`);
        await query(
          `UPDATE campaigns SET ab_result = ab_result || '{"verdict": {"outcome": "too_few", "at": "2026-01-01T00:00:00Z", "figures": []}}' WHERE id = '${campaignId}'`,
        );
        return { campaignId, variant: 1 };
      },
      'campaigns.cancel': async () => ({ campaignId: (await addStarted()).id }),
      'campaigns.retryFailed': async () => ({
        campaignId: (await addEnded(`state = 3, error_code = '131000', failed_at = now()`)).id,
      }),
      'campaigns.resolveUnknown': async () => ({
        campaignId: (await addEnded('state = 5')).id,
        decision: 'mark_sent',
      }),
      'campaigns.sendTest': async () => ({ message: { customMessage: 'Hello' }, phone: phone() }),
      'campaigns.exportResults': async () => ({ campaignId: (await addStarted()).id }),
    },
  };
};
