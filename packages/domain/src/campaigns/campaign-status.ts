/** `cancelled` is ours: the five others are the ones that people choose or see while a campaign lives. */
export const campaignStatuses = [
  'draft',
  'scheduled',
  'running',
  'completed',
  'paused',
  'cancelled',
] as const;
export type CampaignStatus = (typeof campaignStatuses)[number];

export const campaignActions = [
  'start',
  'take_back',
  'pause',
  'resume',
  'cancel',
  'edit',
  'delete',
  'retry_failed',
  'duplicate',
] as const;
export type CampaignAction = (typeof campaignActions)[number];

const ALLOWED: Record<CampaignAction, readonly CampaignStatus[]> = {
  start: ['draft', 'scheduled'],
  // Whether something has left already is decided by the run itself.
  take_back: ['running', 'paused'],
  pause: ['running'],
  resume: ['paused'],
  cancel: ['scheduled', 'running', 'paused'],
  edit: campaignStatuses,
  delete: campaignStatuses,
  retry_failed: ['completed', 'cancelled'],
  duplicate: campaignStatuses,
};

/** Whether a campaign in this status takes this act. What an edit may change once sending began is decided apart. */
export function allowsAction(status: CampaignStatus, act: CampaignAction): boolean {
  return ALLOWED[act].includes(status);
}

/** Completed out of all that began, as a rounded percent; 0 when none did. What is still planned says nothing about success. */
export function successRate({
  running,
  completed,
  paused,
  cancelled,
}: Record<CampaignStatus, number>): number {
  const begun = running + completed + paused + cancelled;
  return begun === 0 ? 0 : Math.round((completed / begun) * 100);
}
