import { newId } from '@app/database/new-id';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { conversationsFeature } from '../../src/conversations/conversations-feature.ts';
import { messageFilesFeature } from '../../src/message-files/message-files-feature.ts';
import { platformFeature } from '../../src/platform/features/platform-feature.ts';
import { webhooksFeature } from '../../src/webhooks/webhooks-feature.ts';
import { openApiFixture, readErrorBody, type ApiCaller, type ApiFixture } from '../api-fixture.ts';

let api: ApiFixture;
let admin: ApiCaller;
let channelId: string;
beforeAll(async () => {
  api = await openApiFixture();
  admin = await api.as('admin');
  channelId = await api.addChannel();
});
afterAll(() => api.close());

const query = (text: string, values: unknown[] = []) => api.db.systemPool.query(text, values);
const nothing = { messages: null, files: null, audit: null, logs: null };
const version = async () =>
  (await (await admin.get('/api/data/retention')).json<{ version: number }>()).version;
const save = async (change: object, name?: string) =>
  admin.put('/api/data/retention', {
    ...nothing,
    version: await version(),
    ...change,
    ...(name && { name }),
  });
const prune = async () => {
  for (const { upkeep } of [conversationsFeature, messageFilesFeature, platformFeature, webhooksFeature])
    for (const work of upkeep.seldom) await work(api.parts);
};

let people = 1_000;
let sends = 0;
/** Somebody who wrote so many days ago, each with a file that has bytes of its own, or those of `content`. */
async function writeTo(ages: number[], { content, state }: { content?: string; state?: string } = {}) {
  const contact = await admin.post('/api/contacts', {
    name: 'Ann',
    phone: `+44770090${(people += 1)}`,
  });
  const { id: contactId } = await contact.json<{ id: string }>();
  const conversation = await admin.post('/api/conversations', { contactId });
  const { id } = await conversation.json<{ id: string }>();
  const ids: string[] = [];
  for (const age of ages) {
    const at = new Date(Date.now() - age * 86_400_000);
    const messageId = newId();
    ids.push(messageId);
    await query(
      `INSERT INTO messages (id, workspace_id, channel_id, contact_id, direction, provider_message_id, type, text, payload, occurred_at, is_unread,
         send_no, purpose, state) VALUES ($1, $2, $3, $4, $5, $6, 'text', 'Hello', '{}', $7, $8, $9, $10, $11)`,
      [
        ...[
          messageId,
          api.workspaceId,
          channelId,
          contactId,
          state ? 'out' : 'in',
          `wamid.${messageId}`,
          at,
          !state,
        ],
        ...[state ? (sends += 1) : null, state ? 'service' : null, state ?? null],
      ],
    );
    const key = content ?? `${api.workspaceId}/${messageId}`;
    await query(
      `INSERT INTO message_files (id, workspace_id, message_id, contact_id, kind, mime_type, size, sha256, state, content, stored_at, created_at)
       VALUES ($1, $2, $3, $4, 'image', 'image/png', 1000, $5, 'stored', $6, $7, $7)`,
      [newId(), api.workspaceId, messageId, contactId, 'a'.repeat(64), key, at],
    );
  }
  await query(`UPDATE contacts SET last_message = 'Hello', last_message_at = $2 WHERE id = $1`, [
    contactId,
    new Date(Date.now() - ages.at(-1)! * 86_400_000),
  ]);
  await query(
    `UPDATE conversations SET unread = $2, last_message_id = $3, last_message_type = 'text', last_message_direction = 'in', last_message_at = now()
      WHERE id = $1`,
    [id, state ? 0 : ages.length, ids.at(-1)],
  );
  return { id, ids, contactId };
}
const left = async (ids: string[]) =>
  (await query('SELECT id FROM messages WHERE id = ANY ($1::uuid[]) ORDER BY occurred_at', [ids])).rowCount;
const conversationOf = async (id: string) =>
  (await admin.get(`/api/conversations/${id}`)).json<Record<string, unknown>>();

const lastWordsOf = async (conversationId: string) =>
  (
    await query(
      'SELECT k.last_message FROM contacts k JOIN conversations c ON c.contact_id = k.id WHERE c.id = $1',
      [conversationId],
    )
  ).rows[0] as unknown;
test('what would go is told, the name is asked for, and only what is older goes', async () => {
  const { id, ids } = await writeTo([100, 91, 89, 1]);
  const all = await writeTo([200]);
  const waiting = await writeTo([200], { state: 'unknown' });
  const preview = await admin.post('/api/data/retention/preview', { ...nothing, messages: 90 });
  expect(await preview.json()).toEqual({ messages: 3, files: 3, fileBytes: 3_000, audit: 0, logs: 0 });
  expect(await readErrorBody(await save({ messages: 90 }))).toMatchObject({ code: 'data_name_different' });
  expect(await readErrorBody(await save({ messages: 90 }, 'Another'))).toMatchObject({
    code: 'data_name_different',
  });
  expect(await admin.get('/api/data/retention').then((answer) => answer.json())).toMatchObject(nothing);
  await prune();
  expect(await left(ids)).toBe(4);

  const { name } = await (await admin.get('/api/data')).json<{ name: string }>();
  expect((await save({ messages: 90 }, name)).status).toBe(200);
  await Promise.all([prune(), prune()]); // two processes
  expect([await left(ids), await left(all.ids), await left(waiting.ids)]).toEqual([2, 0, 1]);
  const kept = await conversationOf(id);
  expect(kept).toMatchObject({ unread: 2, lastMessage: { id: ids.at(-1) } });
  expect(Date.now() - Date.parse(String(kept['keptSince']))).toBeGreaterThan(89 * 86_400_000);
  expect(await conversationOf(all.id)).toMatchObject({ unread: 0, lastMessage: null });
  expect(await conversationOf(waiting.id)).toMatchObject({ keptSince: null });
  expect(await lastWordsOf(id)).toEqual({ last_message: 'Hello' });
  expect(await lastWordsOf(all.id)).toEqual({ last_message: null });
  // A longer time brings nothing back, and asks for nothing.
  expect((await save({ messages: 730 })).status).toBe(200);
  await prune();
  expect(await left(ids)).toBe(2);
});

test('a deletion taken back, and a merge, keep since when messages are kept', async () => {
  const pruned = await writeTo([100]);
  const survivor = await writeTo([1]);
  const { name } = await (await admin.get('/api/data')).json<{ name: string }>();
  expect((await save({ messages: 30 }, name)).status).toBe(200);
  await prune();
  const { keptSince } = await conversationOf(pruned.id);
  expect(keptSince).toEqual(expect.any(String));
  await admin.delete(`/api/contacts/${pruned.contactId}`);
  expect((await admin.post(`/api/contacts/${pruned.contactId}/restore`)).status).toBe(200);
  expect(await conversationOf(pruned.id)).toMatchObject({ keptSince });
  const contacts = [];
  for (const contactId of [survivor.contactId, pruned.contactId]) {
    const contact = await (await admin.get(`/api/contacts/${contactId}`)).json<{ version: number }>();
    contacts.push({ contactId, version: contact.version });
  }
  const merge = await admin.post('/api/contacts/merges', {
    mergeId: newId(),
    survivorId: survivor.contactId,
    contacts,
  });
  expect(merge.status).toBe(200);
  expect(await conversationOf(survivor.id)).toMatchObject({
    keptSince,
    lastMessage: { id: survivor.ids[0] },
  });
});

test('bytes of files go with their time; those that a newer file shares stay', async () => {
  const { ids } = await writeTo([60, 2], { content: `${api.workspaceId}/shared` });
  const alone = await writeTo([60]);
  const { name } = await (await admin.get('/api/data')).json<{ name: string }>();
  const preview = await admin.post('/api/data/retention/preview', { ...nothing, files: 30 });
  expect(await preview.json()).toMatchObject({ messages: 0, fileBytes: expect.any(Number) });
  expect((await save({ files: 30 }, name)).status).toBe(200);
  await prune();
  const states = async (of: string[]) =>
    (
      await query(
        `SELECT f.state, f.content IS NULL AS is_gone FROM message_files f WHERE f.message_id = ANY ($1::uuid[]) ORDER BY created_at`,
        [of],
      )
    ).rows;
  expect(await states(ids)).toEqual([
    { state: 'removed', is_gone: true },
    { state: 'stored', is_gone: false },
  ]);
  expect(await states(alone.ids)).toEqual([{ state: 'removed', is_gone: true }]);
  expect(await left([...ids, ...alone.ids])).toBe(3);
  await api.parts.mediaStore.put(`${api.workspaceId}/shared`, new Uint8Array([1]));
  for (const work of messageFilesFeature.upkeep.often) await work(api.parts);
  expect(await api.parts.mediaStore.read(`${api.workspaceId}/shared`)).not.toBeNull();
});

test('the log and technical logs go by their own times; what was set aside stays', async () => {
  for (const workspaceId of [api.workspaceId, api.otherWorkspaceId]) {
    await query(
      `INSERT INTO activities (id, workspace_id, user_name, type, resource, description, occurred_at)
       VALUES (gen_random_uuid(), $1, 'Ann', 'update', 'settings', 'Old', now() - interval '91 days')`,
      [workspaceId],
    );
    await query(
      `INSERT INTO platform_events (id, workspace_id, kind, dedup_key, payload, occurred_at, received_at)
       SELECT gen_random_uuid(), $1, kind, kind, '{}', now(), now() - interval '40 days' FROM unnest(ARRAY['account', 'set_aside']) AS kind`,
      [workspaceId],
    );
  }
  const { name } = await (await admin.get('/api/data')).json<{ name: string }>();
  expect((await save({ audit: 90, logs: 30 }, name)).status).toBe(200);
  await prune();
  const old = async (workspaceId: string) => {
    const { rows } = await query(
      `SELECT description AS what FROM activities WHERE workspace_id = $1 AND description = 'Old'
       UNION ALL SELECT kind FROM platform_events WHERE workspace_id = $1 ORDER BY what`,
      [workspaceId],
    );
    return rows.map(({ what }: { what: string }) => what);
  };
  expect(await old(api.workspaceId)).toEqual(['set_aside']);
  // The other one chose nothing.
  expect((await old(api.otherWorkspaceId)).toSorted()).toEqual(['Old', 'account', 'set_aside']);
});

test('a time that is no choice, an older version and people who may not are refused', async () => {
  expect((await save({ messages: 7 })).status).toBe(422);
  expect((await save({ audit: 30 })).status).toBe(422);
  expect((await save({ version: 0, messages: 730 })).status).toBe(409);
  const viewer = await api.as('viewer');
  expect((await viewer.put('/api/data/retention', { ...nothing, version: 1 })).status).toBe(403);
});
