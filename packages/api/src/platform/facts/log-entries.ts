import type { WorkspaceScope } from '../workspace-scope.ts';

/** Views come by themselves every 30 seconds: only the newest stay, the rest of the log is never touched. */
export async function deleteOldViews(scope: WorkspaceScope, kept: number): Promise<void> {
  await scope.query(
    `DELETE FROM activities WHERE id IN (
       SELECT id FROM activities WHERE workspace_id = $1 AND type = 'view' ORDER BY occurred_at DESC OFFSET $2)`,
    [scope.workspaceId, kept],
  );
}

/** The log says who was invited by address: it goes with the account. */
export async function deleteInvitedAddress(scope: WorkspaceScope, email: string): Promise<void> {
  await scope.query(
    `UPDATE activities SET "values" = "values" - 'email'
      WHERE workspace_id = $1 AND fact_type IN ('user.invited', 'invitation.sent_again', 'invitation.revoked')
        AND "values" ->> 'email' = $2`,
    [scope.workspaceId, email],
  );
}

/** What was done with one of the kind is from now on found by another one, too, because they became one. */
export async function joinEntries(
  scope: WorkspaceScope,
  { goneId, survivorId }: { goneId: string; survivorId: string },
): Promise<void> {
  await scope.query(
    `INSERT INTO activity_subjects (workspace_id, subject_id, activity_id, occurred_at)
     SELECT $1::uuid, $3::uuid, id, occurred_at FROM activities WHERE workspace_id = $1 AND subject_id = $2
     UNION SELECT $1::uuid, $3::uuid, activity_id, occurred_at FROM activity_subjects WHERE workspace_id = $1 AND subject_id = $2
     ON CONFLICT DO NOTHING`,
    [scope.workspaceId, goneId, survivorId],
  );
}

/** The other way round: what was done with both of them stays with both. */
export async function partEntries(
  scope: WorkspaceScope,
  { goneId, survivorId }: { goneId: string; survivorId: string },
): Promise<void> {
  await scope.query(
    `DELETE FROM activity_subjects s USING activities a
      WHERE s.workspace_id = $1 AND s.subject_id = $3::uuid AND a.id = s.activity_id AND (a.subject_id = $2
        OR (EXISTS (SELECT FROM activity_subjects o WHERE o.workspace_id = $1 AND o.subject_id = $2 AND o.occurred_at = s.occurred_at
              AND o.activity_id = s.activity_id) AND NOT coalesce(a."values"->'conversationIds' ? ($3::uuid)::text, false)))`,
    [scope.workspaceId, goneId, survivorId],
  );
}

/** What the sample says that people of it did. */
export async function deleteSampleEntries(scope: WorkspaceScope): Promise<void> {
  await scope.query(`DELETE FROM activities WHERE workspace_id = $1 AND metadata @> '{"sample": true}'`, [
    scope.workspaceId,
  ]);
}
