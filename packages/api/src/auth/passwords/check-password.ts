import { hashPassword, verifyPassword } from 'better-auth/crypto';
import type { Database } from '@app/database/database';
import { MAX_PASSWORD_LENGTH } from '@app/domain/auth/sign-up-rules';

/** The person whose password this is, or null; one query and one hash for known and unknown addresses alike. */
export async function checkPassword(
  db: Database,
  { email, password }: { email: string; password: string },
): Promise<string | null> {
  const { rows } = await db.systemPool.query<{ id: string; password: string | null }>(
    `SELECT u.id, a.password FROM users u
       LEFT JOIN accounts a ON a.user_id = u.id AND a.provider_id = 'credential' WHERE u.email = $1`,
    [email],
  );
  const [person] = rows;
  // No account has a longer one, and a hash takes the longer the more there is of it.
  const given = password.slice(0, MAX_PASSWORD_LENGTH + 1);
  if (!person?.password) {
    await hashPassword(given);
    return null;
  }
  return (await verifyPassword({ hash: person.password, password: given })) ? person.id : null;
}
