import { networkOf } from '@app/domain/auth/network-of';
import { beginPasskeySignIn, checkPasskey } from '../passkeys/check-passkey.ts';
import type { Origin } from '../platform/origin.ts';
import { announceSignIn } from './announce-sign-in.ts';
import type { AuthParts } from './auth-parts.ts';
import { AuthError } from './auth-response.ts';
import { openSession, type SignedIn } from './sessions/open-session.ts';

/** A challenge for whichever passkey the browser has; nobody is named, so nothing is told of any account. */
export async function beginSignInWithPasskey(parts: AuthParts, caller: Origin): Promise<object> {
  const limit = parts.passkeyLimit.begin(networkOf(caller.ipAddress));
  if (!limit.isAllowed)
    throw new AuthError('too_many_attempts', { retryAfterSeconds: limit.retryAfterSeconds });
  return beginPasskeySignIn(parts.db.systemPool, parts.publicUrl, parts.clock());
}

/** A passkey asks for finger, face or PIN by itself: no code is asked for after it. @throws {AuthError} */
export async function signInWithPasskey(
  parts: AuthParts,
  request: Request,
  caller: Origin,
  { response, rememberMe }: { response: unknown; rememberMe: boolean },
): Promise<SignedIn> {
  const { db, publicUrl, clock } = parts;
  const isObject = typeof response === 'object' && response !== null;
  const person = isObject
    ? await db.inSystem((_, client) => checkPasskey(client, { response, publicUrl, now: clock() }))
    : null;
  if (!person) throw new AuthError('passkey_refused');
  // Its challenge is gone: many who sign in behind one address fill nothing.
  parts.passkeyLimit.forgive(networkOf(caller.ipAddress));
  const signedIn = await openSession(parts, request, caller, { ...person, rememberMe, method: 'passkey' });
  await announceSignIn(parts, caller, signedIn);
  return signedIn;
}
