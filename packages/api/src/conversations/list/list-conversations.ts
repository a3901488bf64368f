import { createHash } from 'node:crypto';
import { bindTo, type BindValue } from '@app/database/bind-value';
import { contactFilterSql } from '@app/database/contacts/contact-filter';
import type { Statement } from '@app/database/sql-queries';
import { personOf } from '@app/domain/auth/caller';
import type { ConversationOrder } from '@app/domain/conversations/list/conversation-filter';
import type { ConversationPriority, ConversationStatus } from '@app/domain/conversations/conversation-status';
import { cutPage, readCursor, readTimeCursor, writeCursor } from '../../platform/keyset.ts';
import type { ReadScope } from '../../platform/workspace-scope.ts';
import { COLUMNS, JOINS, presentConversation, type ConversationRow } from '../conversations-queries.ts';

export type ConversationFilter = {
  status?: ConversationStatus | undefined;
  priority?: ConversationPriority | undefined;
  assignee?: string | undefined;
  unread?: 'yes' | undefined;
  archived: 'yes' | 'no';
  pinned?: 'yes' | 'no' | undefined;
  label?: string | undefined;
  teamId?: string | undefined;
  channelId?: string | undefined;
  /** A part of the name or number of the contact. */
  search?: string | undefined;
};
type Asked = ConversationFilter & {
  limit: number;
  cursor: string | undefined;
  order?: ConversationOrder | undefined;
};

/** A page of the list: one reading of an index, and the rows beside it by their keys. */
export async function listConversations(scope: ReadScope, asked: Asked) {
  const { rows } = await scope.query<ConversationRow>(nameOrdinary(listStatement(scope, asked), asked));
  const pinsFirst = asked.order === 'pinned';
  const { items, nextCursor } = cutPage(
    rows,
    asked.limit,
    ({ place, due_place: due, id, pinned_at: pinnedAt }) => ({
      key: asked.order === 'due' ? (due ?? place) : pinsFirst && pinnedAt !== null ? place + PINNED : place,
      id,
    }),
  );
  return { items: items.map(presentConversation), nextCursor };
}

/**
 * The first page of the lists that stand open all day is planned once per connection: each message that arrives reads it again, and planning takes longer
 * than reading. How long it is stands in the text, because a plan that does not know it would sort the whole list. Rarer filters are planned each time.
 */
function nameOrdinary({ text, values }: { text: string; values: unknown[] }, asked: Asked): Statement {
  const { status, priority, assignee, label, teamId, channelId, search, cursor } = asked;
  const isRare = [status, priority, assignee, label, teamId, channelId, search, cursor].some(
    (one) => one !== undefined,
  );
  if (isRare) return { text, values };
  return {
    name: `conversations_list_${createHash('sha256').update(text).digest('hex').slice(0, 16)}`,
    text,
    values,
  };
}

/** Ends the key of a cursor among those that are pinned. */
const PINNED = ' pinned';

/** The statement of the list, which a test asks how it is planned. */
export function listStatement(
  scope: Pick<ReadScope, 'workspaceId' | 'caller'>,
  { limit, cursor, order = 'newest', ...filter }: Asked,
): { text: string; values: unknown[] } {
  const values: unknown[] = [personOf(scope.caller)];
  const bind = bindTo(values);
  const conditions = conditionsOf(scope.workspaceId, filter, bind);
  const most = String(limit + 1); // a whole number by the contract
  const after = readPlace(cursor);
  if (order === 'due') return { text: dueNext(conditions, after, bind, most), values };
  const beyond =
    after && `(c.last_activity_at, c.id) < (${bind(after.key, 'timestamptz')}, ${bind(after.id, 'uuid')})`;
  const part = (...more: (string | null)[]) =>
    `SELECT c.id FROM conversations c
      WHERE ${[...conditions, ...more].filter((condition) => condition !== null).join(' AND ')}
      ORDER BY c.last_activity_at DESC, c.id DESC LIMIT ${most}`;
  if (order === 'newest') return { text: wholeRows(part(beyond), most, NEWEST_FIRST), values };
  const others = part(NOT_PINNED, after?.isPinned ? null : beyond);
  if (after && !after.isPinned) return { text: wholeRows(others, most, NEWEST_FIRST), values };
  // One's pins are few: they are read by themselves and stand before the others, with one cursor through both.
  const both = `(${part(PINNED_BY_ONE, beyond)}) UNION ALL (${others})`;
  return { text: wholeRows(both, most, `a.pinned_at IS NULL, ${NEWEST_FIRST}`), values };
}

const NEWEST_FIRST = 'c.last_activity_at DESC, c.id DESC';
/**
 * Asked as a row of their own list and not as a column beside it: how many conversations have no mark PostgreSQL would guess wrong by
 * far, and then sort all that fit the filter.
 */
const PINS = `SELECT p.conversation_id FROM conversation_marks p WHERE p.user_id = $1::uuid AND p.pinned_at IS NOT NULL`;
const PINNED_BY_ONE = `c.id IN (${PINS})`;
const NOT_PINNED = `c.id <> ALL (ARRAY(${PINS}))`;

/** What stands beside conversations is read of those of the page alone, once they are found by their index. */
function wholeRows(found: string, most: string, order: string): string {
  return `WITH found AS MATERIALIZED (${found})
    SELECT ${COLUMNS} FROM found JOIN conversations c ON c.id = found.id ${JOINS} ORDER BY ${order} LIMIT ${most}`;
}

/** What has to be answered or resolved by a time, the next first: missed ones before all others. */
function dueNext(
  conditions: readonly string[],
  after: { key: string; id: string } | null,
  bind: BindValue,
  most: string,
): string {
  const beyond = after
    ? `(c.next_due_at, c.id) > (${bind(after.key, 'timestamptz')}, ${bind(after.id, 'uuid')})`
    : 'c.next_due_at IS NOT NULL';
  return `SELECT ${COLUMNS} FROM conversations c ${JOINS} WHERE ${[...conditions, 'c.next_due_at IS NOT NULL', `k.status <> 'blocked'`, beyond].join(' AND ')}
    ORDER BY c.next_due_at, c.id LIMIT ${most}`;
}

/** What a filter asks of a conversation `c`, of whose marks the person is `$1`; indexes know it as it is written here. */
function conditionsOf(workspaceId: string, filter: ConversationFilter, bind: BindValue): string[] {
  const conditions = [`c.workspace_id = ${bind(workspaceId, 'uuid')}`];
  conditions.push(filter.archived === 'yes' ? 'c.is_archived' : 'NOT c.is_archived');
  if (filter.status) conditions.push(`c.status = ${bind(filter.status, 'text')}`);
  // The most ordinary one has no index, because the list of all is nearly the same.
  if (filter.priority)
    conditions.push(
      `c.priority = ${bind(filter.priority, 'text')}${filter.priority === 'normal' ? '' : ` AND c.priority <> 'normal'`}`,
    );
  if (filter.unread) conditions.push('c.unread > 0');
  if (filter.assignee === 'nobody') conditions.push('c.assignee_id IS NULL');
  else if (filter.assignee === 'me') conditions.push('c.assignee_id = $1::uuid');
  else if (filter.assignee) conditions.push(`c.assignee_id = ${bind(filter.assignee, 'uuid')}`);
  if (filter.pinned) conditions.push(filter.pinned === 'yes' ? PINNED_BY_ONE : NOT_PINNED);
  if (filter.label !== undefined)
    conditions.push(`c.labels <> '{}' AND c.labels @> ARRAY[${bind(filter.label, 'text')}]`);
  if (filter.teamId) conditions.push(`c.team_id = ${bind(filter.teamId, 'uuid')}`);
  if (filter.channelId) conditions.push(`c.channel_id = ${bind(filter.channelId, 'uuid')}`);
  if (filter.search?.trim()) {
    const fits = contactFilterSql({ search: filter.search }, bind, { workspaceId, alias: 'n' });
    conditions.push(
      `c.contact_id IN (SELECT n.id FROM contacts n WHERE n.workspace_id = ${bind(workspaceId, 'uuid')} AND ${fits})`,
    );
  }
  return conditions;
}

function readPlace(cursor: string | undefined): { key: string; id: string; isPinned: boolean } | null {
  const place = readCursor(cursor);
  if (!place) return null;
  const isPinned = place.key.endsWith(PINNED);
  const time = readTimeCursor(
    writeCursor(isPinned ? place.key.slice(0, -PINNED.length) : place.key, place.id),
  );
  return time && { ...time, isPinned };
}
