import { and, eq, lt } from 'drizzle-orm';
import { sessions, users } from '@app/database/auth/auth-tables';
import type { ActivityEntry } from '../platform/audit-log.ts';
import { recordActivity } from '../platform/audit-log.ts';
import type { Origin } from '../platform/origin.ts';
import type { Session } from '../platform/request-context.ts';
import type { AuthParts } from './auth-parts.ts';

/** Keeps the time of the sign-in, clears the person's sessions that are over, and tells the workspace. */
export async function announceSignIn(parts: AuthParts, caller: Origin, session: Session): Promise<void> {
  const now = parts.clock();
  await parts.db.inSystem(async (tx) => {
    await tx.update(users).set({ lastLoginAt: now }).where(eq(users.id, session.user.id));
    await tx.delete(sessions).where(and(eq(sessions.userId, session.user.id), lt(sessions.expiresAt, now)));
    await recordOwnActivity(tx, caller, session, now, {
      type: 'login',
      resource: 'auth',
      description: 'Signed in',
    });
  });
  await publishToWorkspace(parts, session.workspaceId);
}

export async function announceSignOut(parts: AuthParts, caller: Origin, session: Session): Promise<void> {
  await parts.db.inSystem((tx) =>
    recordOwnActivity(tx, caller, session, parts.clock(), {
      type: 'logout',
      resource: 'auth',
      description: 'Signed out',
    }),
  );
  await publishToWorkspace(parts, session.workspaceId);
}

export async function publishToWorkspace(
  { liveEvents }: Pick<AuthParts, 'liveEvents'>,
  workspaceId: string,
): Promise<void> {
  await liveEvents.publish(workspaceId, 'users');
  await liveEvents.publish(workspaceId, 'activities');
}

function recordOwnActivity(
  tx: Parameters<typeof recordActivity>[0],
  { ipAddress, userAgent }: Origin,
  { workspaceId, user }: Session,
  now: Date,
  entry: ActivityEntry,
): Promise<void> {
  const userName = `${user.firstName} ${user.lastName}`.trim() || user.email;
  return recordActivity(tx, { workspaceId, userId: user.id, userName, ipAddress, userAgent }, entry, now);
}
