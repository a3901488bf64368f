import { formatMessageTag } from '@app/domain/conversations/message-tag';
import { enqueueMessage } from '@app/delivery/messages/enqueue-message';
import { inTransaction } from '@app/delivery/transaction';
import { newId } from '@app/database/new-id';
import type { MessageContent } from '@app/domain/messaging/message-content';
import type { FaultReport } from './fault-report.ts';
import { waitUntil, type World } from './world.ts';

/** Conversations in which anything may be said. */
export async function openConversations(world: World, count: number): Promise<string[]> {
  const people = await world.addContacts(count);
  for (const contactId of people)
    await world.database.systemPool.query(
      `WITH opened AS (UPDATE contacts SET window_expires_at = now() + interval '9 hours' WHERE id = $3)
       INSERT INTO conversations (id, workspace_id, contact_id, channel_id, last_activity_at, window_ends_at)
       VALUES ($1, $2, $3, $4, now(), now() + interval '9 hours')`,
      [newId(), world.workspaceId, contactId, world.channelId],
    );
  return people;
}

/** Leaves one reply: by turns a text, a template and a picture. */
export async function enqueueReply(world: World, contactId: string, turn: number): Promise<void> {
  const { database, workspaceId, channelId } = world;
  const messageId = newId();
  const content = await contentOf(world, { messageId, contactId, turn });
  await inTransaction(database.systemPool, (client) =>
    enqueueMessage(client, {
      ...{ id: messageId, workspaceId, channelId, contactId, address: null, content, text: `reply ${turn}` },
      ...{ purpose: 'reply', isMarketing: false, needsWindow: false, key: null, at: new Date() },
      ...{ author: { kind: 'bot', id: null, name: 'Bot' }, giveUpAt: null, cause: null },
    }),
  );
}

async function contentOf(
  { database, workspaceId, channelId }: World,
  { messageId, contactId, turn }: { messageId: string; contactId: string; turn: number },
): Promise<MessageContent> {
  if (turn % 3 === 0) return { type: 'text', body: `reply ${turn}` };
  if (turn % 3 === 1) return { type: 'template', name: 'hello_world', language: 'en_US' };
  const fileId = newId();
  await database.systemPool.query(
    `INSERT INTO message_files (id, workspace_id, message_id, contact_id, channel_id, kind, mime_type, name, size, sha256, state, content, stored_at)
     VALUES ($1, $2, $3, $4, $5, 'image', 'image/png', 'a.png', 2048, $6, 'stored', 'a-picture', now())`,
    [fileId, workspaceId, messageId, contactId, channelId, fileId],
  );
  return { type: 'media', kind: 'image', media: { fileId }, caption: `reply ${turn}` };
}

export async function waitForReplies({ database }: World): Promise<void> {
  await waitUntil('every reply has come to its end', 180_000, async () => {
    const { rows } = await database.systemPool.query(
      `SELECT FROM messages WHERE state IN ('queued', 'sending') LIMIT 1`,
    );
    return rows.length === 0;
  });
}

type Row = { no: string; attempt: number; state: string; contact_id: string };
type LedgerPage = { messages: { index: number; biz_opaque_callback_data: string | null }[] };

/** Compares every reply with what the platform has. */
export async function auditReplies(world: World, figures: Record<string, number>): Promise<FaultReport> {
  const { rows } = await world.database.systemPool.query<Row>(
    `SELECT send_no AS no, attempt, state, contact_id FROM messages WHERE send_no IS NOT NULL AND author = 'bot' ORDER BY send_no`,
  );
  const page = (await world.control('GET', 'messages?limit=50000')) as LedgerPage;
  const places = new Map<string, number[]>();
  for (const { index, biz_opaque_callback_data: tag } of page.messages)
    if (tag !== null) places.set(tag, [...(places.get(tag) ?? []), index]);
  // A try that nobody settled is not counted in its row.
  const placesOf = ({ no, attempt }: Row) =>
    Array.from(
      { length: attempt + 2 },
      (_, place) => places.get(formatMessageTag({ no: Number(no), attempt: place })) ?? [],
    ).flat();
  const sent = rows.map((row) => ({ ...row, at: placesOf(row) }));
  const count = (is: (one: (typeof sent)[number]) => boolean) => sent.filter(is).length;
  const faults = {
    'left, and not there': Math.abs((figures.left ?? 0) - sent.length),
    'sent twice': count(({ at }) => at.length > 1),
    'told otherwise than the platform': count(({ state, at }) => (state === 'accepted') !== at.length > 0),
    'out of order in their conversation': [...Map.groupBy(sent, (one) => one.contact_id).values()].reduce(
      (sum, all) => sum + countLate(all.flatMap(({ at }) => at)),
      0,
    ),
  };
  return {
    isPassed: Object.values(faults).every((one) => one === 0),
    figures: {
      ...figures,
      accepted: count(({ state }) => state === 'accepted'),
      'did not leave, and told so': count(({ state }) => state === 'cancelled' || state === 'refused'),
      'left in doubt, not at the platform': count(({ state }) => state === 'unknown'),
      ...faults,
    },
  };
}

function countLate(places: readonly number[]): number {
  return places.filter((place, turn) => turn > 0 && place < places[turn - 1]!).length;
}
