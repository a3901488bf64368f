import { APIError } from 'better-auth/api';
import { normaliseEmail } from '@app/domain/auth/sign-up-rules';
import type { Session } from '../platform/request-context.ts';
import { AuthRefusal } from './auth-response.ts';
import type { AuthParts, Caller } from './auth-parts.ts';
import { announceSignIn } from './announce-sign-in.ts';
import { CLIENT_ADDRESS_HEADER } from './session-engine.ts';
import { forgetFailures, readLockSeconds, recordFailure } from './sign-in-failures.ts';

export type SignedIn = { session: Session; cookies: string[] };

/**
 * Known and unknown addresses take the same path: one look at the lock-out, one hash, one row of failures.
 * The lock is read when the turn in the queue has come, so that parallel guesses meet it too.
 */
export async function signIn(
  parts: AuthParts,
  caller: Caller,
  form: { email: string; password: string; rememberMe: boolean },
): Promise<SignedIn> {
  const { db, clock, signInLimit, hashing } = parts;
  const email = normaliseEmail(form.email);
  const address = caller.ipAddress ?? 'unknown';
  const limit = signInLimit.begin(address);
  if (!limit.isAllowed)
    throw new AuthRefusal('too_many_attempts', { retryAfterSeconds: limit.retryAfterSeconds });
  const signedIn = await hashing.run(async () => {
    const lockSeconds = await readLockSeconds(db, email, clock());
    if (lockSeconds > 0) throw new AuthRefusal('account_locked', { retryAfterSeconds: lockSeconds });
    try {
      return await openSession(parts, caller, { ...form, email });
    } catch (error) {
      if (error instanceof AuthRefusal && error.code === 'invalid_credentials')
        await recordFailure(db, email, clock());
      throw error;
    }
  });
  signInLimit.forgive(address);
  await forgetFailures(db, email);
  await announceSignIn(parts, caller, signedIn.session);
  return signedIn;
}

/** Checks the password and opens a session; the token goes into the cookie and nowhere else. */
export async function openSession(
  { engine, sessions }: AuthParts,
  { ipAddress, userAgent }: Caller,
  body: { email: string; password: string; rememberMe: boolean },
): Promise<SignedIn> {
  const headers = new Headers({ [CLIENT_ADDRESS_HEADER]: ipAddress ?? '', 'user-agent': userAgent ?? '' });
  try {
    const opened = await engine.api.signInEmail({ body, headers, returnHeaders: true });
    const session = await sessions.readByToken(opened.response.token);
    if (!session) throw new AuthRefusal('account_inactive');
    return { session, cookies: opened.headers.getSetCookie() };
  } catch (error) {
    throw error instanceof APIError ? toRefusal(error) : error;
  }
}

function toRefusal(error: APIError): Error {
  const code = error.body?.code;
  if (code === 'account_inactive' || code === 'sample_locked') return new AuthRefusal(code);
  return error.statusCode < 500 ? new AuthRefusal('invalid_credentials') : error;
}
