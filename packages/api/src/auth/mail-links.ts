import { createHash, randomBytes } from 'node:crypto';
import type { Database } from '@app/database/database';
import { newId } from '@app/database/new-id';
import type { InterfaceLanguage } from '@app/domain/text/interface-language';

/** A kind of link that a mail takes to the owner of an address. */
export type MailLink = {
  /** What it is for: a token of one kind is worth nothing as another. */
  purpose: string;
  seconds: number;
  /** Which accounts it is made for: a condition on `users u`. */
  where: string;
};

/** A token for the account of this address, with its owner's language, or null where there is none; only its hash is kept. */
export async function createMailLink(
  db: Database,
  { purpose, seconds, where }: MailLink,
  { email, now }: { email: string; now: Date },
): Promise<{ token: string; language: InterfaceLanguage | null } | null> {
  const token = randomBytes(24).toString('base64url');
  const { rows } = await db.systemPool.query<{ language: InterfaceLanguage | null }>(
    `WITH owner AS (SELECT id, language FROM users u WHERE email = $5 AND ${where}), kept AS (
       INSERT INTO verifications (id, identifier, value, expires_at, created_at, updated_at)
       SELECT $1, $2, id::text, $3, $4, $4 FROM owner)
     SELECT language FROM owner`,
    [newId(), identifyLink(purpose, token), new Date(now.getTime() + seconds * 1000), now, email],
  );
  return rows[0] ? { token, language: rows[0].language } : null;
}

/** Under what the token is kept. */
export function identifyLink(purpose: string, token: string): string {
  return createHash('sha256').update(`${purpose} ${token}`).digest('base64url');
}
