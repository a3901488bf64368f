import type { message } from '@app/contracts/conversations/conversation-values';
import { shownState, type MessageAuthor, type MessageState } from '@app/domain/conversations/message-state';
import type { z } from 'zod';
import { readCursor, readTimeCursor, writeCursor } from '../platform/keyset.ts';
import type { ReadScope } from '../platform/workspace-scope.ts';
import { timesOf } from './conversations-queries.ts';

export type Message = z.infer<typeof message>;
type Of = { id: string; contactId: string; channelId: string };
type Place = { at: string; id: string };

type Row = {
  id: string;
  direction: 'in' | 'out';
  type: string;
  text: string | null;
  content: Record<string, unknown> | null;
  author: MessageAuthor;
  author_id: string | null;
  author_name: string | null;
  occurred_at: Date;
  place: string;
  state: MessageState | null;
  sent_at: Date | null;
  delivered_at: Date | null;
  read_at: Date | null;
  failed_at: Date | null;
  error_code: string | null;
  error_detail: string | null;
  is_unread: boolean;
  is_edited: boolean;
  is_revoked: boolean;
  quoted_id: string | null;
  quoted: { id: string | null; text: string | null } | null;
  reactions: { emoji: string; direction: 'in' | 'out' }[] | null;
  campaign_id: string | null;
  campaign_name: string | null;
  send_at: Date | null;
  is_tried_again: boolean;
};

/**
 * What was said with a contact over a channel, with the messages of campaigns from their recipients, where they stay: a campaign writes
 * no row into the conversation.
 */
export async function listMessages(
  scope: ReadScope,
  of: Of,
  { limit, cursor, direction }: { limit: number; cursor: string | undefined; direction: 'older' | 'newer' },
) {
  const from = readPlace(cursor, of.id);
  const isOlder = direction === 'older';
  const { rows } = await scope.query<Row>(listText(isOlder), [
    ...[scope.workspaceId, of.contactId, of.channelId],
    ...[from?.at ?? (isOlder ? 'infinity' : '-infinity'), from?.id ?? '', limit + 1],
  ]);
  const page = rows.slice(0, limit);
  const items = isOlder ? page : page.toReversed();
  const [newest, oldest] = [items[0], items.at(-1)];
  const hasMore = rows.length > limit;
  return {
    items: items.map(presentMessage),
    older: oldest && (hasMore || !isOlder) ? writePlace(oldest, of.id) : null,
    newer: newest ? writePlace(newest, of.id) : (cursor ?? null),
  };
}

/** One message of the conversation. */
export async function findMessage(scope: ReadScope, of: Of, messageId: string): Promise<Message | null> {
  const { rows } = await scope.query<Row>(
    `SELECT ${COLUMNS} FROM messages m WHERE m.workspace_id = $1 AND m.contact_id = $2 AND m.channel_id = $3 AND m.id = $4`,
    [scope.workspaceId, of.contactId, of.channelId, messageId],
  );
  return rows[0] ? presentMessage(rows[0]) : null;
}

const TEXT_OF_RUN = `coalesce(run.message->'content'->>'body', run.message->'content'->>'name')`;

/** `$1` is the workspace. What it answers may be a message of a campaign, which the conversation shows beside it. */
const COLUMNS = `m.id::text AS id, m.direction, m.type, m.text, m.content, m.author, m.author_id, m.author_name, m.occurred_at,
  m.occurred_at::text AS place, m.state, m.sent_at, m.delivered_at, m.read_at, m.failed_at, m.error_code, m.error_detail, m.is_unread,
  m.edited_at IS NOT NULL AS is_edited, m.revoked_at IS NOT NULL AS is_revoked, m.quoted_id,
  CASE WHEN m.quoted_id IS NOT NULL THEN (SELECT jsonb_build_object('id', q.id, 'text', q.text) FROM (
     SELECT q.id::text AS id, q.text FROM messages q WHERE q.workspace_id = $1 AND q.provider_message_id = m.quoted_id
     UNION ALL
     SELECT 'r' || r.run_no || '.' || r.seq, ${TEXT_OF_RUN} FROM delivery_recipients r JOIN delivery_runs run USING (run_no)
      WHERE r.contact_id = m.contact_id AND r.workspace_id = $1 AND r.provider_message_id = m.quoted_id LIMIT 1) AS q) END AS quoted,
  (SELECT jsonb_agg(jsonb_build_object('emoji', e.text, 'direction', e.direction)) FROM (
     SELECT DISTINCT ON (r.direction) r.direction, r.text FROM messages r
      WHERE r.workspace_id = $1 AND r.type = 'reaction' AND r.quoted_id = m.provider_message_id AND r.contact_id = m.contact_id
      ORDER BY r.direction, r.occurred_at DESC, r.id DESC) AS e WHERE e.text <> '') AS reactions,
  NULL::uuid AS campaign_id, NULL::text AS campaign_name, m.send_at, m.tried_again_as IS NOT NULL AS is_tried_again`;

const AT_RECIPIENT = 'coalesce(r.accepted_at, r.failed_at, run.started_at, run.created_at)';

function listText(isOlder: boolean): string {
  const [beyond, order] = isOlder ? ['<', 'DESC'] : ['>', 'ASC'];
  return `SELECT * FROM (
     (SELECT ${COLUMNS} FROM messages m
       WHERE m.workspace_id = $1 AND m.contact_id = $2 AND m.channel_id = $3 AND is_said(m)
         AND m.occurred_at ${beyond}= $4::timestamptz AND (m.occurred_at, m.id::text) ${beyond} ($4::timestamptz, $5)
       ORDER BY m.occurred_at ${order}, m.id::text ${order} LIMIT $6)
     UNION ALL
     (SELECT 'r' || r.run_no || '.' || r.seq, 'out', coalesce(run.message->'content'->>'type', 'text'),
             ${TEXT_OF_RUN}, NULL, 'campaign', NULL, NULL,
             ${AT_RECIPIENT}, ${AT_RECIPIENT}::text,
             CASE r.state WHEN 3 THEN 'refused' WHEN 4 THEN 'cancelled' WHEN 5 THEN 'unknown' WHEN 2 THEN 'accepted' ELSE 'queued' END,
             r.sent_at, r.delivered_at, r.read_at, r.failed_at, r.error_code, r.error_detail, false, false, false, NULL, NULL,
             (SELECT jsonb_agg(jsonb_build_object('emoji', e.text, 'direction', e.direction)) FROM (
                SELECT DISTINCT ON (x.direction) x.direction, x.text FROM messages x
                 WHERE x.workspace_id = $1 AND x.type = 'reaction' AND x.quoted_id = r.provider_message_id AND x.contact_id = r.contact_id
                 ORDER BY x.direction, x.occurred_at DESC, x.id DESC) AS e WHERE e.text <> ''),
             k.id, coalesce(k.name, ''), NULL, false
        FROM delivery_recipients r JOIN delivery_runs run USING (run_no) LEFT JOIN campaigns k ON k.id = run.campaign_id
       WHERE r.contact_id = $2 AND r.workspace_id = $1 AND run.channel_id = $3 AND r.state IN (2, 3, 5)
         AND (${AT_RECIPIENT}, 'r' || r.run_no || '.' || r.seq) ${beyond} ($4::timestamptz, $5)
       ORDER BY ${AT_RECIPIENT} ${order}, 1 ${order} LIMIT $6)
   ) AS said ORDER BY occurred_at ${order}, id ${order} LIMIT $6`;
}

function presentMessage(row: Row): Message {
  return {
    id: row.id,
    direction: row.direction,
    type: row.type,
    text: row.is_revoked ? null : row.text,
    content: row.is_revoked ? null : row.content,
    author: { kind: row.author, id: row.author_id, name: row.author_name },
    at: row.occurred_at.toISOString(),
    state: row.direction === 'in' ? null : shownState(row.state, timesOf(row)),
    sentAt: row.sent_at?.toISOString() ?? null,
    deliveredAt: row.delivered_at?.toISOString() ?? null,
    readAt: row.read_at?.toISOString() ?? null,
    failedAt: row.failed_at?.toISOString() ?? null,
    error: row.error_code === null ? null : { code: row.error_code, detail: row.error_detail },
    isUnread: row.is_unread,
    isEdited: row.is_edited,
    isRevoked: row.is_revoked,
    quoted: row.quoted_id === null ? null : (row.quoted ?? { id: null, text: null }),
    reactions: row.reactions ?? [],
    campaign: row.campaign_id === null ? null : { id: row.campaign_id, name: row.campaign_name ?? '' },
    sendAt: row.send_at?.toISOString() ?? null,
    isTriedAgain: row.is_tried_again,
  };
}

function writePlace({ place, id }: Row, conversationId: string): string {
  return writeCursor(`${place}|${id}`, conversationId);
}

/** Messages of a campaign have no uuid, so the cursor carries moment and name in its key, and the conversation beside it. */
function readPlace(cursor: string | undefined, conversationId: string): Place | null {
  const place = readCursor(cursor);
  const [at = '', id = ''] = place?.key.split('|') ?? [];
  if (place?.id !== conversationId || !/^[\w.-]{1,60}$/.test(id)) return null;
  return readTimeCursor(writeCursor(at, conversationId)) ? { at, id } : null;
}
