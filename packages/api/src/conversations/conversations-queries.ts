import type { conversation } from '@app/contracts/conversations/conversation-values';
import { bindTo } from '@app/database/bind-value';
import { CLOCK_COLUMNS, readClock, type ClockRow } from '@app/database/conversations/settle-clocks';
import { personOf } from '@app/domain/auth/caller';
import { openDues } from '@app/domain/conversations/conversation-clock';
import type { ConversationStatus } from '@app/domain/conversations/conversation-status';
import { shownState, type MessageState } from '@app/domain/conversations/message-state';
import type { z } from 'zod';
import { cutPage, readTimeCursor } from '../platform/keyset.ts';
import type { ReadScope } from '../platform/workspace-scope.ts';

export type Conversation = z.infer<typeof conversation>;

export type ConversationFilter = {
  status?: ConversationStatus | undefined;
  assignee?: string | undefined;
  unread?: 'yes' | undefined;
  archived: 'yes' | 'no';
  pinned?: 'yes' | 'no' | undefined;
  label?: string | undefined;
  channelId?: string | undefined;
};

type Row = ClockRow & {
  id: string;
  contact_id: string;
  contact_name: string;
  contact_phone: string | null;
  contact_status: string;
  channel_id: string;
  status: ConversationStatus;
  snoozed_until: Date | null;
  is_archived: boolean;
  assignee_id: string | null;
  assignee_name: string | null;
  assignee_image: string | null;
  team_id: string | null;
  team_name: string | null;
  labels: string[];
  unread: number;
  pinned_at: Date | null;
  muted_at: Date | null;
  last_message_id: string | null;
  last_message_type: string | null;
  last_message_direction: 'in' | 'out' | null;
  last_message_at: Date | null;
  last_text: string | null;
  last_revoked_at: Date | null;
  last_activity_at: Date;
  last_inbound_at: Date | null;
  waiting_since: Date | null;
  window_ends_at: Date | null;
  version: number;
  place: string;
  state: MessageState | null;
  sent_at: Date | null;
  delivered_at: Date | null;
  read_at: Date | null;
  failed_at: Date | null;
};

/** A page of the list: one reading of an index, and the rows beside it by their keys. */
export async function listConversations(
  scope: ReadScope,
  { limit, cursor, ...filter }: ConversationFilter & { limit: number; cursor: string | undefined },
) {
  const { text, values } = listStatement(scope, { limit, cursor, ...filter });
  const { rows } = await scope.query<Row>(text, values);
  const { items, nextCursor } = cutPage(rows, limit, ({ place, id }) => ({ key: place, id }));
  return { items: items.map(presentConversation), nextCursor };
}

export async function findConversation(
  scope: ReadScope,
  conversationId: string,
): Promise<Conversation | null> {
  const { rows } = await scope.query<Row>(
    `SELECT ${COLUMNS} FROM conversations c ${JOINS} WHERE c.workspace_id = $2 AND c.id = $3`,
    [personOf(scope.caller), scope.workspaceId, conversationId],
  );
  return rows[0] ? presentConversation(rows[0]) : null;
}

/** The statement of the list, which a test asks how it is planned. */
export function listStatement(
  scope: Pick<ReadScope, 'workspaceId' | 'caller'>,
  { limit, cursor, ...filter }: ConversationFilter & { limit: number; cursor: string | undefined },
): { text: string; values: unknown[] } {
  const values: unknown[] = [personOf(scope.caller)];
  const bind = bindTo(values);
  const conditions = [`c.workspace_id = ${bind(scope.workspaceId, 'uuid')}`];
  // Written out, because indexes know them so.
  conditions.push(filter.archived === 'yes' ? 'c.is_archived' : 'NOT c.is_archived');
  if (filter.status) conditions.push(`c.status = ${bind(filter.status, 'text')}`);
  if (filter.unread) conditions.push('c.unread > 0');
  if (filter.assignee === 'nobody') conditions.push('c.assignee_id IS NULL');
  else if (filter.assignee === 'me') conditions.push('c.assignee_id = $1::uuid');
  else if (filter.assignee) conditions.push(`c.assignee_id = ${bind(filter.assignee, 'uuid')}`);
  if (filter.pinned) conditions.push(`${filter.pinned === 'yes' ? '' : 'NOT '}${PINNED}`);
  if (filter.label !== undefined) conditions.push(`${bind(filter.label, 'text')} = ANY (c.labels)`);
  if (filter.channelId) conditions.push(`c.channel_id = ${bind(filter.channelId, 'uuid')}`);
  const after = readTimeCursor(cursor);
  if (after)
    conditions.push(
      `(c.last_activity_at, c.id) < (${bind(after.key, 'timestamptz')}, ${bind(after.id, 'uuid')})`,
    );
  return {
    text: `SELECT ${COLUMNS} FROM conversations c ${JOINS} WHERE ${conditions.join(' AND ')}
      ORDER BY c.last_activity_at DESC, c.id DESC LIMIT ${bind(limit + 1, 'integer')}`,
    values,
  };
}

/** `$1` is the person who asks. */
const PINNED = `EXISTS (SELECT FROM conversation_marks p WHERE p.user_id = $1::uuid AND p.conversation_id = c.id AND p.pinned_at IS NOT NULL)`;

const COLUMNS = `c.id, c.contact_id, k.name AS contact_name, k.phone AS contact_phone, k.status AS contact_status, c.channel_id, c.status,
  c.snoozed_until, c.is_archived, c.assignee_id, u.name AS assignee_name, u.image AS assignee_image,
  c.team_id, t.name AS team_name, c.labels, c.unread, a.pinned_at, a.muted_at,
  c.last_message_id, c.last_message_type, c.last_message_direction, c.last_message_at, m.text AS last_text, m.revoked_at AS last_revoked_at,
  c.last_activity_at, c.last_inbound_at, c.waiting_since, c.window_ends_at, c.version, c.last_activity_at::text AS place,
  m.state, m.sent_at, m.delivered_at, m.read_at, m.failed_at, ${CLOCK_COLUMNS}`;

const JOINS = `JOIN contacts k ON k.id = c.contact_id
  LEFT JOIN messages m ON m.id = c.last_message_id
  LEFT JOIN users u ON u.id = c.assignee_id
  LEFT JOIN teams t ON t.id = c.team_id
  LEFT JOIN conversation_marks a ON a.user_id = $1::uuid AND a.conversation_id = c.id`;

function presentConversation(row: Row): Conversation {
  return {
    id: row.id,
    contact: {
      id: row.contact_id,
      name: row.contact_name,
      phone: row.contact_phone,
      isBlocked: row.contact_status === 'blocked',
    },
    channelId: row.channel_id,
    status: row.status,
    snoozedUntil: row.snoozed_until?.toISOString() ?? null,
    isArchived: row.is_archived,
    assignee:
      row.assignee_id === null
        ? null
        : { id: row.assignee_id, name: row.assignee_name ?? '', avatar: row.assignee_image },
    team: row.team_id === null ? null : { id: row.team_id, name: row.team_name ?? '' },
    labels: row.labels,
    unread: row.unread,
    isPinned: row.pinned_at !== null,
    isMuted: row.muted_at !== null,
    lastMessage: presentLast(row),
    lastActivityAt: row.last_activity_at.toISOString(),
    waitingSince: row.waiting_since?.toISOString() ?? null,
    lastInboundAt: row.last_inbound_at?.toISOString() ?? null,
    windowEndsAt: row.window_ends_at?.toISOString() ?? null,
    due: presentDue(row),
    version: row.version,
  };
}

function presentDue(row: Row): Conversation['due'] {
  const [first] = openDues(readClock(row));
  return first
    ? { kind: first.kind, at: new Date(first.at).toISOString(), soonAt: new Date(first.soonAt).toISOString() }
    : null;
}

function presentLast(row: Row): Conversation['lastMessage'] {
  const { last_message_id: id, last_message_type: type, last_message_direction: direction } = row;
  if (id === null || type === null || direction === null || row.last_message_at === null) return null;
  const text = row.last_revoked_at === null ? (row.last_text ?? `[${type}]`) : '[deleted]';
  const state = direction === 'in' ? null : shownState(row.state, timesOf(row));
  return { id, type, direction, text, at: row.last_message_at.toISOString(), state };
}

type Times = Pick<Row, 'sent_at' | 'delivered_at' | 'read_at' | 'failed_at'>;

/** The times of reports, as the rules of the domain take them. */
export function timesOf({ sent_at: sent, delivered_at: delivered, read_at: read, failed_at: failed }: Times) {
  return {
    ...(sent && { sent: sent.getTime() }),
    ...(delivered && { delivered: delivered.getTime() }),
    ...(read && { read: read.getTime() }),
    ...(failed && { failed: failed.getTime() }),
  };
}
