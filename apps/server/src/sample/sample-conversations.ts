import type pg from 'pg';
import { newId } from '@app/database/new-id';
import { insertArrivingFiles } from '@app/database/message-files/arriving-files';
import type { InboundContent } from '@app/domain/messaging/inbound-event';
import type { MessageContent } from '@app/domain/messaging/message-content';
import { sampleConversations, type SampleActivity, type SampleMessage } from './sample-messages.ts';

type Seeding = {
  workspaceId: string;
  channelId: string;
  contactIds: readonly string[];
  now: Date;
};

const MINUTE_MS = 60_000;
const DAY_MS = 86_400_000;

/**
 * What was said with the sample contacts so far, so that the first look at the inbox finds it alive. Files are left to be fetched from the
 * sandbox, as those of every message.
 */
export async function seedConversations(client: pg.PoolClient, seeding: Seeding): Promise<void> {
  const { workspaceId, contactIds, now } = seeding;
  const people = await readPeople(client, workspaceId);
  for (const [index, { messages }] of sampleConversations.entries()) {
    const contactId = contactIds[index];
    if (contactId === undefined) continue;
    for (const [position, message] of messages.entries())
      await insertMessage(client, { ...seeding, contactId, people }, message, `${index}-${position}`);
    const last = messages.at(-1);
    const lastInbound = messages.findLast(({ direction }) => direction === 'in');
    await client.query(
      `UPDATE contacts SET last_message = $2, last_message_at = $3, window_expires_at = $4 WHERE id = $1`,
      [
        contactId,
        last?.text ?? null,
        last && timeOf(last, now),
        lastInbound && new Date(timeOf(lastInbound, now).getTime() + DAY_MS),
      ],
    );
  }
  await client.query('SELECT recount_conversations($1, $2::uuid[])', [workspaceId, contactIds]);
  for (const [index, { labels, assignee, isPinned, priority, acts }] of sampleConversations.entries()) {
    const of = [workspaceId, contactIds[index]];
    await client.query(
      'UPDATE conversations SET labels = $3, assignee_id = $4, priority = $5 WHERE workspace_id = $1 AND contact_id = $2',
      [...of, [...labels], people.find(({ role }) => role === assignee)?.id ?? null, priority],
    );
    for (const act of acts)
      await insertAct(client, { ...seeding, people, contactId: contactIds[index] ?? null }, act);
    if (isPinned)
      await client.query(
        `INSERT INTO conversation_marks (workspace_id, conversation_id, user_id, pinned_at)
         SELECT $1, c.id, m.user_id, $3 FROM conversations c JOIN memberships m ON m.workspace_id = c.workspace_id
          WHERE c.workspace_id = $1 AND c.contact_id = $2`,
        [...of, now],
      );
  }
}

/** As a person would have done it: a note, or an entry of the log. */
async function insertAct(
  client: pg.PoolClient,
  { workspaceId, contactId, people, now }: Seeding & { contactId: string | null; people: readonly Person[] },
  { minutesAgo, by, ...act }: SampleActivity,
): Promise<void> {
  const person = people.find(({ role }) => role === by);
  const of = [
    newId(),
    workspaceId,
    contactId,
    person?.id ?? null,
    person?.name ?? '',
    timeOf({ minutesAgo }, now),
  ];
  if ('note' in act) {
    await client.query(
      `INSERT INTO conversation_notes (id, workspace_id, conversation_id, author_id, author_name, at, body)
       SELECT $1, $2, c.id, $4, $5, $6, $7 FROM conversations c WHERE c.workspace_id = $2 AND c.contact_id = $3`,
      [...of, act.note],
    );
    return;
  }
  const contactIds = [contactId];
  const [type, values] =
    'status' in act
      ? ['conversation.status_changed', { ...act, snoozedUntil: null }]
      : 'takes' in act
        ? ['conversation.assigned', { assigneeId: person?.id ?? null, before: null, teamId: null }]
        : 'labels' in act
          ? ['conversation.labelled', { labels: act.labels, added: act.labels, removed: [] }]
          : ['conversation.prioritised', { priority: act.priority, before: 'normal' }];
  await client.query(
    `INSERT INTO activities (id, workspace_id, user_id, user_name, type, resource, occurred_at, fact_type, "values", subject_id)
     SELECT $1, $2, $4, $5, 'update', 'messages', $6, $7, $8, c.id FROM conversations c WHERE c.workspace_id = $2 AND c.contact_id = $3`,
    [...of, type, JSON.stringify({ contactIds, ...values })],
  );
}

type Person = { id: string; name: string; role: string };

async function readPeople(client: pg.PoolClient, workspaceId: string): Promise<Person[]> {
  const { rows } = await client.query<Person>(
    `SELECT u.id, u.name, m.role FROM memberships m JOIN users u ON u.id = m.user_id WHERE m.workspace_id = $1`,
    [workspaceId],
  );
  return rows;
}

async function insertMessage(
  client: pg.PoolClient,
  {
    workspaceId,
    channelId,
    contactId,
    people,
    now,
  }: Seeding & { contactId: string; people: readonly Person[] },
  message: SampleMessage,
  place: string,
): Promise<void> {
  const id = newId();
  const at = timeOf(message, now);
  const isOurs = message.direction === 'out';
  const author = isOurs ? people.find(({ role }) => role === message.by) : undefined;
  const quoted =
    message.answers === undefined ? null : platformId(`${place.split('-')[0]}-${message.answers}`);
  await client.query(
    `INSERT INTO messages (id, workspace_id, channel_id, contact_id, direction, provider_message_id, type, text, payload, content, quoted_id,
       occurred_at, received_at, author, author_id, author_name, is_unread, window_ends_at,
       send_no, purpose, state, attempt, accepted_at, sent_at, delivered_at, read_at)
     VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $12, $13, $14, $15, $16, $17,
       CASE WHEN $18 THEN nextval('message_numbers') END, CASE WHEN $18 THEN 'reply' END, CASE WHEN $18 THEN 'accepted' END,
       CASE WHEN $18 THEN 1 ELSE 0 END, $19, $19, $19, $19)`,
    [
      ...[id, workspaceId, channelId, contactId, message.direction, platformId(place)],
      ...[message.content?.type ?? 'text', message.text, isOurs ? null : { sample: true }],
      ...[contentOf(message, quoted), quoted, at],
      ...[isOurs ? 'person' : 'contact', author?.id ?? null, author?.name ?? null],
      ...[message.isUnread === true, isOurs ? null : new Date(at.getTime() + DAY_MS)],
      ...[isOurs, isOurs ? at : null],
    ],
  );
  if (message.content?.type === 'media' && 'mediaId' in message.content)
    await insertArrivingFiles(client, [
      {
        ...{ id: newId(), workspaceId, messageId: id, contactId, channelId },
        ...{ kind: message.content.kind, mimeType: message.content.mimeType, name: message.content.filename },
        ...{ voice: message.content.voice, animated: message.content.animated },
        ...{ platformId: message.content.mediaId, platformExpiresAt: null, nextTryAt: now },
      },
    ]);
}

function contentOf(
  { content }: SampleMessage,
  quoted: string | null,
): InboundContent | MessageContent | null {
  if (content?.type !== 'reaction') return content ?? null;
  return 'targetMessageId' in content
    ? { ...content, targetMessageId: quoted ?? '' }
    : { ...content, messageId: quoted ?? '' };
}

function platformId(place: string): string {
  return `sample-${place}`;
}

function timeOf({ minutesAgo }: Pick<SampleMessage, 'minutesAgo'>, now: Date): Date {
  return new Date(now.getTime() - minutesAgo * MINUTE_MS);
}
