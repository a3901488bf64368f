import { DEFAULT_SENDER_ORDER } from '@app/database/channels/find-channel';
import { newId } from '@app/database/new-id';
import { personOf } from '@app/domain/auth/caller';
import type { Jobs } from '../platform/jobs/enqueue-job.ts';
import type { WorkspaceScope } from '../platform/workspace-scope.ts';
import { changeConversation, type Missed, type Versioned } from './change-conversation.ts';
import { enqueueRead } from './receipts/show-read.ts';
import { findConversation, type Conversation } from './conversations-queries.ts';

/** Marks what somebody was shown as read, and what is older and had arrived by then: what comes late among it was seen by nobody. */
export async function markRead(
  scope: WorkspaceScope,
  jobs: Jobs,
  { conversationId, messageIds }: { conversationId: string; messageIds: readonly string[] },
): Promise<Conversation | 'conversation_not_found'> {
  const { workspaceId } = scope;
  // Messages are locked before their conversation, as whoever stores or moves them does.
  const { rowCount } = await scope.query(
    `WITH shown AS (
       SELECT m.occurred_at, m.id, max(m.received_at) OVER () AS last_received
         FROM conversations c JOIN messages m ON m.contact_id = c.contact_id AND m.channel_id = c.channel_id
        WHERE c.workspace_id = $1 AND c.id = $2 AND m.id = ANY ($3::uuid[])
        ORDER BY m.occurred_at, m.id LIMIT 1
     ), found AS (
       SELECT m.id FROM shown, conversations c JOIN messages m ON m.contact_id = c.contact_id AND m.channel_id = c.channel_id
        WHERE c.workspace_id = $1 AND c.id = $2 AND c.unread > 0 AND m.is_unread AND (m.id = ANY ($3::uuid[])
          OR ((m.occurred_at, m.id) < (shown.occurred_at, shown.id) AND m.received_at <= shown.last_received))
        ORDER BY m.id FOR UPDATE OF m
     )
     UPDATE messages m SET is_unread = false FROM found WHERE m.id = found.id AND m.is_unread`,
    [workspaceId, conversationId, messageIds],
  );
  if (rowCount) {
    await enqueueRead(jobs, scope, conversationId);
    const { rows } = await scope.query<{ contact_id: string }>(
      'UPDATE conversations SET unread = unread - $3 WHERE workspace_id = $1 AND id = $2 RETURNING contact_id',
      [workspaceId, conversationId, rowCount],
    );
    if (rows[0])
      await scope.emit({
        type: 'conversation.read',
        subject: conversationId,
        values: { contactIds: [rows[0].contact_id] },
      });
  }
  return (await findConversation(scope, conversationId)) ?? 'conversation_not_found';
}

/** The last message of the contact is to be read once more, by everybody. */
export async function markUnread(
  scope: WorkspaceScope,
  conversationId: string,
): Promise<Conversation | 'conversation_not_found'> {
  const { workspaceId } = scope;
  const { rowCount } = await scope.query(
    `WITH last AS (
       SELECT m.id FROM conversations c JOIN messages m ON m.contact_id = c.contact_id AND m.channel_id = c.channel_id
        WHERE c.workspace_id = $1 AND c.id = $2 AND m.direction = 'in' AND is_said(m)
        ORDER BY m.occurred_at DESC, m.id DESC LIMIT 1)
     UPDATE messages m SET is_unread = true FROM last WHERE m.id = last.id AND NOT m.is_unread`,
    [workspaceId, conversationId],
  );
  if (rowCount) {
    const { rows } = await scope.query<{ contact_id: string }>(
      'UPDATE conversations SET unread = unread + $3 WHERE workspace_id = $1 AND id = $2 RETURNING contact_id',
      [workspaceId, conversationId, rowCount],
    );
    if (rows[0])
      await scope.emit({
        type: 'conversation.unread',
        subject: conversationId,
        values: { contactIds: [rows[0].contact_id] },
      });
  }
  return (await findConversation(scope, conversationId)) ?? 'conversation_not_found';
}

export function archiveConversation(
  scope: WorkspaceScope,
  { isArchived, ...of }: Versioned & { isArchived: boolean },
): Promise<Conversation | Missed> {
  return changeConversation(scope, of, 'is_archived = $4', isArchived, ({ contactIds, before }) =>
    before.is_archived === isArchived
      ? null
      : { type: 'conversation.archived', subject: of.conversationId, values: { contactIds, isArchived } },
  );
}

/** Pins or mutes it for the person who asks; nobody else hears of it. */
export async function markConversation(
  scope: WorkspaceScope,
  { conversationId, isPinned, isMuted }: { conversationId: string; isPinned?: boolean; isMuted?: boolean },
): Promise<Conversation | 'conversation_not_found'> {
  const { workspaceId } = scope;
  await scope.query(
    `INSERT INTO conversation_marks AS a (workspace_id, conversation_id, user_id, pinned_at, muted_at)
     SELECT $1, c.id, $3, CASE WHEN $4 THEN $6::timestamptz END, CASE WHEN $5 THEN $6::timestamptz END
       FROM conversations c WHERE c.workspace_id = $1 AND c.id = $2
     ON CONFLICT (user_id, conversation_id) DO UPDATE SET
       pinned_at = CASE WHEN $4::boolean IS NULL THEN a.pinned_at ELSE excluded.pinned_at END,
       muted_at = CASE WHEN $5::boolean IS NULL THEN a.muted_at ELSE excluded.muted_at END`,
    [
      ...[workspaceId, conversationId, personOf(scope.caller)],
      ...[isPinned ?? null, isMuted ?? null, scope.clock()],
    ],
  );
  return (await findConversation(scope, conversationId)) ?? 'conversation_not_found';
}

/** The conversation of a contact with a channel, begun where there is none. */
export async function openConversation(
  scope: WorkspaceScope,
  { contactId, channelId }: { contactId: string; channelId?: string },
): Promise<Conversation | 'contact_not_found' | 'channel_not_connected'> {
  const { workspaceId } = scope;
  const { rowCount: known } = await scope.query(
    'SELECT FROM contacts WHERE workspace_id = $1 AND id = $2 FOR KEY SHARE',
    [workspaceId, contactId],
  );
  if (!known) return 'contact_not_found';
  const { rows: channels } = await scope.query<{ id: string }>(
    `SELECT id FROM channels WHERE workspace_id = $1 AND is_connected AND ($2::uuid IS NULL OR id = $2) ORDER BY ${DEFAULT_SENDER_ORDER} LIMIT 1`,
    [workspaceId, channelId ?? null],
  );
  const [channel] = channels;
  if (!channel) return 'channel_not_connected';
  await scope.query(
    `INSERT INTO conversations (id, workspace_id, contact_id, channel_id, last_activity_at, created_at)
     VALUES ($1, $2, $3, $4, $5, $5) ON CONFLICT (contact_id, channel_id) DO NOTHING`,
    [newId(), workspaceId, contactId, channel.id, scope.clock()],
  );
  const { rows } = await scope.query<{ id: string }>(
    'SELECT id FROM conversations WHERE workspace_id = $1 AND contact_id = $2 AND channel_id = $3',
    [workspaceId, contactId, channel.id],
  );
  return (await findConversation(scope, rows[0]!.id))!; // made above, or there before
}
