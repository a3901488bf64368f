import type { Merge, Person, PersonData, Unmerge } from '../platform/person-data/person-data.ts';
import { readAtOnce, readByTime } from '../platform/person-data/read-section.ts';
import type { WorkspaceScope } from '../platform/workspace-scope.ts';
import {
  copyConversations,
  mergeConversations,
  unmergeConversations,
  type KeptConversations,
} from './follow-contacts.ts';

/** By the contact that had them. */
type Moved = { messages: Record<string, string[]>; conversations: Record<string, KeptConversations> };

export const conversationsPersonData: PersonData = {
  tables: {
    messages: {
      section: 'messages',
      read: readByTime(
        `SELECT occurred_at AS at, id, occurred_at AS "occurredAt", direction, type, text, content, original_text AS "originalText",
                edited_at AS "editedAt", revoked_at AS "deletedAt", author, author_name AS "authorName", state, address,
                sent_at AS "sentAt", delivered_at AS "deliveredAt", read_at AS "readAt", failed_at AS "failedAt",
                error_code AS "errorCode", provider_message_id AS "platformMessageId", payload AS "asReceived"
           FROM messages WHERE workspace_id = $1
            AND (contact_id = ANY (ARRAY(SELECT jsonb_array_elements_text($2::jsonb->'ids'))::uuid[])
                 OR address = ANY (ARRAY(SELECT jsonb_array_elements_text($2::jsonb->'identifiers'))))
            AND (occurred_at, id) > ($3::timestamptz, $4::uuid)
          ORDER BY at, id LIMIT $5`,
        ({ ids, identifiers }) => JSON.stringify({ ids, identifiers }),
      ),
    },
    conversations: {
      section: 'conversations',
      read: readAtOnce(
        `SELECT c.id, c.channel_id AS "channelId", c.status, c.is_archived AS "isArchived", c.labels, u.name AS assignee,
                t.name AS team, c.begun_at AS "openedAt", c.first_answered_at AS "firstAnsweredAt", c.resolved_at AS "resolvedAt",
                c.unread, c.last_message_at AS "lastMessageTime", c.window_ends_at AS "windowEndsAt", c.bot_state AS "botState",
                c.created_at AS "createdAt"
           FROM conversations c LEFT JOIN users u ON u.id = c.assignee_id LEFT JOIN teams t ON t.id = c.team_id
          WHERE c.workspace_id = $1 AND c.contact_id = ANY ($2::uuid[]) ORDER BY c.created_at, c.id`,
        ({ ids }) => [ids],
      ),
    },
    conversation_notes: {
      section: 'notes',
      read: readAtOnce(
        `SELECT n.id, n.conversation_id AS "conversationId", n.author_name AS author, n.body, n.earlier, n.at AS "writtenAt",
                n.edited_at AS "editedAt"
           FROM conversations c JOIN conversation_notes n ON n.conversation_id = c.id
          WHERE c.workspace_id = $1 AND c.contact_id = ANY ($2::uuid[]) AND n.deleted_at IS NULL ORDER BY n.at, n.id`,
        ({ ids }) => [ids],
      ),
    },
  },
  erase,
  merge,
  unmerge: (scope, parted, moved) => unmerge(scope, parted, moved as Partial<Moved>), // its own, from `merge`
};

/** Conversations go with the contact; what was sent to a number alone, such as a test message, is found by it. */
async function erase(scope: WorkspaceScope, { ids, identifiers }: Person): Promise<void> {
  await scope.query(
    'DELETE FROM messages WHERE workspace_id = $1 AND (contact_id = ANY ($2::uuid[]) OR address = ANY ($3::text[]))',
    [scope.workspaceId, ids, identifiers],
  );
}

async function merge(scope: WorkspaceScope, { survivorId, otherIds }: Merge): Promise<Moved> {
  const { workspaceId } = scope;
  const conversations: Moved['conversations'] = {};
  for (const otherId of otherIds) conversations[otherId] = await copyConversations(scope, otherId);
  const { rows } = await scope.query<{ id: string; ids: string[] }>(
    `SELECT contact_id AS id, array_agg(id) AS ids FROM messages
      WHERE workspace_id = $1 AND contact_id = ANY ($2::uuid[]) GROUP BY contact_id`,
    [workspaceId, otherIds],
  );
  await scope.query(
    'UPDATE messages SET contact_id = $2 WHERE workspace_id = $1 AND contact_id = ANY ($3::uuid[])',
    [workspaceId, survivorId, otherIds],
  );
  await mergeConversations(scope, survivorId, otherIds);
  return { messages: Object.fromEntries(rows.map(({ id, ids }) => [id, ids])), conversations };
}

/** What arrived since from the number of a contact is its own, too. */
async function unmerge(
  scope: WorkspaceScope,
  { survivorId, mergedAt, parts }: Unmerge,
  { messages = {}, conversations = {} }: Partial<Moved>,
): Promise<void> {
  for (const { contactId, identifiers } of parts) {
    await scope.query(
      `UPDATE messages SET contact_id = $2 WHERE workspace_id = $1 AND contact_id = $3 AND (id = ANY ($4::uuid[])
          OR (received_at >= $5 AND (payload->>'from' = ANY ($6::text[]) OR payload->>'to' = ANY ($6::text[]))))`,
      [
        ...[scope.workspaceId, contactId, survivorId, messages[contactId] ?? [], mergedAt],
        identifiers.map((identifier) => identifier.replace(/^\+/, '')),
      ],
    );
    const kept = conversations[contactId];
    if (kept) await unmergeConversations(scope, { survivorId, contactId, kept });
  }
}
