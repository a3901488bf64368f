import { eq } from 'drizzle-orm';
import { users } from '@app/database/auth/auth-tables';
import { callerOf } from '../platform/guard-access.ts';
import type { Origin } from '../platform/origin.ts';
import type { Session } from '../platform/request-context.ts';
import { changeAcrossWorkspaces, type SystemParts } from '../platform/system-work.ts';

/** Keeps the time of the sign-in and tells the workspace. */
export async function announceSignIn(parts: SystemParts, origin: Origin, session: Session): Promise<void> {
  const now = parts.clock();
  const { id } = session.user;
  await changeAcrossWorkspaces(parts, 'sign-in', async ({ tx, scopeOf }) => {
    await tx.update(users).set({ lastLoginAt: now }).where(eq(users.id, id));
    const scope = scopeOf({ caller: callerOf(session), origin });
    await scope.tell({ type: 'user.signed_in', subject: id, values: {} });
  });
}

export async function announceSignOut(parts: SystemParts, origin: Origin, session: Session): Promise<void> {
  await changeAcrossWorkspaces(parts, 'sign-in', ({ scopeOf }) =>
    scopeOf({ caller: callerOf(session), origin }).tell({
      type: 'user.signed_out',
      subject: session.user.id,
      values: {},
    }),
  );
}
