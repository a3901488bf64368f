import { personOf } from '@app/domain/auth/caller';
import type { ReadScope, WorkspaceScope } from '../../platform/workspace-scope.ts';

export type SessionOwner = { userId: string; name: string };

/** Whose session it is: the caller's own, or that of a member who works in no other workspace. */
export async function findSessionOwner(scope: ReadScope, sessionId: string): Promise<SessionOwner | null> {
  const { rows } = await scope.query<SessionOwner>(
    `SELECT s.user_id AS "userId", u.name FROM sessions_of_members($2) s JOIN users u ON u.id = s.user_id WHERE s.id = $1`,
    [sessionId, personOf(scope.caller)],
  );
  return rows[0] ?? null;
}

/**
 * Ends open sessions of a member: all of them, one, or all but one. They open nothing with the next request, and the fact
 * that is told of it cuts their live streams. Null for the sessions of somebody else who works in another workspace too: they are open there as well.
 */
export async function endSessions(
  scope: WorkspaceScope,
  { userId, name }: SessionOwner,
  { onlyOne = null, butOne = null }: { onlyOne?: string | null; butOne?: string | null } = {},
): Promise<number | null> {
  const sessions = await endQuietly(scope, userId, { onlyOne, butOne });
  if (sessions)
    await scope.emit({ type: 'user.sessions_ended', subject: userId, values: { name, sessions } });
  return sessions;
}

/** The same where another fact says why. */
export async function endQuietly(
  scope: WorkspaceScope,
  userId: string,
  { onlyOne = null, butOne = null }: { onlyOne?: string | null; butOne?: string | null } = {},
): Promise<number | null> {
  const { rows } = await scope.query<{ sessions: number | null }>(
    'SELECT end_sessions_of_member($1, $2, $3, $4, $5) AS sessions',
    [userId, onlyOne, butOne, personOf(scope.caller), scope.clock()],
  );
  return rows[0]?.sessions ?? null;
}
