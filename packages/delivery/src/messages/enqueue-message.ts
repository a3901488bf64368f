import { showLastMessage } from '@app/database/contacts/show-last-message';
import { noteMessages } from '@app/database/conversations/note-messages';
import { newId } from '@app/database/new-id';
import type { MessagePurpose } from '@app/domain/conversations/guard-message';
import { priorityRank, type MessagePriority } from '@app/domain/conversations/message-priority';
import type { Cause } from '@app/domain/events/fact-cause';
import type { MessageContent } from '@app/domain/messaging/message-content';
import type { SqlClient } from '../sql-client.ts';

export type NewMessage = {
  id: string;
  workspaceId: string;
  channelId: string;
  /** Whose conversation it belongs to; null for a message to a number alone. */
  contactId: string | null;
  /** The number, where there is no contact. */
  address: string | null;
  content: MessageContent;
  /** One line for lists. */
  text: string;
  purpose: MessagePurpose;
  isMarketing: boolean;
  /** Free text through a channel that has a window. */
  needsWindow: boolean;
  author: { kind: string; id: string | null; name: string };
  /** What led to it; null where a person wrote it. What becomes of the message names it. */
  cause: Cause | null;
  /** Whoever asks again under the same key gets the message that is there. */
  key: string | null;
  at: Date;
  /** Not sent any more afterwards. */
  giveUpAt: Date | null;
  /** It waits until then, unseen among what was said and without a number. */
  sendAt?: Date | null;
  /** Who goes first where several wait; default: as that of an agent. */
  priority?: MessagePriority;
  /** What it belongs to, as a path such as `flow/<id>/<run>`: by it, or by its beginning, the open messages are counted and withdrawn. */
  source?: string | null;
};

/**
 * Commits to one message, in the caller's transaction: whoever finds it sends it, once. In its conversation it gets its number behind all
 * that were left before. Answers with the id of the message that was left under the key before, if there is one.
 */
export async function enqueueMessage(
  client: SqlClient,
  message: NewMessage,
): Promise<{ id: string; isNew: boolean }> {
  const { workspaceId, channelId, contactId, content } = message;
  if (contactId !== null) {
    // The contact first, as everybody locks them; its conversation gives the numbers out one after the other.
    await client.query('SELECT FROM contacts WHERE id = $1 FOR NO KEY UPDATE', [contactId]);
    await client.query(
      'SELECT FROM conversations WHERE contact_id = $1 AND channel_id = $2 FOR NO KEY UPDATE',
      [contactId, channelId],
    );
  }
  const { rowCount } = await client.query(
    `INSERT INTO messages (id, workspace_id, channel_id, contact_id, direction, type, text, content, occurred_at, author, author_id, author_name,
       quoted_id, send_no, send_key, purpose, is_marketing, needs_window, address, state, give_up_at,
       send_at, priority, source, cause)
     VALUES ($1, $2, $3, $4, 'out', $5, $6, $7, $8, $9, $10, $11, $12, CASE WHEN $19::timestamptz IS NULL THEN nextval('message_numbers') END,
       $13, $14, $15, $16, $17, CASE WHEN $19::timestamptz IS NULL THEN 'queued' ELSE 'scheduled' END, $18, $19, $20, $21, $22)
     ON CONFLICT (workspace_id, send_key) WHERE send_key IS NOT NULL DO NOTHING`,
    [
      ...[
        message.id,
        workspaceId,
        channelId,
        contactId,
        content.type,
        message.text,
        JSON.stringify(content),
        message.at,
      ],
      ...[message.author.kind, message.author.id, message.author.name],
      ...[aboutOf(content), message.key, message.purpose],
      ...[
        message.isMarketing,
        message.needsWindow,
        message.address,
        message.giveUpAt,
        message.sendAt ?? null,
      ],
      ...[priorityRank(message.priority ?? 'agent'), message.source ?? null],
      message.cause && JSON.stringify(message.cause),
    ],
  );
  if (rowCount === 0) return { id: await findByKey(client, message), isNew: false };
  if (contactId !== null && !message.sendAt) await showInLists(client, message, contactId);
  return { id: message.id, isNew: true };
}

/** The message that it answers or reacts to, by the platform's id. */
function aboutOf(content: MessageContent): string | null {
  if (content.type === 'reaction') return content.messageId;
  return 'replyTo' in content ? (content.replyTo ?? null) : null;
}

async function findByKey(client: SqlClient, { workspaceId, key }: NewMessage): Promise<string> {
  const { rows } = await client.query<{ id: string }>(
    'SELECT id FROM messages WHERE workspace_id = $1 AND send_key = $2',
    [workspaceId, key],
  );
  if (!rows[0]) throw new Error('A message under this key was there a moment ago.');
  return rows[0].id;
}

/** What a message that is left means for lists of contacts and conversations. */
export async function showInLists(
  client: SqlClient,
  message: Pick<NewMessage, 'workspaceId' | 'channelId' | 'id' | 'text' | 'at' | 'content'> & {
    author: { kind: string };
  },
  contactId: string,
): Promise<void> {
  const { workspaceId, channelId, id, text, at, content } = message;
  if (content.type !== 'reaction') await showLastMessage(client, { contactId, text, at });
  await noteMessages(
    client,
    [
      {
        ...{ workspaceId, contactId, channelId, messageId: id, type: content.type, direction: 'out', at },
        ...{
          isSaid: content.type !== 'reaction',
          isAnswer: message.author.kind === 'person',
          isUnread: false,
          opens: false,
          isHistory: false,
        },
        windowEndsAt: null,
      },
    ],
    { newId, now: at },
  );
}
