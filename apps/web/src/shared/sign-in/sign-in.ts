import type { SignUpForm } from '@app/domain/auth/sign-up-rules';
import { clearOfflineCopies } from '../offline/offline-copy.ts';
import { saveSession } from './saved-session.ts';
import { fetchSession, postSignIn, postSignUp } from './sign-in-calls.ts';
import type { SessionData } from './sign-in-calls.ts';

/** @throws {SignInFailure} */
export async function signIn(form: { email: string; password: string; rememberMe: boolean }): Promise<void> {
  const { session } = await postSignIn(form);
  beginSession(session, form.rememberMe);
}

/** Creates an account; `pending` means that an administrator must activate it first. @throws {SignInFailure} */
export async function signUp(form: SignUpForm): Promise<'signed-in' | 'pending'> {
  const { session } = await postSignUp(form);
  if (!session) return 'pending';
  beginSession(session, true);
  return 'signed-in';
}

/** The session of a visitor who comes back to a public page, or null. */
export async function findSession(): Promise<SessionData | null> {
  const session = await fetchSession();
  if (session) saveSession(session);
  return session;
}

function beginSession(session: SessionData, isRemembered: boolean): void {
  // Nothing that somebody else left in this browser may show through.
  clearOfflineCopies();
  saveSession(session, isRemembered);
}
