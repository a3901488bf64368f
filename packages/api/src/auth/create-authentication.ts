import { createAttemptLimit } from '../platform/http-edge/attempt-limit.ts';
import { describeOrigin, type Origin } from '../platform/origin.ts';
import type { ApiDependencies } from '../platform/request-context.ts';
import { takeAddressLink } from './addresses/address-links.ts';
import { announceSignOut } from './announce-sign-in.ts';
import { readBody, readSignInForm, readSignUpForm, readText } from './auth-forms.ts';
import type { AuthParts } from './auth-parts.ts';
import { answer, answerRefusal, AuthError } from './auth-response.ts';
import type { Authentication } from './authentication.ts';
import { describeSession } from './sessions/describe-session.ts';
import { acceptInvitation, readInvitation } from './invitations/accept-invitation.ts';
import { nameCookie } from './cookie-names.ts';
import { companyRoutes } from './company/company-routes.ts';
import { createKnownDevices } from './known-devices.ts';
import type { SignedIn } from './sessions/open-session.ts';
import { confirmEmail, undoEmailChange } from './email-change/confirm-email.ts';
import { createOwnPassword } from './passwords/own-password.ts';
import type { PasswordHasher } from './passwords/password-hasher.ts';
import { readResetLink, requestPasswordReset, resetPassword } from './passwords/password-reset.ts';
import { endOneSession } from './sessions/end-all-sessions.ts';
import { createSessionReader } from './sessions/read-session.ts';
import { beginSignInWithPasskey, signInWithPasskey } from './passkey-sign-in.ts';
import { takeSecondStep, type SecondStep } from './second-step.ts';
import { createSessionEngine } from './sessions/session-engine.ts';
import { signIn } from './sign-in.ts';
import { signUp } from './sign-up.ts';
import { createWorkQueue, QueueFull } from './work-queue.ts';

export type AuthenticationOptions = Pick<
  ApiDependencies,
  | 'db'
  | 'clock'
  | 'facts'
  | 'logger'
  | 'publicUrl'
  | 'isLocalOnly'
  | 'jobs'
  | 'secrets'
  | 'confirmsAddresses'
  | 'companyProvider'
> & {
  /** Signs session cookies. */
  secret: string;
  passwords: PasswordHasher;
};

const HASHES_AT_ONCE = 2;
const LONGEST_HASH_QUEUE = 500;
const FAILED_SIGN_INS = { max: 100, windowMs: 5 * 60_000 };
/** Of an IPv6 /48, which has 65,536 networks. */
const FAILED_SIGN_INS_OF_SITE = { max: 400, windowMs: 5 * 60_000 };
const SIGN_UPS = { max: 60, windowMs: 3_600_000 };
/** Each is a row that lives for five minutes. */
const PASSKEY_CHALLENGES = { max: 100, windowMs: 5 * 60_000 };
/** Each is a row that lives for ten minutes. */
const COMPANY_ATTEMPTS = { max: 100, windowMs: 5 * 60_000 };
const RESET_REQUESTS = { max: 30, windowMs: 15 * 60_000 };
/** The window is shorter than a link lives, so that whoever gets no further mail has a link that works. */
const RESET_MAILS = { max: 5, windowMs: 15 * 60_000 };

/** Sign-in with e-mail and password, on server sessions in signed HttpOnly cookies. */
export function createAuthentication(options: AuthenticationOptions): Authentication {
  const parts = assembleParts(options);
  const routes: Record<string, (request: Request, caller: Origin) => Promise<Response>> = {
    'POST /api/auth/sign-in/email': async (request, caller) => {
      const form = readSignInForm(await readBody(request));
      return answerSignIn(await signIn(parts, request, caller, form));
    },
    'POST /api/auth/two-factor': async (request, caller) => {
      const body = await readBody(request);
      const form = { code: readText(body, 'code').slice(0, 100), trustsDevice: body.trustsDevice === true };
      return answerSignIn(await takeSecondStep(parts, request, caller, form));
    },
    'POST /api/auth/sign-up/email': async (request, caller) => {
      const signedUp = await signUp(parts, request, caller, readSignUpForm(await readBody(request)));
      return 'isPending' in signedUp
        ? answer({ session: null, ...signedUp })
        : answer({ session: describeSession(signedUp.session), isPending: false }, signedUp.cookies);
    },
    'POST /api/auth/sign-out': async (request, caller) => {
      const session =
        (await parts.sessions.readByRequest(request)) ?? (await parts.sessions.readWherever(request));
      if (session) await endOneSession(parts.db.systemPool, session.id, parts.clock());
      // The engine finds no session any more, and takes the cookies away.
      const { headers } = await parts.engine.api.signOut({ headers: request.headers, returnHeaders: true });
      if (session) await announceSignOut(parts, caller, session);
      return answer({ isSignedOut: true }, headers.getSetCookie());
    },
    'POST /api/auth/request-password-reset': async (request, caller) => {
      await requestPasswordReset(parts, request, caller, {
        email: readText(await readBody(request), 'email'),
      });
      return answer({ isAccepted: true });
    },
    'POST /api/auth/read-reset-link': async (request) =>
      answer(await readResetLink(parts, readText(await readBody(request), 'token'))),
    'POST /api/auth/reset-password': async (request) => {
      const body = await readBody(request);
      const form = {
        ...{ token: readText(body, 'token'), password: readText(body, 'password') },
        removesPasskeys: body.removesPasskeys === true,
        removesCompanyLink: body.removesCompanyLink === true,
      };
      const { cookies } = await resetPassword(parts, request, form);
      return answer({ isChanged: true }, cookies);
    },
    'POST /api/auth/passkey/begin': async (_, caller) => answer(await beginSignInWithPasskey(parts, caller)),
    'POST /api/auth/passkey/finish': async (request, caller) => {
      const { response, rememberMe } = await readBody(request);
      const form = { response, rememberMe: rememberMe === true };
      return answerSignIn(await signInWithPasskey(parts, request, caller, form));
    },
    ...companyRoutes(parts),
    'POST /api/auth/confirm-address': async (request) => {
      const token = readText(await readBody(request), 'token');
      if (!(await takeAddressLink(parts, token))) throw new AuthError('address_link_invalid');
      return answer({ isConfirmed: true });
    },
    'POST /api/auth/confirm-email': async (request) => {
      const { email } = await confirmEmail(parts, readText(await readBody(request), 'token'));
      // Whoever reads the mail of an address owns it.
      return answer({ email }, [parts.devices.remember(request, email).cookie]);
    },
    'POST /api/auth/undo-email-change': async (request) => {
      const { email } = await undoEmailChange(parts, readText(await readBody(request), 'token'));
      return answer({ email }, [parts.devices.remember(request, email).cookie]);
    },
    'POST /api/auth/read-invitation': async (request) =>
      answer(await readInvitation(parts, request, readText(await readBody(request), 'token'))),
    'POST /api/auth/accept-invitation': async (request, caller) => {
      const { session, cookies } = await acceptInvitation(parts, request, caller, await readBody(request));
      return answer({ session: describeSession(session) }, cookies);
    },
    'POST /api/auth/refresh-session': async (request) => {
      const { headers } = await parts.engine.api.getSession({
        headers: request.headers,
        returnHeaders: true,
      });
      const session = await parts.sessions.readByRequest(request);
      if (!session)
        throw new AuthError(
          (await parts.sessions.readWherever(request)) ? 'workspace_not_found' : 'signed_out',
        );
      return answer({ session: describeSession(session) }, headers.getSetCookie());
    },
  };
  return {
    readSession: parts.sessions.readByRequest,
    readSessionElsewhere: parts.sessions.readWherever,
    ownPassword: createOwnPassword(parts),
    async handle(request, ipAddress) {
      const route = routes[`${request.method} ${new URL(request.url).pathname.replace(/\/$/, '')}`];
      try {
        if (!route) throw new AuthError('address_unknown');
        return await route(request, describeOrigin(request, ipAddress));
      } catch (error) {
        if (error instanceof AuthError) return answerRefusal(error);
        if (error instanceof QueueFull)
          return answerRefusal(new AuthError('server_busy', { retryAfterSeconds: 5 }));
        throw error;
      }
    },
  };
}

function answerSignIn(signedIn: SignedIn | SecondStep): Response {
  return 'isSecondStep' in signedIn
    ? answer({ session: null, isSecondStep: true }, signedIn.cookies)
    : answer({ session: describeSession(signedIn.session) }, signedIn.cookies);
}

function assembleParts(options: AuthenticationOptions): AuthParts {
  const {
    db,
    clock,
    facts,
    logger,
    publicUrl,
    isLocalOnly,
    jobs,
    secrets,
    confirmsAddresses,
    companyProvider,
    secret,
    passwords,
  } = options;
  const engine = createSessionEngine({
    db,
    secret,
    publicUrl,
    logger,
    refuseSignIn: (userId) => findReasonAgainstSession({ db, isLocalOnly }, userId),
  });
  const isSecure = publicUrl.startsWith('https:');
  return {
    db,
    clock,
    facts,
    logger,
    jobs,
    publicUrl,
    isLocalOnly,
    secrets,
    confirmsAddresses,
    companyProvider,
    isSecure,
    engine,
    sessions: createSessionReader({
      db,
      clock,
      secret,
      cookieName: nameCookie('session_token', { isSecure }),
      isSampleOpen: isLocalOnly,
    }),
    devices: createKnownDevices({ secret, clock, isSecure }),
    passwords,
    hashing: createWorkQueue(HASHES_AT_ONCE, LONGEST_HASH_QUEUE),
    signInLimit: createAttemptLimit(FAILED_SIGN_INS, clock),
    signInSiteLimit: createAttemptLimit(FAILED_SIGN_INS_OF_SITE, clock),
    signUpLimit: createAttemptLimit(SIGN_UPS, clock),
    passkeyLimit: createAttemptLimit(PASSKEY_CHALLENGES, clock),
    companyLimit: createAttemptLimit(COMPANY_ATTEMPTS, clock),
    resetLimit: createAttemptLimit(RESET_REQUESTS, clock),
    resetMailLimit: createAttemptLimit(RESET_MAILS, clock),
  };
}

/** People hear of it only after the right password, so that it tells strangers nothing. */
async function findReasonAgainstSession(
  { db, isLocalOnly }: Pick<AuthenticationOptions, 'db' | 'isLocalOnly'>,
  userId: string,
): Promise<string | null> {
  const { rows } = await db.systemPool.query<{
    is_active: boolean;
    is_sample: boolean;
    email_verified: boolean;
  }>(
    `SELECT m.is_active, u.email_verified, w.is_sample FROM users u JOIN memberships m ON m.user_id = u.id
       JOIN workspaces w ON w.id = m.workspace_id WHERE u.id = $1`,
    [userId],
  );
  if (rows.some((row) => !row.email_verified)) return 'email_unverified';
  if (!rows.some((row) => row.is_active)) return 'account_inactive';
  return rows.some((row) => row.is_active && (isLocalOnly || !row.is_sample)) ? null : 'sample_locked';
}
