import { SAMPLE_PASSWORD } from '@app/domain/auth/sample-addresses';
import { MAX_PASSWORD_LENGTH } from '@app/domain/auth/sign-up-rules';
import type { OwnPassword, OwnPasswordVerdict, Session } from '../../platform/request-context.ts';
import type { AuthParts } from '../auth-parts.ts';
import { AuthError } from '../auth-response.ts';
import { beginGuess, takeBackGuess } from '../sign-in-failures.ts';
import { readPasswordHash } from './check-password.ts';

/** Looks at the password of whoever is signed in. Each session has guesses of its own, as a known device has. */
export function createOwnPassword(
  parts: Pick<AuthParts, 'db' | 'clock' | 'hashing' | 'passwords'>,
): OwnPassword {
  return {
    check: (session, password) =>
      parts.hashing.run(() => checkOwn(parts, session, password), { isFirst: true }),
    hash: (password) => parts.hashing.run(() => parts.passwords.hash(password), { isFirst: true }),
    findKnown: (workspaceId) => findKnown(parts, workspaceId),
  };
}

/** Accounts that were made together have one hash, which is tried once. */
async function findKnown(
  { db, hashing, passwords }: Pick<AuthParts, 'db' | 'hashing' | 'passwords'>,
  workspaceId: string,
): Promise<string[]> {
  const { rows } = await db.systemPool.query<{ hash: string; user_ids: string[] }>(
    `SELECT a.password AS hash, array_agg(a.user_id ORDER BY a.user_id) AS user_ids
       FROM memberships m JOIN accounts a ON a.user_id = m.user_id AND a.provider_id = 'credential'
      WHERE m.workspace_id = $1 AND a.password IS NOT NULL GROUP BY a.password`,
    [workspaceId],
  );
  const found: string[] = [];
  for (const { hash, user_ids: userIds } of rows)
    if (await hashing.run(() => passwords.verify(SAMPLE_PASSWORD, hash), { isFirst: true }))
      found.push(...userIds);
  return found;
}

async function checkOwn(
  { db, clock, passwords }: Pick<AuthParts, 'db' | 'clock' | 'passwords'>,
  { id, user }: Session,
  password: string,
): Promise<OwnPasswordVerdict> {
  const hash = await readPasswordHash(db.systemPool, user.id);
  if (!hash) return { outcome: 'missing' };
  try {
    const failures = await beginGuess(db, user.email, { device: `session ${id}` }, clock());
    const given = password.slice(0, MAX_PASSWORD_LENGTH + 1);
    if (!(await passwords.verify(given, hash))) return { outcome: 'wrong' };
    await takeBackGuess(db, user.email, failures);
    return { outcome: 'right' };
  } catch (error) {
    if (error instanceof AuthError)
      return { outcome: 'locked', retryAfterSeconds: error.details.retryAfterSeconds ?? 60 };
    throw error;
  }
}
