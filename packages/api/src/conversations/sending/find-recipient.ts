import { newId } from '@app/database/new-id';
import type { EligibilityRow } from '@app/delivery/messages/message-eligibility';
import type { WorkspaceScope } from '../../platform/workspace-scope.ts';

/**
 * To whom a message goes: into a conversation, or to a contact through a channel. Without a channel it is the workspace's default sender, of that
 * kind where one is named.
 */
export type SendTo =
  | { conversationId: string }
  | { contactId: string; channelId?: string | undefined; channelKind?: string | undefined };

/** Contact and channel, locked, with all that decides whether a message may leave. The conversation is null where there is none yet. */
export type Recipient = EligibilityRow & {
  conversation_id: string | null;
  contact_id: string;
  channel_id: string;
  kind: string;
};
export type LockedConversation = Recipient & { conversation_id: string };

/** Locks contact and conversation, in the order in which every sender does. */
export async function lockRecipient(
  scope: WorkspaceScope,
  to: SendTo,
): Promise<Recipient | 'conversation_not_found' | 'contact_not_found' | 'channel_not_connected'> {
  if ('conversationId' in to)
    return (await lockConversation(scope, to.conversationId)) ?? 'conversation_not_found';
  const { workspaceId } = scope;
  const { rowCount: known } = await scope.query(
    'SELECT FROM contacts WHERE workspace_id = $1 AND id = $2 FOR NO KEY UPDATE',
    [workspaceId, to.contactId],
  );
  if (!known) return 'contact_not_found';
  const channelId = to.channelId ?? (await findDefaultSender(scope, to.channelKind));
  if (channelId === undefined) return 'channel_not_connected';
  await scope.query(
    'SELECT FROM conversations WHERE workspace_id = $1 AND contact_id = $2 AND channel_id = $3 FOR NO KEY UPDATE',
    [workspaceId, to.contactId, channelId],
  );
  const { rows } = await scope.query<Recipient>(
    `SELECT ${COLUMNS} FROM contacts k JOIN channels ch ON ch.workspace_id = k.workspace_id AND ch.id = $3
       LEFT JOIN conversations c ON c.contact_id = k.id AND c.channel_id = ch.id
       LEFT JOIN marketing_holds h ON h.contact_id = k.id
      WHERE k.workspace_id = $1 AND k.id = $2`,
    [workspaceId, to.contactId, channelId],
  );
  return rows[0] ?? 'channel_not_connected';
}

const COLUMNS = `c.id AS conversation_id, k.id AS contact_id, ch.id AS channel_id, ch.kind, k.status AS contact_status, k.phone, k.platform_user_id,
  k.opted_out_at, h.until AS held_until, c.window_ends_at, ch.is_connected, ch.stopped_for`;

/** Through which the workspace writes to somebody who has no conversation yet. */
async function findDefaultSender(
  scope: WorkspaceScope,
  kind: string | undefined,
): Promise<string | undefined> {
  const { rows } = await scope.query<{ id: string }>(
    `SELECT id FROM channels WHERE workspace_id = $1 AND is_connected AND ($2::text IS NULL OR kind = $2)
      ORDER BY is_default DESC, created_at, id LIMIT 1`,
    [scope.workspaceId, kind ?? null],
  );
  return rows[0]?.id;
}

/**
 * The conversation, begun where there is none. One that no agent begins is resolved until the contact answers: what a flow writes to thousands
 * fills no inbox.
 */
export async function beginConversation(
  scope: WorkspaceScope,
  { contact_id: contactId, channel_id: channelId, conversation_id: known }: Recipient,
): Promise<string> {
  if (known !== null) return known;
  const id = newId();
  await scope.query(
    `INSERT INTO conversations (id, workspace_id, contact_id, channel_id, status, last_activity_at, created_at)
     VALUES ($1, $2, $3, $4, $5, $6, $6)`,
    [
      ...[id, scope.workspaceId, contactId, channelId],
      ...[scope.caller.kind === 'person' ? 'open' : 'resolved', scope.clock()],
    ],
  );
  return id;
}

/** With its contact, which is locked first. A merge that was quicker leads to the conversation as it is by now. */
export async function lockConversation(
  scope: WorkspaceScope,
  conversationId: string,
): Promise<LockedConversation | undefined> {
  await lockContactOf(scope, conversationId);
  const { rows } = await scope.query<LockedConversation>(
    `SELECT ${COLUMNS} FROM conversations c JOIN contacts k ON k.id = c.contact_id JOIN channels ch ON ch.id = c.channel_id
       LEFT JOIN marketing_holds h ON h.contact_id = c.contact_id
      WHERE c.workspace_id = $1 AND c.id = $2 FOR NO KEY UPDATE OF c`,
    [scope.workspaceId, conversationId],
  );
  return rows[0];
}

/** The first lock of whoever changes messages: after it come these, and their conversation last. */
export async function lockContactOf(scope: WorkspaceScope, conversationId: string): Promise<void> {
  await scope.query(
    `SELECT FROM contacts WHERE id = (SELECT contact_id FROM conversations WHERE workspace_id = $1 AND id = $2) FOR NO KEY UPDATE`,
    [scope.workspaceId, conversationId],
  );
}
