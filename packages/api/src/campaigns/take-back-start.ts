import { ORPCError } from '@orpc/server';
import { undoStart } from '@app/database/campaigns/write-campaigns';
import { campaigns } from '@app/database/campaigns/campaigns-tables';
import { takeBackRun } from '@app/delivery/run-controls';
import { callerKey, findMissingPermission } from '@app/domain/auth/caller';
import type { Permission } from '@app/domain/auth/permissions';
import { and, eq } from 'drizzle-orm';
import { sayMissing } from '../platform/guard-access.ts';
import type { CampaignRow } from '../sending/campaign-overview.ts';
import type { WorkspaceScope } from '../platform/workspace-scope.ts';

/** As the contract asks of a start. */
const mayStart: readonly Permission[] = ['campaigns:update', 'messages:create'];

/**
 * Makes a held start as if it had not been: the run goes with its recipients, and the campaign is again what it was. Null when that is done; of this and the first
 * claim one alone succeeds, by the lock of the run's row. The campaign's row is held by the caller.
 * @throws for whoever neither started it nor may start campaigns
 */
export async function takeBackStart(
  scope: WorkspaceScope,
  { id, runNo }: CampaignRow,
): Promise<'campaign_already_sending' | null> {
  const missing = findMissingPermission(scope.caller, mayStart);
  if (missing && !(await isOwnStart(scope, id)))
    throw new ORPCError('FORBIDDEN', { message: sayMissing(missing) });
  if (runNo === null || !(await takeBackRun(scope, runNo))) return 'campaign_already_sending';
  await undoStart(scope.tx, { workspaceId: scope.workspaceId, campaignId: id }, scope.clock());
  return null;
}

/** A bulk message is begun by people who may not start what others made. */
async function isOwnStart({ tx, workspaceId, caller }: WorkspaceScope, campaignId: string): Promise<boolean> {
  const [stored] = await tx
    .select({ beforeStart: campaigns.beforeStart })
    .from(campaigns)
    .where(and(eq(campaigns.workspaceId, workspaceId), eq(campaigns.id, campaignId)));
  return stored?.beforeStart?.startedBy === callerKey(caller);
}
