import { newId } from '@app/database/new-id';
import {
  GATHERING_MINUTES,
  MAIL_PAUSE_MINUTES,
  NOTIFICATION_DAYS,
} from '@app/domain/notifications/notification-kinds';
import type { ApiDependencies } from '../platform/request-context.ts';
import { changeAcrossWorkspaces } from '../platform/system-work.ts';
import { notificationMail } from './notification-mail.ts';

/** More people than that wait for the next time. */
const AT_ONCE = 200;

/**
 * Gathers what nobody has read after a while into one mail for each person, and not two within some minutes. Which mail carries what is
 * written in the transaction that leaves the job: nothing is in two mails, and nothing in none.
 */
export async function enqueueNotificationMails(parts: ApiDependencies): Promise<void> {
  const now = parts.clock();
  const ago = (minutes: number) => new Date(now.getTime() - minutes * 60_000);
  await changeAcrossWorkspaces(parts, 'facts', async ({ client, scopeOf }) => {
    const { rows } = await client.query<{ workspace_id: string; user_id: string }>(
      `SELECT n.workspace_id, n.user_id FROM notifications n
        WHERE n.is_mailed AND n.mail_id IS NULL AND n.read_at IS NULL AND n.created_at <= $1
          AND NOT EXISTS (SELECT FROM notifications o
            WHERE o.workspace_id = n.workspace_id AND o.user_id = n.user_id AND o.mailed_at > $2)
        GROUP BY n.workspace_id, n.user_id ORDER BY min(n.created_at) LIMIT $3`,
      [ago(GATHERING_MINUTES), ago(MAIL_PAUSE_MINUTES), AT_ONCE],
    );
    for (const { workspace_id: workspaceId, user_id: userId } of rows) {
      const mailId = newId();
      const { rowCount } = await client.query(
        `UPDATE notifications SET mail_id = $3, mailed_at = $4
          WHERE workspace_id = $1 AND user_id = $2 AND is_mailed AND mail_id IS NULL AND read_at IS NULL`,
        [workspaceId, userId, mailId, now],
      );
      if (rowCount) await parts.jobs.enqueue(scopeOf(workspaceId), notificationMail, mailId, { mailId });
    }
  });
}

/** What is older leaves the list. */
export async function deleteOldNotifications({
  db,
  clock,
}: Pick<ApiDependencies, 'db' | 'clock'>): Promise<void> {
  const before = new Date(clock().getTime() - NOTIFICATION_DAYS * 24 * 3_600_000);
  await db.systemPool.query('DELETE FROM notifications WHERE created_at < $1', [before]);
  await db.systemPool.query('DELETE FROM summaries WHERE day < $1::date', [before]);
}
