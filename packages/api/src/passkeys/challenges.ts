import { createHash } from 'node:crypto';
import { newId } from '@app/database/new-id';
import type { SqlQueries } from '@app/database/sql-queries';

const CHALLENGE_SECONDS = 5 * 60;
/** In place of a person: whoever signs in says only by the passkey who they are. */
const ANYBODY = 'anybody';

/** Keeps that we drew this challenge, for one person or for whoever signs in. */
export async function keepChallenge(
  client: SqlQueries,
  challenge: string,
  userId: string | null,
  now: Date,
): Promise<void> {
  await client.query(
    `INSERT INTO verifications (id, identifier, value, expires_at, created_at, updated_at)
     VALUES ($1, $2, $3, $4, $5, $5)`,
    [
      ...[newId(), identify(challenge), userId ?? ANYBODY],
      ...[new Date(now.getTime() + CHALLENGE_SECONDS * 1000), now],
    ],
  );
}

/** True once for each challenge, and only while it is fresh. */
export async function takeChallenge(
  client: SqlQueries,
  challenge: string,
  userId: string | null,
  now: Date,
): Promise<boolean> {
  const { rowCount } = await client.query(
    'DELETE FROM verifications WHERE identifier = $1 AND value = $2 AND expires_at > $3',
    [identify(challenge), userId ?? ANYBODY, now],
  );
  return rowCount === 1;
}

function identify(challenge: string): string {
  return createHash('sha256').update(`passkey ${challenge}`).digest('base64url');
}
