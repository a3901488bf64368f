import { newId } from '@app/database/new-id';
import type { SqlQueries } from '@app/database/sql-queries';
import { EMAIL_LINK_HOURS, EMAIL_LINKS_AN_HOUR, EMAIL_UNDO_DAYS } from '@app/domain/auth/email-change';

export type OpenEmailChange = { id: string; email: string; expiresAt: Date };

/** Two presses of a button are one wish. */
const SAME_WISH_SECONDS = 60;

/** The address that waits to be confirmed. */
export async function findEmailChange(
  client: SqlQueries,
  userId: string,
  now: Date,
): Promise<OpenEmailChange | null> {
  const { rows } = await client.query<OpenEmailChange>(
    `SELECT id, to_email AS email, expires_at AS "expiresAt" FROM email_changes
      WHERE user_id = $1 AND confirmed_at IS NULL AND ended_at IS NULL AND expires_at > $2`,
    [userId, now],
  );
  return rows[0] ?? null;
}

/**
 * Keeps the wish for another address, in place of an earlier one. It changes nothing yet, and looks nothing up: whether the address has
 * an account is told to nobody but its own mail box. Null for the same wish of a moment ago.
 */
export async function askForEmail(
  client: SqlQueries,
  { userId, from, to, now }: { userId: string; from: string; to: string; now: Date },
): Promise<{ id: string } | 'too_many_mails' | null> {
  const ago = (seconds: number) => new Date(now.getTime() - seconds * 1000);
  const { rows } = await client.query<{ asked: number; is_same: boolean | null }>(
    `SELECT count(*)::int AS asked,
            bool_or(to_email = $3 AND asked_at > $4 AND confirmed_at IS NULL AND ended_at IS NULL) AS is_same
       FROM email_changes WHERE user_id = $1 AND asked_at > $2`,
    [userId, ago(3_600), to, ago(SAME_WISH_SECONDS)],
  );
  if (rows[0]?.is_same) return null;
  if ((rows[0]?.asked ?? 0) >= EMAIL_LINKS_AN_HOUR) return 'too_many_mails';
  await endEmailChange(client, userId, now);
  const id = newId();
  await client.query(
    `INSERT INTO email_changes (id, user_id, from_email, to_email, asked_at, expires_at) VALUES ($1, $2, $3, $4, $5, $6)`,
    [id, userId, from, to, now, new Date(now.getTime() + EMAIL_LINK_HOURS * 3_600_000)],
  );
  return { id };
}

/** Ends what nobody confirmed yet: with another wish, and with every change of how somebody signs in. True where there was one. */
export async function endEmailChange(client: SqlQueries, userId: string, now: Date): Promise<boolean> {
  const { rows } = await client.query(
    `UPDATE email_changes SET ended_at = $2 WHERE user_id = $1 AND confirmed_at IS NULL AND ended_at IS NULL
     RETURNING 1`,
    [userId, now],
  );
  return rows.length > 0;
}

/** Whether whoever had the address a few days ago may take it back: until then it goes to nobody who has not proved that it is theirs. */
export async function mayBeTakenBack(client: SqlQueries, email: string, now: Date): Promise<boolean> {
  const since = new Date(now.getTime() - EMAIL_UNDO_DAYS * 24 * 3_600_000);
  const { rows } = await client.query(
    'SELECT 1 FROM email_changes WHERE from_email = $1 AND confirmed_at >= $2 AND ended_at IS NULL LIMIT 1',
    [email, since],
  );
  return rows.length > 0;
}
