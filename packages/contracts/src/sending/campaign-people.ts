/** An outcome or a reason says nothing without its campaign, and must never be taken for everybody. */
export function isOfCampaign({
  campaignId,
  outcome,
  reason,
}: {
  campaignId?: string | undefined;
  outcome?: string | undefined;
  reason?: string | undefined;
}): boolean {
  return Boolean(campaignId) || !(outcome || reason);
}

export const noCampaign = { path: ['campaignId'], message: 'An outcome or a reason needs its campaign' };
