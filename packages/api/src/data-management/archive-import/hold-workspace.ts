import { resetIntegrations } from '@app/database/integrations/reset-integrations';
import { ownContacts } from '@app/delivery/follow-merges';
import { OperationFailed } from '../../platform/operations/operation-kind.ts';
import type { WorkspaceScope } from '../../platform/workspace-scope.ts';
import { findBusy } from './find-busy.ts';

/**
 * From here on nobody writes about a contact that is here, joins two, freezes an audience, or lets a run go on: what is written down stays true until it goes.
 * Whoever starts or resumes a campaign has its row first, then the contacts, and finds it gone afterwards. @throws {OperationFailed} while something else goes on
 */
export async function holdWorkspace(scope: WorkspaceScope, operationId: string): Promise<void> {
  await scope.query(
    'SELECT count(*) FROM (SELECT FROM campaigns WHERE workspace_id = $1 ORDER BY id FOR NO KEY UPDATE) AS held',
    [scope.workspaceId],
  );
  await ownContacts(scope, scope.workspaceId);
  const busy = await findBusy(scope, operationId);
  if (busy) throw new OperationFailed(busy);
  await resetIntegrations(scope, scope.workspaceId);
  await scope.query(
    'SELECT count(*) FROM (SELECT FROM contacts WHERE workspace_id = $1 ORDER BY id FOR UPDATE) AS held',
    [scope.workspaceId],
  );
}
