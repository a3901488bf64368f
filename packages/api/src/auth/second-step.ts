import { createHash, randomBytes } from 'node:crypto';
import { newId } from '@app/database/new-id';
import type { SqlQueries } from '@app/database/sql-queries';
import type { Origin } from '../platform/origin.ts';
import { changeAcrossWorkspaces } from '../platform/system-work.ts';
import { checkCode, type CodeVerdict } from '../two-factor/check-code.ts';
import { countRecoveryCodes } from '../two-factor/recovery-codes.ts';
import { isTrustedDevice, trustDevice } from '../two-factor/trusted-devices.ts';
import { hasSecondFactor } from '../two-factor/two-factor-queries.ts';
import { announceSignIn } from './announce-sign-in.ts';
import type { AuthParts } from './auth-parts.ts';
import { AuthError } from './auth-response.ts';
import { nameCookie } from './cookie-names.ts';
import { isStillPassword, readPasswordHash } from './passwords/check-password.ts';
import { openSession, type Proven, type SignedIn } from './sessions/open-session.ts';
import { readCookie } from './read-cookie.ts';

/** The password was right, and a code is still to come. */
export type SecondStep = { isSecondStep: true; cookies: string[] };

const STEP_SECONDS = 10 * 60;

/**
 * Signs in whoever needs no code, or trusts this browser; for all others begins the second step. What stands between the two is a
 * token in a cookie of its own, which opens nothing by itself and ends with a reset of the password.
 */
export async function goOn(
  parts: AuthParts,
  request: Request,
  caller: Origin,
  proven: Proven,
): Promise<SignedIn | SecondStep> {
  const { db, clock, devices } = parts;
  const { userId, email, rememberMe, passwordHash = null } = proven;
  const device = devices.find(request, email);
  const now = clock();
  const token = `${rememberMe ? 'r' : 'o'}${proven.method === 'company' ? 'c' : 'p'}${randomBytes(24).toString('base64url')}`;
  const isAsked = await db.inSystem(async (_, client) => {
    if (!(await hasSecondFactor(client, userId))) return false;
    if (device !== null && (await isTrustedDevice(client, userId, device, now))) return false;
    // A reset ends the steps that it finds.
    if (passwordHash !== null && !(await isStillPassword(client, userId, passwordHash)))
      throw new AuthError('invalid_credentials');
    await client.query(
      `INSERT INTO verifications (id, identifier, value, expires_at, created_at, updated_at)
       VALUES ($1, $2, $3, $4, $5, $5)`,
      [newId(), identify(token), userId, new Date(now.getTime() + STEP_SECONDS * 1000), now],
    );
    return true;
  });
  if (isAsked) return { isSecondStep: true, cookies: [writeCookie(parts, token, STEP_SECONDS)] };
  const signedIn = await openSession(parts, request, caller, proven);
  await announceSignIn(parts, caller, signedIn);
  return signedIn;
}

/**
 * Takes the code of a second step and signs in. Wrong ones are counted for the account, over all its sign-ins; the step itself is
 * over with the right one.
 * @throws {AuthError}
 */
export async function takeSecondStep(
  parts: AuthParts,
  request: Request,
  caller: Origin,
  { code, trustsDevice }: { code: string; trustsDevice: boolean },
): Promise<SignedIn> {
  const { db, clock, secrets } = parts;
  const token = readCookie(request.headers.get('cookie') ?? '', nameCookie('second_step', parts)) ?? '';
  const now = clock();
  const checked = await db.inSystem(async (_, client) => {
    const person = await findPerson(client, token, now);
    if (!person) return null;
    const verdict = await checkCode(client, secrets, { userId: person.id, typed: code, now });
    if (verdict.outcome === 'right')
      await client.query('DELETE FROM verifications WHERE identifier = $1', [identify(token)]);
    return { person, verdict, passwordHash: await readPasswordHash(client, person.id) };
  });
  if (!checked) throw new AuthError('sign_in_expired');
  const { person, verdict, passwordHash } = checked;
  refuseCode(verdict);
  const signedIn = await openSession(parts, request, caller, {
    userId: person.id,
    email: person.email,
    rememberMe: token.startsWith('r'),
    ...(token[1] === 'c' ? { method: 'company' } : { method: 'password', passwordHash }),
  });
  await db.inSystem((_, client) =>
    trustsDevice ? trustDevice(client, person.id, signedIn.device, now) : Promise.resolve(),
  );
  await announceSignIn(parts, caller, signedIn);
  if (verdict.outcome === 'right' && verdict.kind === 'recovery') await emitRecovery(parts, signedIn);
  return { ...signedIn, cookies: [...signedIn.cookies, writeCookie(parts, '', 0)] };
}

function refuseCode(verdict: CodeVerdict): void {
  if (verdict.outcome === 'locked')
    throw new AuthError('two_factor_locked', { retryAfterSeconds: verdict.retryAfterSeconds });
  if (verdict.outcome === 'wrong') throw new AuthError('code_wrong');
}

async function emitRecovery(parts: AuthParts, { session }: SignedIn): Promise<void> {
  await changeAcrossWorkspaces(parts, 'sign-in', async ({ client, scopeOf }) =>
    scopeOf(session.workspaceId).emit({
      type: 'account.recovery_code_used',
      subject: session.user.id,
      values: { left: await countRecoveryCodes(client, session.user.id) },
    }),
  );
}

/** The row is held, so that a step is taken once. */
async function findPerson(
  client: SqlQueries,
  token: string,
  now: Date,
): Promise<{ id: string; email: string } | null> {
  const { rows } = await client.query<{ id: string; email: string }>(
    `SELECT u.id, u.email FROM verifications v JOIN users u ON u.id = v.value::uuid
      WHERE v.identifier = $1 AND v.expires_at > $2 FOR UPDATE OF v`,
    [identify(token), now],
  );
  return rows[0] ?? null;
}

function identify(token: string): string {
  return createHash('sha256').update(`second step ${token}`).digest('base64url');
}

function writeCookie(parts: AuthParts, token: string, seconds: number): string {
  const attributes = `Max-Age=${seconds}; Path=/api/auth; HttpOnly; SameSite=Lax`;
  return `${nameCookie('second_step', parts)}=${token}; ${attributes}${parts.isSecure ? '; Secure' : ''}`;
}
