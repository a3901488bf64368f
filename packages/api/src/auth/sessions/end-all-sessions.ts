import type { SqlQueries } from '@app/database/sql-queries';

/** Ends the open sessions of an account, or all but one, whichever workspace they work in. Answers with how many it were. */
export async function endAllSessions(
  client: SqlQueries,
  { userId, butOne, now }: { userId: string; butOne: string | null; now: Date },
): Promise<number> {
  const { rowCount } = await client.query(
    `UPDATE sessions SET ended_at = $3 WHERE user_id = $1 AND ($2::uuid IS NULL OR id <> $2)
       AND ended_at IS NULL AND expires_at > $3`,
    [userId, butOne, now],
  );
  return rowCount ?? 0;
}

/** Ends a session whose owner signs out. Its row stays for the list of sessions, and forgets the token. */
export async function endOneSession(client: SqlQueries, sessionId: string, now: Date): Promise<void> {
  await client.query(`UPDATE sessions SET ended_at = $2, token = 'ended ' || id WHERE id = $1`, [
    sessionId,
    now,
  ]);
}
