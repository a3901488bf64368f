import { readBudget } from '@app/delivery/pace/budget';
import { wakeForMessages } from '@app/delivery/engine/engine-wake';
import { enqueueMessage } from '@app/delivery/messages/enqueue-message';
import { standingOf } from '@app/delivery/messages/message-eligibility';
import { attachFile, copyFile } from '@app/database/message-files/sent-files';
import { newId } from '@app/database/new-id';
import { actorOf } from '@app/domain/auth/caller';
import { quietUntil, type QuietHours } from '@app/domain/campaigns/quiet-hours';
import type { ChannelKinds } from '@app/domain/channels/channel-kind';
import {
  guardMessage,
  type MessagePurpose,
  type MessageError,
} from '@app/domain/conversations/guard-message';
import {
  defaultPriority,
  waitsInQuietHours,
  type MessagePriority,
} from '@app/domain/conversations/message-priority';
import type { MessageContent } from '@app/domain/messaging/message-content';
import type { Database } from '@app/database/database';
import type { ReadScope, WorkspaceScope } from '../../platform/workspace-scope.ts';
import { beginConversation, type Recipient } from './find-recipient.ts';

export type SendParts = {
  channelKinds: ChannelKinds;
  db: Pick<Database, 'systemPool'>;
  /** Counted links begin with it; without it there are none, for what sends no templates. */
  publicUrl?: string;
};

/** One message as the channel is to say it. */
export type SentContent = {
  content: MessageContent;
  /** One line for lists; that of a text is the text itself. */
  text: string;
  isMarketing: boolean;
  /** The upload that goes with it; `copyOf` is the file of which it becomes a copy. */
  file?: { id: string; voice: boolean; copyOf?: string };
  /** Counted links in it. */
  linkIds?: readonly string[];
};

export type SendOptions = {
  purpose: Exclude<MessagePurpose, 'test'>;
  /** Who goes first where several wait; by the purpose and the caller where none is named. */
  priority?: MessagePriority | undefined;
  /** The same key sends once, for as long as the message is stored. */
  key?: string | undefined;
  /** What the message belongs to, as a path such as `flow/<flow id>/<run id>`, for `countOpenMessages` and `withdrawMessages`. */
  source?: string | undefined;
  /** Not sent any more afterwards. */
  giveUpAt?: Date | undefined;
  /** When it is to leave: until then it waits, and it is guarded again at that moment. */
  sendAt?: Date | undefined;
  /** The campaign that it belongs to: its links are counted for that. */
  campaign?: { id: string; countsLinks: boolean } | undefined;
  /** Of no campaign, and its links are counted all the same, where the workspace counts any. */
  countsLinks?: boolean | undefined;
  /** A template is refused where one of its placeholders has no value: nobody looks at the message before it leaves. */
  needsValues?: boolean | undefined;
  /** Of a workflow: ids of the messages that it answers. To a contact who opted out free text leaves only as an answer to a message since then. */
  answers?: readonly string[] | undefined;
};

export type Unsendable = MessageError | 'daily_limit_reached' | 'budget_reached';
export type Enqueued = { conversationId: string; messageIds: string[]; sendAt: Date | null };

/**
 * Guards contents for a recipient who is locked, and enqueues all of them or none: the intent commits with the caller's transaction, and an engine
 * sends it then, at most once, after another look at the guards.
 */
export async function enqueueContents(
  scope: WorkspaceScope,
  { channelKinds, db }: SendParts,
  { to, contents }: { to: Recipient; contents: readonly SentContent[] },
  options: SendOptions,
): Promise<Enqueued | Unsendable> {
  const { freeTextHours, userIds: takesUserIds } = channelKinds.of(to).capabilities;
  const { purpose, key, source } = options;
  const now = scope.clock();
  const priority = options.priority ?? defaultPriority(purpose, scope.caller.kind === 'person');
  const isMarketing = contents.some((content) => content.isMarketing);
  const sendAt = await findSendTime(scope, { ...options, priority, isMarketing }, now);
  const standing = standingOf(to, { hasWindow: freeTextHours !== null, takesUserIds });
  const isUnasked = await isUnaskedFor(scope, to, options.answers);
  for (const { content, isMarketing: isAdvertising } of contents) {
    const isTemplate = content.type === 'template';
    const refusal = guardMessage(
      { purpose, isTemplate, isMarketing: isAdvertising, isUnasked, ...standing },
      now.getTime(),
    );
    if (refusal && !(sendAt && mayPass.has(refusal))) return refusal;
  }
  if (!sendAt && (await isDayFull(scope, to.kind, now))) return 'daily_limit_reached';
  if (!sendAt && isMarketing && (await isBudgetUsed(scope, now))) return 'budget_reached';
  const conversationId = await beginConversation(scope, to);
  const of = { workspaceId: scope.workspaceId, channelId: to.channel_id, contactId: to.contact_id };
  const messageIds: string[] = [];
  for (const [place, { content, text, isMarketing: isAdvertising, file }] of contents.entries()) {
    const needsWindow = content.type !== 'template' && freeTextHours !== null;
    const { id, isNew } = await enqueueMessage(scope, {
      ...{ ...of, id: newId(), address: null, content, text, purpose, priority, needsWindow },
      ...{ isMarketing: isAdvertising, author: actorOf(scope.caller), source: source ?? null },
      cause: scope.cause,
      key: key === undefined ? null : keyAt(key, place),
      ...{ at: now, giveUpAt: options.giveUpAt ?? null, sendAt },
    });
    messageIds.push(id);
    if (!isNew) continue;
    if (file?.copyOf !== undefined)
      await copyFile(scope, { ...of, messageId: id }, { id: file.copyOf, newId: file.id });
    if (file) await attachFile(scope, { ...of, messageId: id }, file);
    const values = { conversationId, contactIds: [to.contact_id] };
    await scope.emit(
      sendAt
        ? { type: 'message.scheduled', subject: id, values: { ...values, sendAt: sendAt.toISOString() } }
        : { type: 'message.queued', subject: id, values },
    );
  }
  if (!sendAt) scope.afterCommit(() => wakeForMessages(db.systemPool, priority), `messages of ${priority}`);
  return { conversationId, messageIds, sendAt };
}

async function isUnaskedFor(
  scope: ReadScope,
  { contact_id: contactId, opted_out_at: optedOutAt }: Recipient,
  answers: readonly string[] | undefined,
): Promise<boolean> {
  if (answers === undefined || optedOutAt === null) return false;
  const { rowCount } = await scope.query(
    `SELECT FROM messages WHERE workspace_id = $1 AND contact_id = $2 AND id = ANY ($3::uuid[]) AND direction = 'in' AND occurred_at > $4 LIMIT 1`,
    [scope.workspaceId, contactId, answers, optedOutAt],
  );
  return rowCount === 0;
}

/** Of several messages of one request each has a key of its own. */
function keyAt(key: string, place: number): string {
  return place === 0 ? key : `${key}:${place}`;
}

const MOST_OF_A_REQUEST = 10;

/** The messages that were enqueued under a key before, in their order. */
export async function findEnqueued(
  scope: ReadScope,
  key: string,
): Promise<{ id: string; sendAt: Date | null }[]> {
  const { rows } = await scope.query<{ id: string; sendAt: Date | null }>(
    `SELECT id, CASE WHEN state = 'scheduled' THEN send_at END AS "sendAt" FROM messages
      WHERE workspace_id = $1 AND send_key = ANY ($2) ORDER BY length(send_key), send_key`,
    [scope.workspaceId, Array.from({ length: MOST_OF_A_REQUEST }, (_, place) => keyAt(key, place))],
  );
  return rows;
}

/** What may be otherwise by the time of a message that waits. */
const mayPass: ReadonlySet<MessageError> = new Set([
  'window_closed',
  'channel_stopped',
  'channel_not_connected',
  'contact_held',
]);

/** Until when it waits, for its own time or the end of the quiet hours; null where it leaves at once. */
async function findSendTime(
  scope: ReadScope,
  {
    sendAt,
    priority,
    isMarketing,
  }: Pick<SendOptions, 'sendAt'> & { priority: MessagePriority; isMarketing: boolean },
  now: Date,
): Promise<Date | null> {
  const wanted = sendAt !== undefined && sendAt > now ? sendAt : null;
  if (!waitsInQuietHours({ priority, isMarketing })) return wanted;
  const { rows } = await scope.query<{ quiet: QuietHours | null }>(
    `SELECT settings->'quietHours' AS quiet FROM workspaces WHERE id = $1`,
    [scope.workspaceId],
  );
  const quiet = rows[0]?.quiet;
  return (quiet && quietUntil(quiet, wanted ?? now)) ?? wanted;
}

/** As far as can be told without a price: the sender counts to the millionth. */
async function isBudgetUsed(scope: ReadScope, now: Date): Promise<boolean> {
  const found = await readBudget(scope, scope.workspaceId, now.getTime());
  return found !== null && found.left <= 0;
}

/** As far as can be told without holding up others; the sender counts to the message. */
async function isDayFull(scope: ReadScope, kind: string, now: Date): Promise<boolean> {
  const limit = (place: string) =>
    `CASE WHEN (${place}->>'isEnabled')::boolean THEN (${place}->>'perDay')::integer END`;
  const { rows } = await scope.query<{ is_full: boolean }>(
    `SELECT coalesce(u.used >= ${limit(`w.settings->'messageLimits'`)}, false)
         OR coalesce((u.kinds #>> ARRAY[$3, 'used'])::integer >= ${limit(`(w.settings #> ARRAY['kindLimits', $3])`)}, false) AS is_full
       FROM workspaces w JOIN delivery_usage u ON u.workspace_id = w.id AND u.day = $2 WHERE w.id = $1`,
    [scope.workspaceId, now.toISOString().slice(0, 10), kind],
  );
  return rows[0]?.is_full === true;
}
