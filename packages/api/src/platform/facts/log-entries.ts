import type { WorkspaceScope } from '../workspace-scope.ts';

/** Views come by themselves every 30 seconds: only the newest stay, the rest of the log is never touched. */
export async function forgetOldViews(scope: WorkspaceScope, kept: number): Promise<void> {
  await scope.query(
    `DELETE FROM activities WHERE id IN (
       SELECT id FROM activities WHERE workspace_id = $1 AND type = 'view' ORDER BY occurred_at DESC OFFSET $2)`,
    [scope.workspaceId, kept],
  );
}

/** The log says who was invited by address: it goes with the account. */
export async function forgetInvitedAddress(scope: WorkspaceScope, email: string): Promise<void> {
  await scope.query(
    `UPDATE activities SET "values" = "values" - 'email'
      WHERE workspace_id = $1 AND fact_type IN ('user.invited', 'invitation.sent_again', 'invitation.revoked')
        AND "values" ->> 'email' = $2`,
    [scope.workspaceId, email],
  );
}
