import { readBudget } from '@app/delivery/pace/budget';
import { wakeForMessages } from '@app/delivery/engine/engine-wake';
import { leaveMessage } from '@app/delivery/messages/leave-message';
import { standingOf, type StandingRow } from '@app/delivery/messages/message-standing';
import { newId } from '@app/database/new-id';
import { actorOf } from '@app/domain/auth/caller';
import type { ChannelCapabilities } from '@app/domain/channels/channel-capabilities';
import type { ChannelKinds } from '@app/domain/channels/channel-kind';
import {
  guardMessage,
  type MessagePurpose,
  type MessageRefusal,
} from '@app/domain/conversations/guard-message';
import type { MessageContent } from '@app/domain/messaging/message-content';
import type { Database } from '@app/database/database';
import type { ReadScope, WorkspaceScope } from '../platform/workspace-scope.ts';

export type SendParts = { channelKinds: ChannelKinds; db: Pick<Database, 'systemPool'> };

/** What it takes of the kind of a channel: how long free text may be written, and to whom. */
export type SingleParts = Pick<SendParts, 'db'> & {
  channelKinds: {
    of(channel: { kind: string }): { capabilities: Pick<ChannelCapabilities, 'freeTextHours' | 'userIds'> };
  };
};

export type SentContent = {
  content: MessageContent;
  /** One line for lists; that of a text is the text itself. */
  text: string;
  isMarketing: boolean;
};

export type SendOptions = {
  purpose: Exclude<MessagePurpose, 'test'>;
  /** Of an act that may come again, such as the step of a flow: the same key sends once. */
  key?: string;
  /** Not sent any more afterwards. */
  giveUpAt?: Date;
  /** When it is to leave: until then it waits, and it is guarded again at that moment. */
  sendAt?: Date;
};

/**
 * The one way to send a single message. Its intent commits with the caller's transaction; an engine sends it then, at most once, in the order of its
 * conversation, ahead of campaigns, and looks again whether it may. Refused at once is what could not leave now. Answers with the message's id.
 */
export async function sendMessage(
  scope: WorkspaceScope,
  { channelKinds, db }: SingleParts,
  conversationId: string,
  { content, text, isMarketing }: SentContent,
  { purpose, key, giveUpAt, sendAt }: SendOptions,
): Promise<
  { id: string } | MessageRefusal | 'conversation_not_found' | 'daily_limit_reached' | 'budget_reached'
> {
  const { workspaceId } = scope;
  const found = await lockConversation(scope, conversationId);
  if (!found) return 'conversation_not_found';
  if (key !== undefined) {
    const earlier = await findEarlier(scope, key);
    if (earlier) return earlier;
  }
  const { freeTextHours, userIds: takesUserIds } = channelKinds.of({ kind: found.kind }).capabilities;
  const isTemplate = content.type === 'template';
  const now = scope.clock();
  const standing = standingOf(found, { hasWindow: freeTextHours !== null, takesUserIds });
  const refusal = guardMessage({ purpose, isTemplate, isMarketing, ...standing }, now.getTime());
  const waits = sendAt !== undefined && sendAt > now;
  if (refusal && !(waits && mayPass.has(refusal))) return refusal;
  if (!waits && (await isDayFull(scope, now))) return 'daily_limit_reached';
  if (!waits && isMarketing && (await isBudgetUsed(scope, now))) return 'budget_reached';
  const { id, isNew } = await leaveMessage(scope, {
    ...{ id: newId(), workspaceId, channelId: found.channel_id, contactId: found.contact_id, address: null },
    ...{ content, text, purpose, isMarketing, needsWindow: !isTemplate && freeTextHours !== null },
    ...{ author: actorOf(scope.caller), key: key ?? null, at: now, giveUpAt: giveUpAt ?? null },
    sendAt: waits ? sendAt : null,
  });
  if (!isNew) return { id };
  const values = { conversationId, contactIds: [found.contact_id] };
  if (waits) {
    await scope.tell({
      type: 'message.scheduled',
      subject: id,
      values: { ...values, sendAt: sendAt.toISOString() },
    });
    return { id };
  }
  await scope.tell({ type: 'message.queued', subject: id, values });
  scope.afterCommit(() => wakeForMessages(db.systemPool));
  return { id };
}

/** What may be otherwise by the time of a message that waits. */
const mayPass: ReadonlySet<MessageRefusal> = new Set([
  'window_closed',
  'channel_stopped',
  'channel_not_connected',
  'contact_held',
]);

export type FoundConversation = StandingRow & { contact_id: string; channel_id: string; kind: string };

/** With its contact, which is locked first, as everybody does. A merge that was quicker leads to the conversation as it is by now. */
export async function lockConversation(
  scope: WorkspaceScope,
  conversationId: string,
): Promise<FoundConversation | undefined> {
  const of = [scope.workspaceId, conversationId];
  await lockContactOf(scope, conversationId);
  const { rows } = await scope.query<FoundConversation>(
    `SELECT c.contact_id, c.channel_id, ch.kind, k.status AS contact_status, k.phone, k.platform_user_id, k.opted_out_at, h.until AS held_until, c.window_ends_at,
            ch.is_connected, ch.stopped_for
       FROM conversations c JOIN contacts k ON k.id = c.contact_id JOIN channels ch ON ch.id = c.channel_id
       LEFT JOIN marketing_holds h ON h.contact_id = c.contact_id
      WHERE c.workspace_id = $1 AND c.id = $2 FOR NO KEY UPDATE OF c`,
    of,
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

async function findEarlier(scope: ReadScope, key: string): Promise<{ id: string } | undefined> {
  const { rows } = await scope.query<{ id: string }>(
    'SELECT id FROM messages WHERE workspace_id = $1 AND send_key = $2',
    [scope.workspaceId, key],
  );
  return rows[0];
}

/** As far as can be told without a price: the sender counts to the millionth. */
async function isBudgetUsed(scope: ReadScope, now: Date): Promise<boolean> {
  const found = await readBudget(scope, scope.workspaceId, now.getTime());
  return found !== null && found.left <= 0;
}

/** As far as can be told without holding up others; the sender counts to the message. */
async function isDayFull(scope: ReadScope, now: Date): Promise<boolean> {
  const { rows } = await scope.query<{ is_full: boolean }>(
    `SELECT u.used >= (w.settings->'messageLimits'->>'perDay')::integer AS is_full FROM workspaces w
       JOIN delivery_usage u ON u.workspace_id = w.id AND u.day = $2
      WHERE w.id = $1 AND (w.settings->'messageLimits'->>'isEnabled')::boolean`,
    [scope.workspaceId, now.toISOString().slice(0, 10)],
  );
  return rows[0]?.is_full === true;
}
