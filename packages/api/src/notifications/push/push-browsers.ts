import { newId } from '@app/database/new-id';
import type { SqlQueries } from '@app/database/sql-queries';
import { MOST_BROWSERS } from '@app/domain/notifications/push-address';
import type { OwnAccount } from '../../platform/account/own-account.ts';
import type { ApiDependencies } from '../../platform/request-context.ts';

type Row = {
  id: string;
  session_id: string;
  user_agent: string;
  shows_text: boolean;
  created_at: Date;
  sent_at: Date | null;
};
export type Asked = { endpoint: string; p256dh: string; auth: string };

/** A browser counts as long as nobody signed out of the session in which it was asked for. */
const OPEN = `push_browsers b JOIN sessions s ON s.id = b.session_id AND s.ended_at IS NULL`;

export async function listBrowsers(
  { client, userId }: Pick<OwnAccount, 'client' | 'userId'>,
  sessionId: string,
) {
  const { rows } = await client.query<Row>(
    `SELECT b.id, b.session_id, b.user_agent, b.shows_text, b.created_at, b.sent_at FROM ${OPEN}
      WHERE b.user_id = $1 ORDER BY b.created_at DESC, b.id DESC`,
    [userId],
  );
  return rows.map((row) => ({
    ...{ id: row.id, userAgent: row.user_agent, showsText: row.shows_text },
    isThis: row.session_id === sessionId,
    createdAt: row.created_at.toISOString(),
    sentAt: row.sent_at?.toISOString() ?? null,
  }));
}

/**
 * The same browser again is the same row, whoever had it before: an address is one browser, and whoever sits before it has asked. What another
 * person wanted there is gone, also where both ask at once.
 */
export async function keepBrowser(
  { client, userId, now }: OwnAccount,
  asked: Asked & { sessionId: string; userAgent: string },
): Promise<void> {
  await client.query(
    `INSERT INTO push_browsers AS b (id, user_id, session_id, endpoint, p256dh, auth, user_agent, created_at)
     VALUES ($1, $2, $3, $4, $5, $6, $7, $8)
     ON CONFLICT (endpoint) DO UPDATE SET user_id = excluded.user_id, session_id = excluded.session_id, p256dh = excluded.p256dh,
       auth = excluded.auth, user_agent = excluded.user_agent, shows_text = b.shows_text AND b.user_id = excluded.user_id,
       created_at = CASE WHEN b.user_id = excluded.user_id THEN b.created_at ELSE excluded.created_at END,
       sent_at = CASE WHEN b.user_id = excluded.user_id THEN b.sent_at END`,
    [
      ...[newId(), userId, asked.sessionId, asked.endpoint, asked.p256dh, asked.auth],
      ...[asked.userAgent.slice(0, 300), now],
    ],
  );
  await client.query(
    `DELETE FROM push_browsers WHERE user_id = $1 AND id NOT IN
       (SELECT id FROM push_browsers WHERE user_id = $1 ORDER BY created_at DESC, id DESC LIMIT $2)`,
    [userId, MOST_BROWSERS],
  );
}

/** False for a browser that is not theirs. */
export async function setShowsText(
  { client, userId }: OwnAccount,
  browserId: string,
  showsText: boolean,
): Promise<boolean> {
  const { rowCount } = await client.query(
    'UPDATE push_browsers SET shows_text = $3 WHERE user_id = $1 AND id = $2',
    [userId, browserId, showsText],
  );
  return rowCount === 1;
}

/** False for a browser that is not theirs. */
export async function removeBrowser({ client, userId }: OwnAccount, browserId: string): Promise<boolean> {
  const { rowCount } = await client.query('DELETE FROM push_browsers WHERE user_id = $1 AND id = $2', [
    userId,
    browserId,
  ]);
  return rowCount === 1;
}

export type OpenBrowser = Asked & { id: string; shows_text: boolean };

/** To whom something can be pushed now; in system scope. */
export async function findOpenBrowsers(
  client: SqlQueries,
  userId: string,
  browserId: string | null = null,
): Promise<OpenBrowser[]> {
  const { rows } = await client.query<OpenBrowser>(
    `SELECT b.id, b.endpoint, b.p256dh, b.auth, b.shows_text FROM ${OPEN} WHERE b.user_id = $1 AND ($2::uuid IS NULL OR b.id = $2)`,
    [userId, browserId],
  );
  return rows;
}

/** What was asked for in a session that somebody signed out of. */
export async function deleteLeftBrowsers({ db }: Pick<ApiDependencies, 'db'>): Promise<void> {
  await db.systemPool.query(
    'DELETE FROM push_browsers b USING sessions s WHERE s.id = b.session_id AND s.ended_at IS NOT NULL',
  );
}
