import { roles } from '@app/domain/auth/permissions';
import type { SignUpForm } from '@app/domain/auth/sign-up-rules';
import type { ApiDependencies } from '../platform/request-context.ts';
import { announceSignOut } from './announce-sign-in.ts';
import { createAttemptLimit } from '../platform/attempt-limit.ts';
import type { AuthParts, Caller } from './auth-parts.ts';
import { answer, answerRefusal, AuthRefusal } from './auth-response.ts';
import type { Authentication } from './authentication.ts';
import { describeSession } from './describe-session.ts';
import { createSessionReader } from './read-session.ts';
import { createSessionEngine } from './session-engine.ts';
import { signIn } from './sign-in.ts';
import { afterPasswordReset, requestPasswordReset, resetPassword } from './password-reset.ts';
import { signUp } from './sign-up.ts';
import { createWorkQueue, QueueFull } from './work-queue.ts';

export type AuthenticationOptions = Pick<
  ApiDependencies,
  'db' | 'clock' | 'liveEvents' | 'logger' | 'publicUrl' | 'isLocalOnly' | 'mailer'
> & {
  /** Signs session cookies. */
  secret: string;
};

const HASHES_AT_ONCE = 2;
const LONGEST_HASH_QUEUE = 500;
const FAILED_SIGN_INS = { max: 100, windowMs: 5 * 60_000 };
const SIGN_UPS = { max: 60, windowMs: 3_600_000 };
const RESET_MAILS = { max: 10, windowMs: 3_600_000 };

/** Sign-in with e-mail and password, on server sessions in signed HttpOnly cookies. */
export function createAuthentication(options: AuthenticationOptions): Authentication {
  const parts = assembleParts(options);
  const routes: Record<string, (request: Request, caller: Caller) => Promise<Response>> = {
    'POST /api/auth/sign-in/email': async (request, caller) => {
      const { session, cookies } = await signIn(parts, caller, readSignInForm(await readBody(request)));
      return answer({ session: describeSession(session) }, cookies);
    },
    'POST /api/auth/sign-up/email': async (request, caller) => {
      const signedUp = await signUp(parts, caller, readSignUpForm(await readBody(request)));
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
      const { email } = await readBody(request);
      await requestPasswordReset(parts, caller, { email: typeof email === 'string' ? email : '' });
      return answer({ isAccepted: true });
    },
    'POST /api/auth/reset-password': async (request) => {
      const { token, password } = await readBody(request);
      if (typeof token !== 'string' || typeof password !== 'string')
        throw new AuthRefusal('reset_link_invalid');
      await resetPassword(parts, { token, password });
      return answer({ isChanged: true });
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
        if (!route) throw new AuthRefusal('not_found');
        return await route(request, { ipAddress, userAgent: request.headers.get('user-agent') });
      } catch (error) {
        if (error instanceof AuthRefusal) return answerRefusal(error);
        if (error instanceof QueueFull)
          return answerRefusal(new AuthRefusal('busy', { retryAfterSeconds: 5 }));
        throw error;
      }
    },
  };
}

function assembleParts(options: AuthenticationOptions): AuthParts {
  const { db, clock, liveEvents, logger, publicUrl, isLocalOnly, mailer, secret } = options;
  const engine = createSessionEngine({
    db,
    secret,
    publicUrl,
    logger,
    refuseSignIn: (userId) => findReasonAgainstSession({ db, isLocalOnly }, userId),
    mailResetLink: ({ email }, token) => {
      mailer
        .send(writeResetMail(email, `${publicUrl}/forgot-password?token=${encodeURIComponent(token)}`))
        .catch((error: unknown) => logger.warn({ err: error }, 'a reset link could not be mailed'));
    },
    afterPasswordReset: (user) => afterPasswordReset({ db, liveEvents }, user),
  });
  return {
    db,
    clock,
    liveEvents,
    publicUrl,
    isLocalOnly,
    engine,
    sessions: createSessionReader({
      db,
      clock,
      secret,
      cookieName: publicUrl.startsWith('https:')
        ? '__Secure-messaging.session_token'
        : 'messaging.session_token',
      isSampleOpen: isLocalOnly,
    }),
    hashing: createWorkQueue(HASHES_AT_ONCE, LONGEST_HASH_QUEUE),
    signInLimit: createAttemptLimit(FAILED_SIGN_INS, clock),
    signUpLimit: createAttemptLimit(SIGN_UPS, clock),
    resetLimit: createAttemptLimit(RESET_MAILS, clock),
  };
}

function writeResetMail(to: string, link: string) {
  return {
    to: [to],
    subject: 'Choose a new password',
    text: [
      'Somebody, hopefully you, asked to reset the password of your account.',
      '',
      `Choose a new one here: ${link}`,
      '',
      'The link works once, for one hour. If it was not you, ignore this mail: nothing has changed.',
    ].join('\n'),
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

async function readBody(request: Request): Promise<Record<string, unknown>> {
  const text = await request.text();
  try {
    const body: unknown = JSON.parse(text);
    if (typeof body === 'object' && body !== null && !Array.isArray(body)) return { ...body };
  } catch {
    // Told below, like every other body that is no JSON object.
  }
  throw new AuthRefusal('invalid_input', { fields: { body: 'Send a JSON object.' } });
}

function readSignInForm(body: Record<string, unknown>): {
  email: string;
  password: string;
  rememberMe: boolean;
} {
  const { email, password, rememberMe = false } = body;
  const fields = {
    ...((typeof email !== 'string' || !email.trim()) && { email: 'Email is required' }),
    ...((typeof password !== 'string' || !password) && { password: 'Password is required' }),
    ...(typeof rememberMe !== 'boolean' && { rememberMe: 'Send true or false.' }),
  };
  if (typeof email !== 'string' || typeof password !== 'string' || Object.keys(fields).length > 0)
    throw new AuthRefusal('invalid_input', { fields });
  return { email, password, rememberMe: rememberMe === true };
}

function readSignUpForm(body: Record<string, unknown>): SignUpForm {
  const text = (name: string) => (typeof body[name] === 'string' ? body[name] : '');
  const role = roles.find((known) => known === (body.role ?? 'agent'));
  if (!role) throw new AuthRefusal('invalid_input', { fields: { role: 'Choose one of the roles.' } });
  const password = text('password');
  return {
    firstName: text('firstName'),
    lastName: text('lastName'),
    email: text('email'),
    phoneNumber: text('phoneNumber'),
    role,
    password,
    // The form compares the two; callers by hand need not send it twice.
    confirmPassword: body.confirmPassword === undefined ? password : text('confirmPassword'),
  };
}
