import type { Caller } from '@app/domain/auth/caller';
import { readChoices, type NotificationChoices } from '@app/domain/notifications/notification-choices';
import type { OwnAccount } from '../platform/account/own-account.ts';
import { PREFERENCES_HERE } from '../platform/account/wanted-notices.ts';

/** What somebody wants to be told of here, of that which they may hear of by now. */
export async function readNotificationChoices(
  { client, userId }: Pick<OwnAccount, 'client' | 'userId'>,
  { permissions, workspaceId }: Pick<Caller, 'permissions' | 'workspaceId'>,
): Promise<NotificationChoices> {
  const { rows } = await client.query<{ preferences: Record<string, unknown> }>(
    `SELECT ${PREFERENCES_HERE} AS preferences FROM users u, workspaces w WHERE u.id = $1 AND w.id = $2`,
    [userId, workspaceId],
  );
  return readChoices(rows[0]?.preferences ?? {}, permissions);
}

/** Whether anything changed. What is not named stays: another role may offer it again. */
export async function changeNotificationChoices(
  { client, userId, emit }: OwnAccount,
  { ways, options }: NotificationChoices,
): Promise<void> {
  const { rowCount } = await client.query(
    `UPDATE users u SET preferences = n.preferences
       FROM (SELECT u.preferences || jsonb_build_object(
                      'notifications', coalesce(u.preferences -> 'notifications', '{}') || $2::jsonb,
                      'notices', coalesce(u.preferences -> 'notices', '{}') || $3::jsonb) AS preferences
               FROM users u WHERE u.id = $1) n
      WHERE u.id = $1 AND u.preferences IS DISTINCT FROM n.preferences`,
    [userId, JSON.stringify(ways), JSON.stringify(options)],
  );
  if (rowCount === 1) await emit({ type: 'account.preferences_changed', subject: userId, values: {} });
}
