import type { SignUpForm } from '@app/domain/auth/sign-up-rules';
import { noteSignOut } from '../offline/interrupted-writing.ts';
import { clearOfflineCopies } from '../offline/offline-copy.ts';
import { clearSession, saveSession } from './saved-session.ts';
import {
  fetchAnySession,
  postAcceptance,
  postCode,
  postCompanyFinish,
  postPasskey,
  postPasskeyBegin,
  postSignIn,
  postSignOut,
  postSignUp,
} from './sign-in-calls.ts';
import type { AcceptForm, SessionData } from './sign-in-calls.ts';

/** `second-step` means that a code is asked for. @throws {SignInFailure} */
export async function signIn(form: {
  email: string;
  password: string;
  rememberMe: boolean;
}): Promise<'signed-in' | 'second-step'> {
  const { session } = await postSignIn(form);
  if (!session) return 'second-step';
  beginSession(session, form.rememberMe);
  return 'signed-in';
}

/** @throws {SignInFailure} */
export async function signInWithCode(form: {
  code: string;
  trustsDevice: boolean;
  rememberMe: boolean;
}): Promise<void> {
  const { code, trustsDevice, rememberMe } = form;
  const { session } = await postCode({ code, trustsDevice });
  beginSession(session, rememberMe);
}

/** Asks the browser for a passkey; false when the person gave it up. @throws {SignInFailure} */
export async function signInWithPasskey(rememberMe: boolean): Promise<boolean> {
  const options = PublicKeyCredential.parseRequestOptionsFromJSON(await postPasskeyBegin());
  const credential = await navigator.credentials.get({ publicKey: options }).catch(() => null);
  if (!(credential instanceof PublicKeyCredential)) return false;
  const { session } = await postPasskey({ response: credential.toJSON(), rememberMe });
  beginSession(session, rememberMe);
  return true;
}

export type CompanyOutcome =
  | { step: 'signed-in' }
  | { step: 'second-step'; rememberMe: boolean }
  /** An administrator must let them in first. */
  | { step: 'pending'; mustConfirmAddress: boolean };

/** Goes on where the company's provider sent the browser back. @throws {SignInFailure} */
export async function signInByCompany(attempt: string): Promise<CompanyOutcome> {
  const { session, rememberMe, isPending, mustConfirmAddress = false } = await postCompanyFinish(attempt);
  if (isPending) return { step: 'pending', mustConfirmAddress };
  if (!session) return { step: 'second-step', rememberMe };
  beginSession(session, rememberMe);
  return { step: 'signed-in' };
}

/** Creates an account; `pending` means that an administrator must activate it first, `unconfirmed` that the address is confirmed by mail before. @throws {SignInFailure} */
export async function signUp(form: SignUpForm): Promise<'signed-in' | 'pending' | 'unconfirmed'> {
  const { session, mustConfirmAddress } = await postSignUp(form);
  if (!session) return mustConfirmAddress ? 'unconfirmed' : 'pending';
  beginSession(session, true);
  return 'signed-in';
}

/** Makes the account that an invitation is for, and signs in to it. @throws {SignInFailure} */
export async function acceptInvitation(form: AcceptForm): Promise<void> {
  const { session } = await postAcceptance(form);
  beginSession(session, true);
}

/** Takes an invitation with the account that is signed in. Answers with the workspace joined. @throws {SignInFailure} */
export async function joinWithAccount(token: string): Promise<string> {
  const { session } = await postAcceptance({ token });
  return session.workspace.id;
}

/** Ends the session from a public page: what the browser holds of the account goes. @throws {SignInFailure} */
export async function signOutHere(): Promise<void> {
  await postSignOut();
  noteSignOut(true);
  clearSession();
}

/** The session of a visitor who comes back to a public page, or null. */
export async function findSession(): Promise<SessionData | null> {
  const session = await fetchAnySession();
  if (session) saveSession(session);
  return session;
}

function beginSession(session: SessionData, isRemembered: boolean): void {
  // Nothing that somebody else left in this browser may show through.
  clearOfflineCopies();
  saveSession(session, isRemembered);
}
