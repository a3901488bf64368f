import type { notification } from '@app/contracts/notifications/notifications-contract';
import type { Permission } from '@app/domain/auth/permissions';
import { mayHear } from '@app/domain/notifications/notification-choices';
import { notificationKindNames, type NotificationKind } from '@app/domain/notifications/notification-kinds';
import type { z } from 'zod';
import { cutPage, readCursor } from '../platform/keyset.ts';
import type { ReadScope, WorkspaceScope } from '../platform/workspace-scope.ts';

type Notification = z.infer<typeof notification>;
/** Whose they are, and what that person may hear of by now. */
type Reader = { userId: string; permissions: readonly Permission[] };
type Row = {
  id: string;
  kind: NotificationKind;
  subject: string | null;
  values: Record<string, string | number>;
  fact_id: string;
  created_at: Date;
  read_at: Date | null;
};

/** `$1` is the workspace, `$2` the person, `$3` the kinds that they may hear of. */
const theirs = 'workspace_id = $1 AND user_id = $2 AND kind = ANY ($3) AND is_listed';

/**
 * With the name of the contact where it is about a conversation: read when it is shown, so that who was erased stands in no row. What was written before
 * has a name of its own.
 */
export function shownValues(alias: string): string {
  return `CASE WHEN ${alias}.kind IN ('new_replies', 'message_failed', 'scheduled_failed')
    THEN coalesce((SELECT jsonb_build_object('name', k.name) FROM conversations c JOIN contacts k ON k.id = c.contact_id
                    WHERE c.workspace_id = ${alias}.workspace_id AND c.id = ${alias}.subject), '{"name": ""}') || ${alias}."values"
    ELSE ${alias}."values" END`;
}

const first = (scope: ReadScope, { userId, permissions }: Reader) => [
  ...[scope.workspaceId, userId],
  notificationKindNames.filter((kind) => mayHear(permissions, kind)),
];

export async function listNotifications(
  scope: ReadScope,
  reader: Reader,
  { limit, cursor, unread }: { limit: number; cursor?: string | undefined; unread: boolean },
): Promise<{ items: Notification[]; nextCursor: string | null }> {
  const after = readCursor(cursor);
  const place = after && /^\d{1,15}$/.test(after.key) ? after.key : null;
  const { rows } = await scope.query<Row>(
    `SELECT id, kind, subject, ${shownValues('n')} AS "values", fact_id, created_at, read_at FROM notifications n
      WHERE ${theirs} ${unread ? 'AND read_at IS NULL' : ''} AND ($4::bigint IS NULL OR (fact_id, id) < ($4, $6)) ORDER BY fact_id DESC, id DESC LIMIT $5`,
    [...first(scope, reader), place, limit + 1, after?.id ?? null],
  );
  const { items, nextCursor } = cutPage(rows, limit, ({ fact_id: factId, id }) => ({ key: factId, id }));
  return { items: items.map(present), nextCursor };
}

export async function countUnread(scope: ReadScope, reader: Reader): Promise<number> {
  const { rows } = await scope.query<{ unread: number }>(
    `SELECT count(*)::int AS unread FROM notifications WHERE ${theirs} AND read_at IS NULL`,
    first(scope, reader),
  );
  return rows[0]?.unread ?? 0;
}

/** How many became read; null where the person has none with the id. */
export async function markRead(scope: WorkspaceScope, reader: Reader, id: string): Promise<number | null> {
  const { rows } = await scope.query<{ read_at: Date | null }>(
    `SELECT read_at FROM notifications WHERE ${theirs} AND id = $4 FOR UPDATE`,
    [...first(scope, reader), id],
  );
  if (!rows[0]) return null;
  return mark(scope, reader, 'id = $4', id);
}

export async function markAllRead(scope: WorkspaceScope, reader: Reader, until: string): Promise<number> {
  return mark(scope, reader, 'created_at <= $4', until);
}

/** What is read is read in every tab. */
async function mark(scope: WorkspaceScope, reader: Reader, which: string, value: string): Promise<number> {
  const { rowCount } = await scope.query(
    `UPDATE notifications SET read_at = $5 WHERE ${theirs} AND read_at IS NULL AND ${which}`,
    [...first(scope, reader), value, scope.clock()],
  );
  if (rowCount)
    await scope.emit({
      ...{ type: 'notifications.read', subject: scope.workspaceId },
      values: { userIds: [reader.userId] },
    });
  return rowCount ?? 0;
}

function present({ id, kind, subject, values, created_at: at, read_at: readAt }: Row): Notification {
  return { id, kind, subject, values, createdAt: at.toISOString(), isRead: readAt !== null };
}
