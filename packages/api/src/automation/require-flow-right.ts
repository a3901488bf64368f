import { ORPCError } from '@orpc/server';
import { isPermitted } from '@app/domain/auth/is-permitted';
import type { Permission } from '@app/domain/auth/permissions';
import { missingForFlow } from '@app/domain/automation/draft-rights';
import { sayMissing } from '../platform/guard-access.ts';
import type { WorkspaceScope } from '../platform/workspace-scope.ts';
import { isOwnDraft, type FlowRow } from './workflows-queries.ts';

/**
 * Call it once the row of the flow is locked.
 * @throws for callers who may change (or delete) neither this flow nor any
 */
export function requireFlowRight(
  scope: WorkspaceScope,
  action: 'update' | 'delete',
  flow: Pick<FlowRow, 'owner_id' | 'published'>,
): void {
  const may = (permission: Permission) => isPermitted(scope.caller.permissions, permission);
  const missing = missingForFlow(action, { may, isOwnDraft: isOwnDraft(scope, flow) });
  if (missing) throw new ORPCError('FORBIDDEN', { message: sayMissing(missing) });
}
