import type { Role } from '@app/domain/auth/permissions';
import type { SignUpForm } from '@app/domain/auth/sign-up-rules';
import { createRequestMemory } from '../actions/request-memory.ts';
import type { api } from '../api-client.ts';
import { inWorkspace, workspaceHeader } from '../workspaces/tab-workspace.ts';

export type SessionData = NonNullable<Awaited<ReturnType<typeof api.auth.getSession>>>;

export type SignInHints = Awaited<ReturnType<typeof api.auth.getSignInHints>>;

type RefusalDetails = { issues?: { field: string; code: string }[]; retryAfterSeconds?: number };

/** Why `/api/auth/*` refused, for the form that asked. */
export class SignInFailure extends Error {
  override name = 'SignInFailure';
  /** `invalid_credentials`, `email_taken` …, or `offline` and `internal`. */
  readonly code: string;
  /** The code of what is wrong with each field. */
  readonly problems: Record<string, string>;
  readonly retryAfterSeconds: number;
  constructor(code: string, { issues = [], retryAfterSeconds = 0 }: RefusalDetails = {}) {
    super(code);
    this.code = code;
    this.problems = Object.fromEntries(issues.map((issue) => [issue.field, issue.code]));
    this.retryAfterSeconds = retryAfterSeconds;
  }
}

/**
 * Who is signed in, in the workspace of this tab; null for strangers.
 * @throws {SignInFailure} `workspace_not_found` when it is none of theirs
 */
export async function fetchSession(): Promise<SessionData | null> {
  return fetchJson(inWorkspace('/api/session'));
}

/** The same in the workspace that they are in the longest, whichever one this tab is in. */
export async function fetchAnySession(): Promise<SessionData | null> {
  return fetchJson('/api/session');
}

export async function fetchSignInHints(): Promise<SignInHints> {
  return fetchJson('/api/sign-in-hints');
}

/** `session` is null when a code is still to come. */
export function postSignIn(form: { email: string; password: string; rememberMe: boolean }) {
  return post<{ session: SessionData | null }>('sign-in/email', form);
}

/** The code of a second step, which the browser knows by a cookie of its own. */
export function postCode(form: { code: string; trustsDevice: boolean }) {
  return post<{ session: SessionData }>('two-factor', form);
}

/** What the browser needs to sign in with a passkey. */
export function postPasskeyBegin() {
  return post<PublicKeyCredentialRequestOptionsJSON>('passkey/begin', {});
}

export function postPasskey(form: { response: unknown; rememberMe: boolean }) {
  return post<{ session: SessionData }>('passkey/finish', form);
}

/** Where the browser goes to sign in with the company's provider. */
export function postCompanyBegin(form: { rememberMe: boolean; returnTo: string }) {
  return post<{ address: string }>('company/begin', form);
}

/** What came of it; `session` is null when a code is still to come, or an administrator. */
export function postCompanyFinish(attempt: string) {
  return post<{
    session: SessionData | null;
    rememberMe: boolean;
    isPending?: boolean;
    mustConfirmAddress?: boolean;
  }>('company/finish', { attempt });
}

/** Confirms the address of a new account with the token of a mailed link. */
export function postAddressToken(token: string) {
  return post<unknown>('confirm-address', { token });
}

/** Confirms a new address of an account, or takes such a change back, with the token of a mailed link. */
export function postEmailToken(wish: 'confirm' | 'undo', token: string) {
  return post<{ email: string }>(wish === 'confirm' ? 'confirm-email' : 'undo-email-change', { token });
}

/** `session` is null when an administrator must activate the account first. */
export function postSignUp(form: SignUpForm) {
  return post<{ session: SessionData | null; mustConfirmAddress?: boolean }>('sign-up/email', form);
}

/** What the link of an invitation is for; `account`: whether it asks for a new account, or whose account of its address is signed in here. */
export type InvitationData = {
  email: string;
  role: Role;
  workspaceName: string;
  invitedByName: string;
  account: 'new' | 'own' | 'other' | 'signed-out';
};

export function postInvitationLink(token: string) {
  return post<InvitationData>('read-invitation', { token });
}

export type AcceptForm = Omit<SignUpForm, 'email' | 'role'> & { token: string };

/** Without a form: with the account that is signed in. */
export function postAcceptance(form: AcceptForm | { token: string }) {
  return post<{ session: SessionData }>('accept-invitation', form);
}

export function postSignOut() {
  return post<unknown>('sign-out', {});
}

/** Another 24 hours; fails with `signed_out` when the session is over, and as `fetchSession` does. */
export function postRefresh() {
  return post<{ session: SessionData }>('refresh-session', {}, workspaceHeader());
}

export function postPasswordResetRequest(email: string) {
  return post<unknown>('request-password-reset', { email });
}

export type OtherWaysIn = {
  passkeys: { name: string; createdAt: string; lastUsedAt: string | null }[];
  companyLink: { provider: string; linkedAt: string } | null;
};

/** What signs in to the account of a mailed link as well. */
export function postResetLink(token: string) {
  return post<OtherWaysIn>('read-reset-link', { token });
}

export function postNewPassword(form: {
  token: string;
  password: string;
  removesPasskeys: boolean;
  removesCompanyLink: boolean;
}) {
  return post<unknown>('reset-password', form);
}

// Two plain reads do not justify the API client on pages that shall load at once.
async function fetchJson<Answer>(path: string): Promise<Answer> {
  const response = await fetch(path);
  if (response.ok) return response.json();
  const { error = {} } = await response.json().catch(() => ({}));
  throw new SignInFailure(error.code === 'workspace_not_found' ? error.code : 'internal');
}

/** What is away for the moment has a sentence of its own; all else that failed there has one together. */
const SAID_WHILE_AWAY = ['server_busy', 'company_sign_in_away'];

// The server finds a repeated one by its address or token; nothing is kept for another try.
const requestOnce = createRequestMemory(() => false);

function post<Answer>(path: string, body: object, headers: Record<string, string> = {}): Promise<Answer> {
  return requestOnce(`${path} ${JSON.stringify(body)}`, () => send<Answer>(path, body, headers));
}

async function send<Answer>(path: string, body: object, headers: Record<string, string>): Promise<Answer> {
  let response: Response;
  try {
    response = await fetch(`/api/auth/${path}`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', ...headers },
      body: JSON.stringify(body),
    });
  } catch {
    throw new SignInFailure('offline');
  }
  const answer = await response.json().catch(() => ({}));
  if (response.ok) return answer;
  const { code = 'internal', details } = answer.error ?? {};
  const isSaid = response.status < 500 || SAID_WHILE_AWAY.includes(code);
  throw new SignInFailure(isSaid ? code : 'internal', details);
}
