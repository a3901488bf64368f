import { MAX_PASSWORD_LENGTH } from '@app/domain/auth/sign-up-rules';
import type { OwnPassword, OwnPasswordVerdict, Session } from '../../platform/request-context.ts';
import type { AuthParts } from '../auth-parts.ts';
import { AuthRefusal } from '../auth-response.ts';
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
  };
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
    if (error instanceof AuthRefusal)
      return { outcome: 'locked', retryAfterSeconds: error.details.retryAfterSeconds ?? 60 };
    throw error;
  }
}
