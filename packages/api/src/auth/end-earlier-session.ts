import { publishToWorkspace } from './announce-sign-in.ts';
import type { AuthParts } from './auth-parts.ts';

/** Whoever signs in again in the same browser leaves no open session behind, and no open event stream. */
export async function endEarlierSession(
  parts: Pick<AuthParts, 'db' | 'liveEvents' | 'sessions'>,
  request: Request,
  newToken: string,
): Promise<void> {
  const token = await parts.sessions.readToken(request);
  if (token === null || token === newToken) return;
  const { rows } = await parts.db.systemPool.query<{ workspace_id: string }>(
    `WITH gone AS (DELETE FROM sessions WHERE token = $1 RETURNING user_id)
     SELECT m.workspace_id FROM memberships m JOIN gone ON gone.user_id = m.user_id`,
    [token],
  );
  for (const { workspace_id: workspaceId } of rows) await publishToWorkspace(parts, workspaceId);
}
