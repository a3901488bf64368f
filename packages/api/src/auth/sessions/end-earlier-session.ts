import { changeAcrossWorkspaces } from '../../platform/system-work.ts';
import type { AuthParts } from '../auth-parts.ts';

/** Whoever signs in again in the same browser leaves no open session behind, and no open event stream. */
export async function endEarlierSession(parts: AuthParts, request: Request, newToken: string): Promise<void> {
  const token = await parts.sessions.readToken(request);
  if (token === null || token === newToken) return;
  await changeAcrossWorkspaces(parts, 'sign-in', async ({ client, scopeOf }) => {
    const { rows } = await client.query<{ workspace_id: string; user_id: string }>(
      `WITH gone AS (UPDATE sessions SET ended_at = $2 WHERE token = $1 AND ended_at IS NULL RETURNING user_id)
       SELECT m.workspace_id, m.user_id FROM memberships m JOIN gone USING (user_id)`,
      [token, parts.clock()],
    );
    for (const { workspace_id: workspaceId, user_id: subject } of rows)
      await scopeOf(workspaceId).emit({ type: 'user.session_ended', subject, values: {} });
  });
}
