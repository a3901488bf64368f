import type { SqlQueries } from '@app/database/sql-queries';
import { MAX_PASSWORD_LENGTH } from '@app/domain/auth/sign-up-rules';
import type { AuthParts } from '../auth-parts.ts';

/** The person whose password this is, with the hash that it met, or null; one query and one hash for known and unknown addresses alike. */
export async function checkPassword(
  { db, passwords }: Pick<AuthParts, 'db' | 'passwords'>,
  { email, password }: { email: string; password: string },
): Promise<{ userId: string; passwordHash: string } | null> {
  const { rows } = await db.systemPool.query<{ id: string; password: string | null }>(
    `SELECT u.id, a.password FROM users u
       LEFT JOIN accounts a ON a.user_id = u.id AND a.provider_id = 'credential' WHERE u.email = $1`,
    [email],
  );
  const [person] = rows;
  // No account has a longer one, and a hash takes the longer the more there is of it.
  const given = password.slice(0, MAX_PASSWORD_LENGTH + 1);
  if (!person?.password) {
    await passwords.hash(given);
    return null;
  }
  const isRight = await passwords.verify(given, person.password);
  return isRight ? { userId: person.id, passwordHash: person.password } : null;
}

/**
 * Whether the password that somebody proved themself by is still theirs. The account is locked as a reset and a change of it lock it: asked
 * behind what it allows, it meets every reset that did not end that.
 */
export async function isStillPassword(
  client: SqlQueries,
  userId: string,
  passwordHash: string,
): Promise<boolean> {
  await client.query('SELECT FROM users WHERE id = $1 FOR SHARE', [userId]);
  return (await readPasswordHash(client, userId)) === passwordHash;
}

/** Null for an account without a password. */
export async function readPasswordHash(client: SqlQueries, userId: string): Promise<string | null> {
  const { rows } = await client.query<{ password: string | null }>(
    `SELECT password FROM accounts WHERE user_id = $1 AND provider_id = 'credential'`,
    [userId],
  );
  return rows[0]?.password ?? null;
}
