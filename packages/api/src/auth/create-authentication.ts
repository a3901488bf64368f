import { createAttemptLimit } from '../platform/rim/attempt-limit.ts';
import { describeOrigin, type Origin } from '../platform/origin.ts';
import type { ApiDependencies } from '../platform/request-context.ts';
import { announceSignOut } from './announce-sign-in.ts';
import { readBody, readAcceptForm, readSignInForm, readSignUpForm, readText } from './auth-forms.ts';
import { languageOf } from '../platform/words/language-of.ts';
import type { AuthParts } from './auth-parts.ts';
import { answer, answerRefusal, AuthRefusal } from './auth-response.ts';
import type { Authentication } from './authentication.ts';
import { describeSession } from './describe-session.ts';
import { acceptInvitation, readInvitation } from './invitations/accept-invitation.ts';
import { createKnownDevices } from './known-devices.ts';
import { requestPasswordReset, resetPassword } from './password-reset.ts';
import { createSessionReader } from './read-session.ts';
import { createSessionEngine } from './session-engine.ts';
import { signIn } from './sign-in.ts';
import { signUp } from './sign-up.ts';
import { createWorkQueue, QueueFull } from './work-queue.ts';

export type AuthenticationOptions = Pick<
  ApiDependencies,
  'db' | 'clock' | 'facts' | 'logger' | 'publicUrl' | 'isLocalOnly' | 'jobs' | 'secrets'
> & {
  /** Signs session cookies. */
  secret: string;
};

const HASHES_AT_ONCE = 2;
const LONGEST_HASH_QUEUE = 500;
const FAILED_SIGN_INS = { max: 100, windowMs: 5 * 60_000 };
const SIGN_UPS = { max: 60, windowMs: 3_600_000 };
const RESET_REQUESTS = { max: 30, windowMs: 15 * 60_000 };
/** The window is shorter than a link lives, so that whoever gets no further mail has a link that works. */
const RESET_MAILS = { max: 5, windowMs: 15 * 60_000 };

/** Sign-in with e-mail and password, on server sessions in signed HttpOnly cookies. */
export function createAuthentication(options: AuthenticationOptions): Authentication {
  const parts = assembleParts(options);
  const routes: Record<string, (request: Request, caller: Origin) => Promise<Response>> = {
    'POST /api/auth/sign-in/email': async (request, caller) => {
      const { session, cookies } = await signIn(
        parts,
        request,
        caller,
        readSignInForm(await readBody(request)),
      );
      return answer({ session: describeSession(session) }, cookies);
    },
    'POST /api/auth/sign-up/email': async (request, caller) => {
      const signedUp = await signUp(parts, request, caller, readSignUpForm(await readBody(request)));
      return 'isPending' in signedUp
        ? answer({ session: null, isPending: true })
        : answer({ session: describeSession(signedUp.session), isPending: false }, signedUp.cookies);
    },
    'POST /api/auth/sign-out': async (request, caller) => {
      const session = await parts.sessions.readByRequest(request);
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
    'POST /api/auth/reset-password': async (request) => {
      const body = await readBody(request);
      const form = { token: readText(body, 'token'), password: readText(body, 'password') };
      const { cookies } = await resetPassword(parts, request, form);
      return answer({ isChanged: true }, cookies);
    },
    'POST /api/auth/read-invitation': async (request) =>
      answer(await readInvitation(parts, readText(await readBody(request), 'token'))),
    'POST /api/auth/accept-invitation': async (request, caller) => {
      const form = readAcceptForm(await readBody(request));
      const { session, cookies } = await acceptInvitation(parts, request, caller, form, languageOf(request));
      return answer({ session: describeSession(session) }, cookies);
    },
    'POST /api/auth/refresh-session': async (request) => {
      const { headers } = await parts.engine.api.getSession({
        headers: request.headers,
        returnHeaders: true,
      });
      const session = await parts.sessions.readByRequest(request);
      if (!session) throw new AuthRefusal('signed_out');
      return answer({ session: describeSession(session) }, headers.getSetCookie());
    },
  };
  return {
    readSession: parts.sessions.readByRequest,
    async handle(request, ipAddress) {
      const route = routes[`${request.method} ${new URL(request.url).pathname.replace(/\/$/, '')}`];
      try {
        if (!route) throw new AuthRefusal('address_unknown');
        return await route(request, describeOrigin(request, ipAddress));
      } catch (error) {
        if (error instanceof AuthRefusal) return answerRefusal(error);
        if (error instanceof QueueFull)
          return answerRefusal(new AuthRefusal('server_busy', { retryAfterSeconds: 5 }));
        throw error;
      }
    },
  };
}

function assembleParts(options: AuthenticationOptions): AuthParts {
  const { db, clock, facts, logger, publicUrl, isLocalOnly, jobs, secrets, secret } = options;
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
    secrets,
    publicUrl,
    isLocalOnly,
    engine,
    sessions: createSessionReader({
      db,
      clock,
      secret,
      cookieName: isSecure ? '__Secure-messaging.session_token' : 'messaging.session_token',
      isSampleOpen: isLocalOnly,
    }),
    devices: createKnownDevices({ secret, clock, isSecure }),
    hashing: createWorkQueue(HASHES_AT_ONCE, LONGEST_HASH_QUEUE),
    signInLimit: createAttemptLimit(FAILED_SIGN_INS, clock),
    signUpLimit: createAttemptLimit(SIGN_UPS, clock),
    resetLimit: createAttemptLimit(RESET_REQUESTS, clock),
    resetMailLimit: createAttemptLimit(RESET_MAILS, clock),
  };
}

/** People hear of it only after the right password, so that it tells strangers nothing. */
async function findReasonAgainstSession(
  { db, isLocalOnly }: Pick<AuthenticationOptions, 'db' | 'isLocalOnly'>,
  userId: string,
): Promise<string | null> {
  const { rows } = await db.systemPool.query<{ is_active: boolean; is_sample: boolean }>(
    `SELECT u.is_active, w.is_sample FROM users u JOIN memberships m ON m.user_id = u.id
       JOIN workspaces w ON w.id = m.workspace_id WHERE u.id = $1`,
    [userId],
  );
  if (!rows.some((row) => row.is_active)) return 'account_inactive';
  return rows.some((row) => isLocalOnly || !row.is_sample) ? null : 'sample_locked';
}
