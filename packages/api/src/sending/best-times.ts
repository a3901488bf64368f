import { readReadingHours } from '@app/database/analytics/reading-hours';
import type { BestTimes } from '@app/delivery/best-times';
import { listTimeSlots, priorOfSlots } from '@app/domain/campaigns/best-time-slots';
import type { QuietHours } from '@app/domain/campaigns/quiet-hours';
import { readGeneralSettings } from '@app/domain/settings/general-settings';
import { workspaces } from '@app/database/workspaces/workspaces-tables';
import { eq } from 'drizzle-orm';
import type { ReadScope } from '../platform/workspace-scope.ts';

/** Older habits count no more. */
const LEARNT_FROM_MS = 180 * 86_400_000;

/** In which hours of the next 24 a campaign may leave, on the clocks of the workspace, and how much each is worth to contacts without data. */
export async function readBestTimes(scope: ReadScope, quietHours: QuietHours | null): Promise<BestTimes> {
  const { tx, workspaceId } = scope;
  const now = scope.clock();
  const [workspace] = await tx
    .select({ settings: workspaces.settings })
    .from(workspaces)
    .where(eq(workspaces.id, workspaceId));
  const { timeZone: zone } = readGeneralSettings({ ...workspace?.settings });
  const since = new Date(now.getTime() - LEARNT_FROM_MS);
  const everybody = await readReadingHours(scope, { workspaceId, zone, since, before: now });
  const slots = listTimeSlots(now, zone, quietHours);
  const priors = priorOfSlots(everybody, slots);
  return { zone, since, slots: slots.map((slot, place) => ({ ...slot, prior: priors[place] ?? 0 })) };
}
