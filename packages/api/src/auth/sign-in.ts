import { APIError } from 'better-auth/api';
import { networkOf } from '@app/domain/auth/network-of';
import { normaliseEmail } from '@app/domain/auth/sign-up-rules';
import type { Origin } from '../platform/origin.ts';
import type { Session } from '../platform/request-context.ts';
import { announceSignIn } from './announce-sign-in.ts';
import type { SignInForm } from './auth-forms.ts';
import type { AuthParts } from './auth-parts.ts';
import { AuthRefusal } from './auth-response.ts';
import { checkPassword } from './check-password.ts';
import { endEarlierSession } from './end-earlier-session.ts';
import { CLIENT_ADDRESS_HEADER, SESSION_SECONDS } from './session-engine.ts';
import { beginGuess, takeBackGuess, type Failure } from './sign-in-failures.ts';

export type SignedIn = { session: Session; cookies: string[] };

/**
 * Known and unknown addresses take the same path: one guess counted, one hash. Whoever comes with a device that the
 * address knows has limits and a place in the queue of their own, which no stranger can use up.
 */
export async function signIn(
  parts: AuthParts,
  request: Request,
  caller: Origin,
  form: SignInForm,
): Promise<SignedIn> {
  const { db, signInLimit, hashing, devices } = parts;
  const email = normaliseEmail(form.email);
  const network = networkOf(caller.ipAddress);
  const device = devices.find(request, email);
  if (device === null) {
    const limit = signInLimit.begin(network);
    if (!limit.isAllowed)
      throw new AuthRefusal('too_many_attempts', { retryAfterSeconds: limit.retryAfterSeconds });
  }
  const checked = await hashing.run(() => guess(parts, { email, device, network }, form.password), {
    isFirst: device !== null,
  });
  if (checked.userId === null) throw new AuthRefusal('invalid_credentials');
  if (device === null) signInLimit.forgive(network);
  await takeBackGuess(db, email, checked.failures);
  const signedIn = await openSession(parts, request, caller, {
    userId: checked.userId,
    email,
    rememberMe: form.rememberMe,
  });
  await announceSignIn(parts, caller, signedIn.session);
  return signedIn;
}

/** Opens a session for somebody who has proved who they are; the token goes into the cookie and nowhere else. */
export async function openSession(
  parts: AuthParts,
  request: Request,
  { ipAddress, userAgent }: Origin,
  { userId, email, rememberMe }: { userId: string; email: string; rememberMe: boolean },
): Promise<SignedIn> {
  const { engine, sessions, devices, clock } = parts;
  const openedAt = clock();
  const expiresAt = new Date(openedAt.getTime() + SESSION_SECONDS * 1000);
  const headers = new Headers({
    [CLIENT_ADDRESS_HEADER]: ipAddress ?? '',
    'user-agent': userAgent ?? '',
    cookie: request.headers.get('cookie') ?? '',
  });
  const opened = await engine.api
    .openSession({ body: { userId, rememberMe, openedAt, expiresAt }, headers, returnHeaders: true })
    .catch((error: unknown) => {
      throw toRefusal(error);
    });
  const session = await sessions.readByToken(opened.response.token);
  if (!session) throw new AuthRefusal('account_inactive');
  await endEarlierSession(parts, request, opened.response.token);
  return { session, cookies: [...opened.headers.getSetCookie(), devices.remember(request, email)] };
}

async function guess(
  { db, clock }: AuthParts,
  { email, device, network }: { email: string; device: string | null; network: string },
  password: string,
): Promise<{ userId: string | null; failures: readonly Failure[] }> {
  const asStranger = () => beginGuess(db, email, { network }, clock());
  const failures = await (device === null
    ? asStranger()
    : beginGuess(db, email, { device }, clock()).catch((error: unknown) => {
        // A device that has guessed too often is a stranger among strangers.
        if (error instanceof AuthRefusal) return asStranger();
        throw error;
      }));
  return { userId: await checkPassword(db, { email, password }), failures };
}

function toRefusal(error: unknown): unknown {
  if (!(error instanceof APIError)) return error;
  const code = error.body?.code;
  if (code === 'account_inactive' || code === 'sample_locked') return new AuthRefusal(code);
  return error.statusCode < 500 ? new AuthRefusal('invalid_credentials') : error;
}
