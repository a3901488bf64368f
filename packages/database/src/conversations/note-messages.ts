import type { SqlQueries } from '../sql-queries.ts';
import { storeSlaRounds } from './store-sla-rounds.ts';
import { recountAnswers, settleSla } from './settle-sla.ts';

/** What a stored message means for its conversation. */
export type NotedMessage = {
  workspaceId: string;
  contactId: string;
  channelId: string;
  messageId: string;
  type: string;
  direction: 'in' | 'out';
  at: Date;
  /** False for a reaction, which is no message of its own. */
  isSaid: boolean;
  /** Whether a person of ours says it, here or in an app of the platform. */
  isAnswer: boolean;
  /** Whether somebody has to read it: it is marked so where it is stored. */
  isUnread: boolean;
  /** Whether it brings the conversation back to those who answer. */
  opens: boolean;
  /** Older than the connection: a conversation that begins with it is over. */
  isHistory: boolean;
  windowEndsAt: Date | null;
};

export type NotedConversation = {
  conversationId: string;
  workspaceId: string;
  contactId: string;
  channelId: string;
  /** It is new, was closed or put aside, and a message of the contact brought it back. */
  isOpened: boolean;
};

type Fold = {
  id: string;
  workspace_id: string;
  contact_id: string;
  channel_id: string;
  status: 'open' | 'resolved';
  unread: number;
  last_id: string | null;
  last_type: string | null;
  last_direction: string | null;
  last_at: Date | null;
  first_at: Date;
  inbound_at: Date | null;
  outbound_at: Date | null;
  waiting_since: Date | null;
  window_ends_at: Date | null;
  opened_at: Date | null;
  begun_at: Date | null;
  answered_at: Date | null;
};

/**
 * Keeps conversations current, in the transaction that stored the messages and after it: one statement for all of them, in the order in which
 * everybody locks conversations. Nothing goes back for a message that comes late: what is newest is decided by the times of the messages.
 */
export async function noteMessages(
  client: SqlQueries,
  messages: readonly NotedMessage[],
  { newId, now }: { newId(): string; now: Date },
): Promise<NotedConversation[]> {
  if (messages.length === 0) return [];
  const groups = Map.groupBy(messages, ({ contactId, channelId }) => `${contactId} ${channelId}`);
  const folds = [...groups.values()].map((group) => fold(group, newId(), now));
  const { rows } = await client.query<
    NotedConversation & { begun_at: Date | null; first_answered_at: Date | null; hasSla: boolean }
  >({
    name: 'conversations_note_messages',
    text: NOTE,
    values: [JSON.stringify(folds), now],
  });
  const begins = new Map(folds.map((one) => [`${one.contact_id} ${one.channel_id}`, one]));
  const isBegun = ({ contactId, channelId, begun_at: at, hasSla, isOpened }: (typeof rows)[number]) => {
    const from = begins.get(`${contactId} ${channelId}`)?.begun_at;
    // Its time alone does not say so: several messages come within one second, and one of them may come late.
    if (at === null || !from || hasSla) return false;
    return at.getTime() === from.getTime() || (isOpened && at > from);
  };
  const isAnswered = ({ contactId, channelId, first_answered_at: at }: (typeof rows)[number]) =>
    at !== null && begins.get(`${contactId} ${channelId}`)?.answered_at?.getTime() === at.getTime();
  const begun = rows.filter(isBegun).map(({ conversationId }) => conversationId);
  const opened = rows.filter(({ isOpened }) => isOpened).map(({ conversationId }) => conversationId);
  await settleSla(client, {
    conversationIds: [...new Set([...begun, ...opened])],
    begun: new Set(begun),
    now,
  });
  const answered = rows.filter((row) => isAnswered(row)).map(({ conversationId }) => conversationId);
  await storeSlaRounds(client, answered, null);
  return rows;
}

function fold(group: readonly NotedMessage[], id: string, now: Date): Fold {
  const { workspaceId, contactId, channelId } = group[0]!; // of one conversation
  const said = group.filter(({ isSaid }) => isSaid);
  const last = said.reduce<NotedMessage | undefined>(
    (newest, one) => (newest === undefined || isLater(one, newest) ? one : newest),
    undefined,
  );
  const outboundAt = latest(said.filter(({ direction }) => direction === 'out').map(({ at }) => at));
  const inbound = said.filter(({ direction }) => direction === 'in').map(({ at }) => at);
  const waiting = inbound.filter((at) => outboundAt === null || at > outboundAt);
  return {
    id,
    ...{ workspace_id: workspaceId, contact_id: contactId, channel_id: channelId },
    status: group.every(({ isHistory }) => isHistory) ? 'resolved' : 'open',
    unread: group.filter(({ isUnread }) => isUnread).length,
    ...{ last_id: last?.messageId ?? null, last_type: last?.type ?? null },
    ...{ last_direction: last?.direction ?? null, last_at: last?.at ?? null },
    first_at: earliest(group.map(({ at }) => at))!, // there is one at least
    ...{ inbound_at: latest(inbound), outbound_at: outboundAt, waiting_since: earliest(waiting) },
    window_ends_at: latest(group.flatMap(({ windowEndsAt }) => windowEndsAt ?? [])),
    opened_at: group.some(({ opens }) => opens) ? now : null,
    begun_at: earliest(group.filter(({ opens }) => opens).map(({ at }) => at)),
    answered_at: latest(said.filter(({ isAnswer }) => isAnswer).map(({ at }) => at)),
  };
}

/** Of two in one moment the one that is later by its id, as lists of messages are sorted. */
function isLater(one: NotedMessage, other: NotedMessage): boolean {
  const apart = one.at.getTime() - other.at.getTime();
  return apart === 0 ? one.messageId > other.messageId : apart > 0;
}

function latest(times: readonly Date[]): Date | null {
  return times.length === 0 ? null : new Date(Math.max(...times.map((time) => time.getTime())));
}

function earliest(times: readonly Date[]): Date | null {
  return times.length === 0 ? null : new Date(Math.min(...times.map((time) => time.getTime())));
}

/** Of a row as it is written: it has no clock that began earlier where all of it is empty, or where it was not there. */
const HAS_SLA = `(c.xmax <> 0 AND (c.first_answered_at IS NOT NULL OR c.first_answer_due_at IS NOT NULL
    OR c.resolution_due_at IS NOT NULL OR c.resolved_at IS NOT NULL))`;

/** Who waits since when is read from the messages only where something arrived between others. */
const NOTE = `INSERT INTO conversations AS c (id, workspace_id, contact_id, channel_id, status, unread, last_message_id, last_message_type,
    last_message_direction, last_message_at, last_activity_at, last_inbound_at, last_outbound_at, waiting_since, window_ends_at, opened_at,
    begun_at, first_answered_at)
  SELECT n.id, n.workspace_id, n.contact_id, n.channel_id, n.status, n.unread, n.last_id, n.last_type, n.last_direction, n.last_at,
         coalesce(n.last_at, n.first_at), n.inbound_at, n.outbound_at, n.waiting_since, n.window_ends_at, n.opened_at, n.begun_at, n.answered_at
    FROM jsonb_to_recordset($1::jsonb) AS n (id uuid, workspace_id uuid, contact_id uuid, channel_id uuid, status text, unread integer,
      last_id uuid, last_type text, last_direction text, last_at timestamptz, first_at timestamptz, inbound_at timestamptz,
      outbound_at timestamptz, waiting_since timestamptz, window_ends_at timestamptz, opened_at timestamptz, begun_at timestamptz,
      answered_at timestamptz)
   ORDER BY n.contact_id, n.channel_id
  ON CONFLICT (contact_id, channel_id) DO UPDATE SET
    unread = c.unread + excluded.unread,
    last_message_id = CASE WHEN ${isNewer()} THEN excluded.last_message_id ELSE c.last_message_id END,
    last_message_type = CASE WHEN ${isNewer()} THEN excluded.last_message_type ELSE c.last_message_type END,
    last_message_direction = CASE WHEN ${isNewer()} THEN excluded.last_message_direction ELSE c.last_message_direction END,
    last_message_at = greatest(c.last_message_at, excluded.last_message_at),
    last_activity_at = coalesce(greatest(c.last_message_at, excluded.last_message_at), c.last_activity_at),
    last_inbound_at = greatest(c.last_inbound_at, excluded.last_inbound_at),
    last_outbound_at = greatest(c.last_outbound_at, excluded.last_outbound_at),
    waiting_since = CASE
      WHEN (c.waiting_since IS NULL OR excluded.last_outbound_at IS NULL OR c.waiting_since > excluded.last_outbound_at)
       AND (excluded.waiting_since IS NULL OR c.last_outbound_at IS NULL OR excluded.waiting_since > c.last_outbound_at)
      THEN least(c.waiting_since, excluded.waiting_since)
      ELSE (SELECT min(m.occurred_at) FROM messages m WHERE m.contact_id = c.contact_id AND m.channel_id = c.channel_id
              AND m.direction = 'in' AND is_said(m) AND m.occurred_at > greatest(c.last_outbound_at, excluded.last_outbound_at)) END,
    window_ends_at = greatest(c.window_ends_at, excluded.window_ends_at),
    opened_at = CASE WHEN ${isOpening()} THEN excluded.opened_at ELSE c.opened_at END,
    version = c.version + CASE WHEN ${isOpening()} THEN 1 ELSE 0 END,
    status = CASE WHEN ${isOpening()} THEN 'open' ELSE c.status END,
    snoozed_until = CASE WHEN ${isOpening()} THEN NULL ELSE c.snoozed_until END,
    is_archived = c.is_archived AND NOT ${isOpening()},
    begun_at = CASE WHEN NOT ${isBeginning()} THEN c.begun_at
      WHEN excluded.begun_at <= c.begun_at THEN greatest(excluded.begun_at, c.resolved_at) ELSE excluded.begun_at END,
    ${[
      ...['first_answer_due_at', 'first_answer_soon_at', 'resolution_due_at', 'resolution_soon_at'],
      ...['resolution_minutes', 'resolution_left_ms', 'resolved_at', 'next_news_at'],
    ]
      .map((column) => `${column} = CASE WHEN ${isBeginning()} THEN NULL ELSE c.${column} END`)
      .join(', ')},
    first_answered_at = CASE WHEN ${isBeginning()} THEN NULL
      WHEN excluded.first_answered_at >= c.begun_at THEN least(c.first_answered_at, excluded.first_answered_at)
      ELSE c.first_answered_at END,
    next_due_at = CASE WHEN ${isBeginning()} THEN NULL
      WHEN c.next_due_at IS NOT NULL AND c.first_answered_at IS NULL AND excluded.first_answered_at >= c.begun_at
      THEN CASE WHEN c.resolution_left_ms IS NULL THEN c.resolution_due_at END
      ELSE c.next_due_at END
  RETURNING c.id AS "conversationId", c.workspace_id AS "workspaceId", c.contact_id AS "contactId", c.channel_id AS "channelId",
    coalesce(c.opened_at = $2, false) AS "isOpened", c.begun_at, c.first_answered_at, ${HAS_SLA} AS "hasSla"`;

function isNewer(): string {
  return `coalesce((excluded.last_message_at, excluded.last_message_id) > (c.last_message_at, c.last_message_id),
      excluded.last_message_id IS NOT NULL)`;
}

function isOpening(): string {
  return `(excluded.opened_at IS NOT NULL AND (c.status <> 'open' OR c.is_archived OR c.opened_at IS NULL))`;
}

/**
 * What was resolved begins anew, and so does what we began. A message that comes late may be as old as the round that is over: then the next one
 * begins with the end of that, which is kept by the time of its beginning.
 */
function isBeginning(): string {
  return `(excluded.begun_at IS NOT NULL AND (c.begun_at IS NULL OR c.status = 'resolved'))`;
}

/**
 * Works conversations out anew from their messages, where these moved between contacts or turned out not to have left, and makes those that
 * are missing. After the messages are written and their contacts locked, or a row of each conversation.
 */
export async function recountConversations(
  client: SqlQueries,
  workspaceId: string,
  contactIds: readonly string[],
): Promise<void> {
  if (contactIds.length === 0) return;
  await client.query('SELECT recount_conversations($1, $2::uuid[])', [workspaceId, contactIds]);
  await recountAnswers(client, workspaceId, contactIds);
}
