import type { message } from '@app/contracts/conversations/conversation-values';
import type { messageFile } from '@app/contracts/message-files/message-files-contract';
import { shownState, type MessageAuthor, type MessageState } from '@app/domain/conversations/message-state';
import type { TemplateComponent } from '@app/domain/templates/template';
import type { z } from 'zod';
import type { ReadScope } from '../../platform/workspace-scope.ts';
import { timesOf } from '../conversations-queries.ts';
import type { OfConversation } from './timeline-places.ts';

export type Message = z.infer<typeof message>;
type MessageFile = z.infer<typeof messageFile>;
type Content = Record<string, unknown> | null;

export type MessageRow = {
  id: string;
  direction: 'in' | 'out';
  type: string;
  text: string | null;
  content: Content;
  author: MessageAuthor;
  author_id: string | null;
  author_name: string | null;
  occurred_at: Date;
  state: MessageState | null;
  sent_at: Date | null;
  delivered_at: Date | null;
  read_at: Date | null;
  failed_at: Date | null;
  error_code: string | null;
  error_detail: string | null;
  is_unread: boolean;
  edited_at: Date | null;
  revoked_at: Date | null;
  original_text: string | null;
  edited_content: Content;
  about: Partial<NonNullable<Message['about']>> | null;
  quoted_id: string | null;
  quoted: Message['quoted'];
  reactions: Message['reactions'] | null;
  campaign_id: string | null;
  campaign_name: string | null;
  send_at: Date | null;
  is_tried_again: boolean;
  client_id: string | null;
};

/** Of a recipient `r` of `delivery_runs run`: the content that went to them, which in an A/B test is that of their variant. */
export const CONTENT_OF_RUN = `(CASE WHEN coalesce(r.variant, run.winner, 0) = 0 THEN run.message
  ELSE run.message->'variants'->(coalesce(r.variant, run.winner) - 1) END->'content')`;
/** Of the same, its line. */
export const TEXT_OF_RUN = `coalesce(${CONTENT_OF_RUN}->>'body', ${CONTENT_OF_RUN}->>'name')`;

/** Who reacted last on each side, to what the platform calls `id`; an empty emoji took it back. */
export const reactionsTo = (id: string, contactId: string) => `(SELECT jsonb_agg(jsonb_build_object(
     'emoji', e.text, 'direction', e.direction, 'name', e.author_name, 'at', to_char(e.occurred_at AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"'))
     ORDER BY e.direction) FROM (
       SELECT DISTINCT ON (x.direction) x.direction, x.text, x.author_name, x.occurred_at FROM messages x
        WHERE x.workspace_id = $1 AND x.type = 'reaction' AND x.quoted_id = ${id} AND x.contact_id = ${contactId}
          AND coalesce(x.state, '') NOT IN ('refused', 'cancelled')
        ORDER BY x.direction, x.occurred_at DESC, x.id DESC) AS e WHERE e.text <> '')`;

/** `$1` is the workspace. What it answers may be a message of a campaign, which the conversation shows beside it. */
const COLUMNS = `m.id::text AS id, m.direction, m.type, m.text, m.content, m.author, m.author_id, m.author_name, m.occurred_at,
  m.state, m.sent_at, m.delivered_at, m.read_at, m.failed_at, m.error_code, m.error_detail, m.is_unread,
  m.edited_at, m.revoked_at, m.original_text, m.about, m.quoted_id,
  CASE WHEN m.edited_at IS NOT NULL THEN (SELECT e.content->'content' FROM messages e
     WHERE e.workspace_id = $1 AND e.target_id = m.provider_message_id AND e.type = 'edit' AND e.direction = m.direction
       AND e.contact_id = m.contact_id ORDER BY e.occurred_at DESC, e.id DESC LIMIT 1) END AS edited_content,
  CASE WHEN m.quoted_id IS NOT NULL THEN (
     SELECT jsonb_build_object('id', q.id, 'text', q.text, 'type', q.type, 'content', q.content, 'direction', q.direction) FROM (
     SELECT q.id::text AS id, q.text, q.type, CASE WHEN q.revoked_at IS NULL THEN q.content END AS content, q.direction
       FROM messages q WHERE q.workspace_id = $1 AND q.provider_message_id = m.quoted_id AND q.contact_id = m.contact_id
     UNION ALL
     SELECT 'r' || r.run_no || '.' || r.seq, ${TEXT_OF_RUN}, coalesce(${CONTENT_OF_RUN}->>'type', 'text'), NULL, 'out'
       FROM delivery_recipients r JOIN delivery_runs run USING (run_no)
      WHERE r.contact_id = m.contact_id AND r.workspace_id = $1 AND r.provider_message_id = m.quoted_id LIMIT 1) AS q) END AS quoted,
  ${reactionsTo('m.provider_message_id', 'm.contact_id')} AS reactions,
  NULL::uuid AS campaign_id, NULL::text AS campaign_name, m.send_at, m.tried_again_as IS NOT NULL AS is_tried_again,
  CASE WHEN m.author = 'person' AND starts_with(m.send_key, 'client:') THEN split_part(m.send_key, ':', 3) END AS client_id`;

/** These messages of the conversation, whole, by their ids. */
export async function readMessages(
  scope: ReadScope,
  { contactId, channelId }: Pick<OfConversation, 'contactId' | 'channelId'>,
  ids: readonly string[],
): Promise<Message[]> {
  if (ids.length === 0) return [];
  const { rows } = await scope.query<MessageRow>({
    name: 'messages_read_by_ids',
    text: `SELECT ${COLUMNS} FROM messages m WHERE m.workspace_id = $1 AND m.contact_id = $2 AND m.channel_id = $3 AND m.id = ANY ($4::uuid[])`,
    values: [scope.workspaceId, contactId, channelId, ids],
  });
  return presentMessages(scope, rows);
}

/** With their files, and what their templates hold. */
export async function presentMessages(scope: ReadScope, rows: readonly MessageRow[]): Promise<Message[]> {
  const files = await readFiles(scope, rows);
  const components = await readComponents(scope, rows);
  return rows.map((row) =>
    presentMessage(row, files.get(row.id) ?? [], components.get(templateOf(row)) ?? null),
  );
}

function presentMessage(
  row: MessageRow,
  files: MessageFile[],
  components: TemplateComponent[] | null,
): Message {
  const isRevoked = row.revoked_at !== null;
  const isEdited = row.edited_at !== null;
  const at = row.revoked_at ?? row.edited_at;
  // Of what arrived a failure may be reported, too: it is none.
  const hasArrived = row.state === 'accepted' && (row.delivered_at ?? row.read_at) !== null;
  return {
    kind: 'message',
    id: row.id,
    direction: row.direction,
    type: row.type,
    text: isRevoked ? null : row.text,
    content: isRevoked ? null : isEdited ? withEdit(row) : row.content,
    components: isRevoked ? null : components,
    files,
    author: { kind: row.author, id: row.author_id, name: row.author_name },
    at: row.occurred_at.toISOString(),
    state: row.direction === 'in' ? null : shownState(row.state, timesOf(row)),
    sentAt: row.sent_at?.toISOString() ?? null,
    deliveredAt: row.delivered_at?.toISOString() ?? null,
    readAt: row.read_at?.toISOString() ?? null,
    failedAt: (!hasArrived && row.failed_at?.toISOString()) || null,
    error: hasArrived || row.error_code === null ? null : { code: row.error_code, detail: row.error_detail },
    isUnread: row.is_unread,
    isEdited,
    isRevoked,
    changedAt: at?.toISOString() ?? null,
    original: at === null ? null : { text: row.original_text, content: row.content },
    about: row.about && { isForwarded: false, product: null, ad: null, ...row.about },
    quoted:
      row.quoted_id === null
        ? null
        : (row.quoted ?? { id: null, text: null, type: null, content: null, direction: null }),
    reactions: row.reactions ?? [],
    campaign: row.campaign_id === null ? null : { id: row.campaign_id, name: row.campaign_name ?? '' },
    sendAt: row.send_at?.toISOString() ?? null,
    isTriedAgain: row.is_tried_again,
    clientId: row.client_id,
  };
}

/** An edit of a file's caption brings no file: what it does not say stays. */
function withEdit({ content, edited_content: edited }: MessageRow): Content {
  return edited?.type === 'text' ? null : { ...content, ...edited };
}

async function readFiles(
  scope: ReadScope,
  rows: readonly Pick<MessageRow, 'id' | 'type'>[],
): Promise<Map<string, MessageFile[]>> {
  const ids = rows.flatMap(({ id, type }) => (type === 'text' || id.startsWith('r') ? [] : [id]));
  if (ids.length === 0) return new Map();
  const { rows: files } = await scope.query<MessageFile & { message_id: string }>(
    `SELECT message_id, id, kind, mime_type AS "mimeType", name, size::float8 AS size, state, width, height,
            duration_ms AS "durationMs", voice, animated, thumbnail IS NOT NULL AS "hasThumbnail", waveform
       FROM message_files WHERE workspace_id = $1 AND message_id = ANY ($2::uuid[]) ORDER BY created_at, id`,
    [scope.workspaceId, ids],
  );
  const found = new Map<string, MessageFile[]>();
  for (const { message_id: messageId, ...file } of files)
    found.set(messageId, [...(found.get(messageId) ?? []), file]);
  return found;
}

const templateOf = ({ type, content }: Pick<MessageRow, 'type' | 'content'>): string =>
  type === 'template' ? `${String(content?.name)} ${String(content?.language)}` : '';

/** By name and language of the platform. */
async function readComponents(
  scope: ReadScope,
  rows: readonly Pick<MessageRow, 'type' | 'content'>[],
): Promise<Map<string, TemplateComponent[]>> {
  const names = [...new Set(rows.map(templateOf))]
    .filter((name) => name !== '')
    .map((name) => name.split(' '));
  if (names.length === 0) return new Map();
  const { rows: found } = await scope.query<{ name: string; components: TemplateComponent[] }>(
    `SELECT w.name || ' ' || w.language AS name, t.components FROM unnest($2::text[], $3::text[]) AS w (name, language)
       JOIN templates t ON t.workspace_id = $1 AND t.platform_name = w.name
        AND t.language = CASE w.language WHEN 'pt_BR' THEN 'pt' ELSE w.language END`,
    [scope.workspaceId, names.map(([name]) => name), names.map(([, language]) => language)],
  );
  return new Map(found.map(({ name, components }) => [name, components]));
}
