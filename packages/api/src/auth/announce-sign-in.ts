import { eq } from 'drizzle-orm';
import { users } from '@app/database/auth/auth-tables';
import { callerOf } from '../platform/guard-access.ts';
import type { Origin } from '../platform/origin.ts';
import type { Session } from '../platform/request-context.ts';
import { changeAcrossWorkspaces, type SystemParts } from '../platform/system-work.ts';
import type { AuthParts } from './auth-parts.ts';
import { loginAlertMail } from './login-alert-mail.ts';
import type { SignedIn } from './sessions/open-session.ts';

/** Keeps the time of the sign-in, tells the workspace, and writes to the person when the browser is a new one. */
export async function announceSignIn(
  parts: SystemParts & Pick<AuthParts, 'jobs'>,
  origin: Origin,
  { session, isNewDevice }: SignedIn,
): Promise<void> {
  const now = parts.clock();
  const { id } = session.user;
  await changeAcrossWorkspaces(parts, 'sign-in', async ({ tx, client, scopeOf }) => {
    // The first sign-in of an account is at a new device by its nature.
    const [before] = await tx.select({ at: users.lastLoginAt }).from(users).where(eq(users.id, id));
    const isAlert = isNewDevice && before?.at instanceof Date;
    if (isAlert) await parts.jobs.enqueue(client, loginAlertMail, session.id, { sessionId: session.id });
    await tx.update(users).set({ lastLoginAt: now }).where(eq(users.id, id));
    const scope = scopeOf({ caller: callerOf(session), origin });
    await scope.emit({ type: 'user.signed_in', subject: id, values: {} });
    if (isAlert) await scope.emit({ type: 'account.new_browser', subject: id, values: {} });
  });
}

export async function announceSignOut(parts: SystemParts, origin: Origin, session: Session): Promise<void> {
  await changeAcrossWorkspaces(parts, 'sign-in', ({ scopeOf }) =>
    scopeOf({ caller: callerOf(session), origin }).emit({
      type: 'user.signed_out',
      subject: session.user.id,
      values: {},
    }),
  );
}
