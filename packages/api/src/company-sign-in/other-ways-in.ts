import type { SqlQueries } from '@app/database/sql-queries';

/** Whether somebody can sign in by a password or a passkey as well. */
export async function hasOtherWayIn(client: SqlQueries, userId: string): Promise<boolean> {
  const { rowCount } = await client.query(
    `SELECT FROM users u WHERE u.id = $1 AND (
       EXISTS (SELECT FROM accounts a WHERE a.user_id = u.id AND a.provider_id = 'credential' AND a.password IS NOT NULL)
       OR EXISTS (SELECT FROM passkeys p WHERE p.user_id = u.id))`,
    [userId],
  );
  return rowCount === 1;
}
