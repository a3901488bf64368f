import { APIError } from 'better-auth/api';
import type { SignInMethod } from '@app/domain/auth/reauthentication';
import type { SqlQueries } from '@app/database/sql-queries';
import type { Origin } from '../../platform/origin.ts';
import type { Session } from '../../platform/request-context.ts';
import { isStillIdentity, type CompanyName } from '../../company-sign-in/company-identities.ts';
import { isStillPasskey } from '../../passkeys/passkeys-queries.ts';
import { moveTrust } from '../../two-factor/trusted-devices.ts';
import type { AuthParts } from '../auth-parts.ts';
import { AuthError } from '../auth-response.ts';
import { isStillPassword } from '../passwords/check-password.ts';
import { endEarlierSession } from './end-earlier-session.ts';
import { CLIENT_ADDRESS_HEADER, SESSION_SECONDS } from './session-engine.ts';

export type SignedIn = {
  session: Session;
  cookies: string[];
  /** The name that this browser has from now on among those that the account knows. */
  device: string;
  /** The account did not know this browser before. */
  isNewDevice: boolean;
};

/** Somebody who has proved who they are. */
export type Proven = {
  userId: string;
  email: string;
  rememberMe: boolean;
  method: SignInMethod;
  /** When they proved it, where that was before now: who is let in by a sign-in of this morning has proved nothing lately. */
  provenAt?: Date | null;
  /** Of the password that was the proof, or part of it: nobody comes in by one that is the account's no more. */
  passwordHash?: string | null;
  /** Of the passkey that was the proof, likewise. */
  passkeyId?: string;
  /** The provider's name of the person, where that was the proof, likewise. */
  company?: CompanyName;
};

/** Opens a session for them; the token goes into the cookie and nowhere else. */
export async function openSession(
  parts: AuthParts,
  request: Request,
  { ipAddress, userAgent }: Origin,
  { userId, email, rememberMe, method, provenAt, passwordHash = null, passkeyId, company }: Proven,
): Promise<SignedIn> {
  const { engine, sessions, devices, clock, db } = parts;
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
  const { token } = opened.response;
  await db.systemPool.query('UPDATE sessions SET method = $2, proven_at = $3 WHERE token = $1', [
    ...[token, method, provenAt && provenAt < openedAt ? provenAt : openedAt],
  ]);
  const session = await sessions.readByToken(token);
  if (passwordHash !== null)
    await refuseFormerReauthentication(parts, token, 'invalid_credentials', (client) =>
      isStillPassword(client, userId, passwordHash),
    );
  if (passkeyId !== undefined)
    await refuseFormerReauthentication(parts, token, 'passkey_refused', (client) =>
      isStillPasskey(client, userId, passkeyId),
    );
  if (company !== undefined)
    await refuseFormerReauthentication(parts, token, 'company_sign_in_refused', (client) =>
      isStillIdentity(client, userId, company),
    );
  if (!session) throw new AuthError('account_inactive');
  await endEarlierSession(parts, request, token);
  const known = devices.find(request, email);
  const { cookie, device } = devices.remember(request, email);
  if (known !== null) await moveTrust(db.systemPool, userId, known, device);
  return {
    session,
    cookies: [...opened.headers.getSetCookie(), cookie],
    device,
    isNewDevice: known === null,
  };
}

/** A reset ends the sessions that it finds, and a passkey or the company's name goes while it signs in; this session may have come behind it. */
async function refuseFormerReauthentication(
  { db, clock }: AuthParts,
  token: string,
  code: 'invalid_credentials' | 'passkey_refused' | 'company_sign_in_refused',
  isStill: (client: SqlQueries) => Promise<boolean>,
): Promise<void> {
  const isGood = await db.inSystem(async (_, client) => {
    if (await isStill(client)) return true;
    await client.query('UPDATE sessions SET ended_at = $2 WHERE token = $1', [token, clock()]);
    return false;
  });
  if (!isGood) throw new AuthError(code);
}

function toRefusal(error: unknown): unknown {
  if (!(error instanceof APIError)) return error;
  const code = error.body?.code;
  if (code === 'account_inactive' || code === 'sample_locked' || code === 'email_unverified')
    return new AuthError(code);
  return error.statusCode < 500 ? new AuthError('invalid_credentials') : error;
}
