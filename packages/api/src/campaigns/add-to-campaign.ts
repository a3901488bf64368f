import { campaigns } from '@app/database/campaigns/campaigns-tables';
import type { ChosenAudience, PlannedAudience } from '@app/domain/delivery/audience';
import { and, eq } from 'drizzle-orm';
import type { WorkspaceScope } from '../platform/workspace-scope.ts';

/** A campaign that names contacts one by one names at most so many. */
const MOST_NAMED = 100_000;

export type NotAdded =
  | 'campaign_not_found'
  | 'campaign_already_started'
  | 'campaign_audience_full'
  | 'contact_gone';

/**
 * Adds one contact to the audience of a campaign that has not started. One that is named already stays so, and nothing changes. Who may not get the
 * message is left out when the campaign starts, as everybody else. Null where it was done.
 */
export async function addToCampaign(
  scope: WorkspaceScope,
  { campaignId, contactId }: { campaignId: string; contactId: string },
): Promise<NotAdded | null> {
  const { tx, workspaceId } = scope;
  const isIt = and(eq(campaigns.workspaceId, workspaceId), eq(campaigns.id, campaignId));
  const [campaign] = await tx.select().from(campaigns).where(isIt).for('update');
  if (!campaign) return 'campaign_not_found';
  const isOpen = campaign.runNo === null && ['draft', 'scheduled'].includes(campaign.status);
  if (!isOpen) return 'campaign_already_started';
  const { rowCount } = await scope.query('SELECT FROM contacts WHERE workspace_id = $1 AND id = $2', [
    workspaceId,
    contactId,
  ]);
  if (!rowCount) return 'contact_gone';
  const audience = nameAlso(campaign.audience, contactId);
  if (audience === 'same') return null;
  if (audience === null) return 'campaign_audience_full';
  await tx
    .update(campaigns)
    .set({
      ...{ audience, audienceSize: campaign.audienceSize + 1 },
      ...{ version: campaign.version + 1, updatedAt: scope.clock() },
    })
    .where(isIt);
  await scope.emit({ type: 'campaign.updated', subject: campaignId, values: { name: campaign.name } });
  return null;
}

/** Null where no more can be named. */
function nameAlso(planned: PlannedAudience, contactId: string): ChosenAudience | 'same' | null {
  if ('failedOf' in planned) return null;
  const { contactIds = [] } = 'filter' in planned ? {} : planned;
  const { excludedIds = [] } = 'filter' in planned || 'anyOf' in planned ? planned : {};
  if (contactIds.includes(contactId)) return 'same';
  if (contactIds.length >= MOST_NAMED) return null;
  const named = [...contactIds, contactId];
  const others = excludedIds.filter((id) => id !== contactId);
  const { except, restDays } = planned;
  const leftOut = { ...(except && { except }), ...(restDays !== undefined && { restDays }) };
  if (!('filter' in planned) && !('anyOf' in planned)) return { ...leftOut, contactIds: named };
  return {
    ...{ ...leftOut, contactIds: named, anyOf: 'filter' in planned ? [planned.filter] : planned.anyOf },
    ...(others.length > 0 && { excludedIds: others }),
  };
}
