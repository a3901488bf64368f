import { handOver } from '../users/hand-over.ts';
import { beginMemberChange, hasAdmin } from '../users/member-change.ts';
import { deleteAddress } from '../users/users-actions.ts';
import type { SignedInUser } from '../platform/request-context.ts';
import type { WorkspaceScope } from '../platform/workspace-scope.ts';

/**
 * Takes the caller out of the workspace, as an admin who removes them does: what they have open waits for somebody else,
 * their keys open nothing, and an account that has no other workspace goes. Null when they have left.
 */
export async function leaveWorkspace(
  scope: WorkspaceScope,
  { id, firstName, lastName, email }: SignedInUser,
): Promise<'last_admin' | null> {
  await beginMemberChange(scope, null);
  await handOver(scope, id, null);
  await scope.query('SELECT remove_member($1)', [id]);
  if (!(await hasAdmin(scope))) return 'last_admin';
  await deleteAddress(scope, email);
  await scope.emit({
    type: 'workspace.left',
    subject: id,
    values: { name: `${firstName} ${lastName}`.trim() },
  });
  return null;
}
