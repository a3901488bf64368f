import { withoutRollups } from '@app/database/analytics/count-rollups';
import type { MergeableContact } from '@app/domain/contact-merges/merge-rules';
import type { WorkspaceScope } from '../platform/workspace-scope.ts';
import { keptColumns, storedColumns } from './deleted-contacts.ts';

type Written = Omit<MergeableContact, 'optedOutAt'>;

/** What a merge, or its undo, made of a contact; its consent has rules of its own. */
export async function writeMergedContact(scope: WorkspaceScope, contact: Written): Promise<void> {
  await scope.query(
    `UPDATE contacts SET name = $3, phone = $4, platform_user_id = $5, email = $6, tags = $7, status = $8,
            last_message = $9, last_message_at = $10, window_expires_at = $11, custom_values = $12, updated_at = $13, language = $14,
            version = version + 1
      WHERE workspace_id = $1 AND id = $2`,
    [
      ...[scope.workspaceId, contact.id, contact.name, contact.phone, contact.platformUserId, contact.email],
      ...[contact.tags, contact.status, contact.lastMessage],
      ...[asDate(contact.lastMessageAt), asDate(contact.windowExpiresAt)],
      ...[JSON.stringify(contact.customValues), scope.clock(), contact.language],
    ],
  );
}

/** Of contacts that went into another one, which has by then what was theirs. */
export async function dropMergedContacts(
  scope: WorkspaceScope,
  contactIds: readonly string[],
): Promise<void> {
  await scope.query('DELETE FROM contacts WHERE workspace_id = $1 AND id = ANY ($2::uuid[])', [
    scope.workspaceId,
    contactIds,
  ]);
}

/** A contact comes back out of a merge, as its row was kept: a row of `contacts` as JSON. */
export async function addPartedContact(scope: WorkspaceScope, row: object): Promise<void> {
  await withoutRollups(scope, () =>
    scope.query(
      `INSERT INTO contacts (${storedColumns}) SELECT ${keptColumns} FROM jsonb_populate_record(NULL::contacts, $1)`,
      [JSON.stringify(row)],
    ),
  );
}

/** Message and window follow what is stored by now; the row says what was known before the merge. */
export async function refreshLastMessage(scope: WorkspaceScope, contactId: string): Promise<void> {
  const { workspaceId } = scope;
  await scope.query(
    `UPDATE contacts c SET last_message = coalesce(m.text, '[deleted]'), last_message_at = m.occurred_at
       FROM (SELECT text, occurred_at FROM messages WHERE contact_id = $2 AND target_id IS NULL ORDER BY occurred_at DESC LIMIT 1) AS m
      WHERE c.workspace_id = $1 AND c.id = $2 AND m.occurred_at > coalesce(c.last_message_at, '-infinity')`,
    [workspaceId, contactId],
  );
  await scope.query(
    `UPDATE contacts c SET window_expires_at = m.until
       FROM (SELECT max(occurred_at) + interval '24 hours' AS until FROM messages WHERE contact_id = $2 AND direction = 'in'
                                   AND target_id IS NULL) AS m
      WHERE c.workspace_id = $1 AND c.id = $2 AND m.until > coalesce(c.window_expires_at, '-infinity')`,
    [workspaceId, contactId],
  );
}

/** Both contacts wrote from one account, so the window that one of them opened is open for the person. */
export async function keepOpenWindow(
  scope: WorkspaceScope,
  contactId: string,
  windows: readonly Date[],
): Promise<void> {
  await scope.query(
    `UPDATE contacts SET window_expires_at = (SELECT max(until) FROM unnest($3::timestamptz[]) AS until)
      WHERE workspace_id = $1 AND id = $2`,
    [scope.workspaceId, contactId, windows],
  );
}

function asDate(time: number | null): Date | null {
  return time === null ? null : new Date(time);
}
