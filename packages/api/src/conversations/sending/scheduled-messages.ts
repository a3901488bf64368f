import type { scheduledMessage } from '@app/contracts/conversations/conversation-values';
import { wakeForMessages } from '@app/delivery/engine/engine-wake';
import { releaseMessage } from '@app/delivery/messages/release-scheduled';
import { validateContent, type ContentError } from '@app/domain/conversations/content-rules';
import { isScheduleValid } from '@app/domain/conversations/scheduling';
import type { MessageAuthor } from '@app/domain/conversations/message-state';
import type { MessageContent } from '@app/domain/messaging/message-content';
import type { z } from 'zod';
import { cutPage, readTimeCursor } from '../../platform/keyset.ts';
import type { ReadScope, WorkspaceScope } from '../../platform/workspace-scope.ts';
import { findMessage, type Message } from '../conversation-messages.ts';
import type { SendParts } from './enqueue-contents.ts';
import { lockContactOf, lockConversation } from './find-recipient.ts';

export type ScheduledMessage = z.infer<typeof scheduledMessage>;
export type NotWaiting = 'conversation_not_found' | 'message_not_found' | 'message_changed';
type Named = { conversationId: string; messageId: string };

type Row = {
  id: string;
  conversation_id: string;
  contact_id: string;
  contact_name: string;
  type: string;
  text: string | null;
  content: MessageContent;
  author: MessageAuthor;
  author_id: string | null;
  author_name: string | null;
  send_at: Date;
  place: string;
};

const COLUMNS = `m.id, c.id AS conversation_id, m.contact_id, k.name AS contact_name, m.type, m.text, m.content, m.author, m.author_id,
  m.author_name, m.send_at, m.send_at::text AS place`;
const FROM = `messages m JOIN conversations c ON c.contact_id = m.contact_id AND c.channel_id = m.channel_id JOIN contacts k ON k.id = m.contact_id`;

/** What waits for its time, the next one first. */
export async function listScheduled(
  scope: ReadScope,
  input: { limit: number; cursor?: string | undefined; conversationId?: string | undefined },
) {
  const after = readTimeCursor(input.cursor);
  const { rows } = await scope.query<Row>(
    `SELECT ${COLUMNS} FROM ${FROM}
      WHERE m.workspace_id = $1 AND m.state = 'scheduled' AND ($2::uuid IS NULL OR c.id = $2)
        AND ($3::timestamptz IS NULL OR (m.send_at, m.id) > ($3::timestamptz, $4::uuid))
      ORDER BY m.send_at, m.id LIMIT $5`,
    [scope.workspaceId, input.conversationId ?? null, after?.key ?? null, after?.id ?? null, input.limit + 1],
  );
  const { items, nextCursor } = cutPage(rows, input.limit, ({ place, id }) => ({ key: place, id }));
  return { items: items.map(present), nextCursor };
}

/** Gives a message that waits another time, or a text other words. */
export async function changeScheduled(
  scope: WorkspaceScope,
  { channelKinds }: Pick<SendParts, 'channelKinds'>,
  { sendAt, text, ...named }: Named & { sendAt?: string | undefined; text?: string | undefined },
): Promise<ScheduledMessage | NotWaiting | ContentError | 'message_time_invalid'> {
  const at = sendAt === undefined ? null : new Date(sendAt);
  if (at && !isScheduleValid(at.getTime(), scope.clock().getTime())) return 'message_time_invalid';
  const found = await lockWaiting(scope, named, ['scheduled']);
  if (typeof found === 'string') return found;
  if (text !== undefined) {
    if (found.content.type !== 'text') return { code: 'message_kind_unsupported' };
    const content = { ...found.content, body: text };
    const refusal = validateContent(content, channelKinds.of({ kind: found.kind }).capabilities);
    if (refusal) return refusal;
    await scope.query('UPDATE messages SET text = $3, content = $4 WHERE workspace_id = $1 AND id = $2', [
      ...[scope.workspaceId, named.messageId],
      ...[text, JSON.stringify(content)],
    ]);
  }
  if (at)
    await scope.query('UPDATE messages SET send_at = $3 WHERE workspace_id = $1 AND id = $2', [
      ...[scope.workspaceId, named.messageId],
      at,
    ]);
  const { rows } = await scope.query<Row>(
    `SELECT ${COLUMNS} FROM ${FROM} WHERE m.workspace_id = $1 AND m.id = $2`,
    [scope.workspaceId, named.messageId],
  );
  const changed = present(rows[0]!); // locked above
  await scope.emit({
    type: 'message.scheduled',
    subject: named.messageId,
    values: {
      conversationId: named.conversationId,
      contactIds: [found.contactId],
      sendAt: changed.sendAt,
    },
  });
  return changed;
}

/** Leaves a message that waits at once; it may turn out that it cannot leave, which it says then. */
export async function sendScheduled(
  scope: WorkspaceScope,
  { db }: Pick<SendParts, 'db'>,
  named: Named,
): Promise<Message | NotWaiting> {
  const found = await lockWaiting(scope, named, ['scheduled']);
  if (typeof found === 'string') return found;
  const now = scope.clock().getTime();
  await releaseMessage(scope, { id: named.messageId, now, isDue: false }, (fact) => scope.emit(fact));
  scope.afterCommit(() => wakeForMessages(db.systemPool, 'agent'));
  return (await findMessage(scope, found.of, named.messageId))!; // locked above
}

type State = 'scheduled' | 'queued' | 'refused' | 'cancelled' | 'accepted';
type Waiting = {
  of: { id: string; contactId: string; channelId: string };
  contactId: string;
  kind: string;
  state: State;
  text: string | null;
  content: MessageContent;
  isMarketing: boolean;
  isFailed: boolean;
  errorCode: string | null;
  triedAgainAs: string | null;
  allowanceDay: string | null;
  attempt: number;
};

/** One message of ours in one of these states; locked are its contact, it and its conversation, in the order of whoever sends it. */
export async function lockWaiting(
  scope: WorkspaceScope,
  { conversationId, messageId }: Named,
  states: readonly State[],
): Promise<Waiting | NotWaiting> {
  await lockContactOf(scope, conversationId);
  const { rows } = await scope.query<Omit<Waiting, 'of' | 'kind'>>(
    `SELECT m.contact_id AS "contactId", m.state, m.text, m.content, m.is_marketing AS "isMarketing", m.failed_at IS NOT NULL AS "isFailed",
            m.error_code AS "errorCode", m.tried_again_as AS "triedAgainAs", m.allowance_day::text AS "allowanceDay", m.attempt
       FROM conversations c JOIN messages m ON m.contact_id = c.contact_id AND m.channel_id = c.channel_id
      WHERE c.workspace_id = $1 AND c.id = $2 AND m.id = $3 FOR UPDATE OF m`,
    [scope.workspaceId, conversationId, messageId],
  );
  const conversation = await lockConversation(scope, conversationId);
  if (!conversation) return 'conversation_not_found';
  const of = { id: conversationId, contactId: conversation.contact_id, channelId: conversation.channel_id };
  const [message] = rows;
  if (!message) return 'message_not_found';
  if (!states.includes(message.state)) return 'message_changed';
  return { ...message, of, kind: conversation.kind };
}

function present(row: Row): ScheduledMessage {
  return {
    ...{ id: row.id, conversationId: row.conversation_id, type: row.type, text: row.text ?? '' },
    contact: { id: row.contact_id, name: row.contact_name },
    content: row.content,
    author: { kind: row.author, id: row.author_id, name: row.author_name },
    sendAt: row.send_at.toISOString(),
  };
}
