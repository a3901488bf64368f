import { workspaces } from '@app/database/workspaces/workspaces-tables';
import type { QuietHours } from '@app/domain/campaigns/quiet-hours';
import { readMessagingSettings } from '@app/domain/settings/messaging-settings';
import { eq } from 'drizzle-orm';
import type { ReadScope } from '../platform/workspace-scope.ts';

/** As somebody chose them, null for none; what nobody chose is as the workspace has it. */
export async function findQuietHours(
  { tx, workspaceId }: ReadScope,
  chosen: QuietHours | null | undefined,
): Promise<QuietHours | null> {
  if (chosen !== undefined) return chosen;
  const [workspace] = await tx
    .select({ settings: workspaces.settings })
    .from(workspaces)
    .where(eq(workspaces.id, workspaceId));
  return readMessagingSettings({ ...workspace?.settings }).quietHours;
}
