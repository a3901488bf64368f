import { afterAll, beforeAll, expect, test } from 'vitest';
import { openApiFixture, type ApiFixture } from '../api-fixture.ts';

let api: ApiFixture;
beforeAll(async () => {
  api = await openApiFixture();
});
afterAll(() => api.close());

/** Every table whose rows go with their contact, with the way from it: `{conversation_marks: ['conversation_id', 'conversations']}`. */
async function readFollowers(): Promise<Map<string, { column: string; of: string }>> {
  const { rows } = await api.db.systemPool.query<{ name: string; column: string; of: string }>(
    `WITH RECURSIVE follower AS (
       SELECT 'contacts'::regclass AS id, NULL::name AS column, NULL::regclass AS of
       UNION SELECT f.conrelid::regclass, a.attname, f.confrelid::regclass
         FROM pg_constraint f JOIN follower ON f.confrelid = follower.id
         JOIN pg_attribute a ON a.attrelid = f.conrelid AND a.attnum = f.conkey[1]
        WHERE f.contype = 'f' AND f.confdeltype = 'c' AND f.conparentid = 0)
     SELECT id::text AS name, "column", of::text AS of FROM follower WHERE "column" IS NOT NULL`,
  );
  return new Map(rows.map(({ name, column, of }) => [name, { column, of }]));
}

async function readRows(contactId: string): Promise<Record<string, unknown[]>> {
  const followers = await readFollowers();
  const idsOf = (table: string): string => {
    const link = followers.get(table);
    return link ? `(SELECT id FROM ${table} WHERE ${link.column} IN ${idsOf(link.of)})` : `('${contactId}')`;
  };
  const found: Record<string, unknown[]> = {};
  for (const [name, { column, of }] of followers) {
    const { rows } = await api.db.systemPool.query(
      `SELECT to_jsonb(t) AS row FROM ${name} t WHERE ${column} IN ${idsOf(of)} ORDER BY to_jsonb(t)::text`,
    );
    found[name] = rows.map(({ row }) => row);
  }
  return found;
}

test('all rows that go with a deleted contact are back when it is restored', async () => {
  const admin = await api.as('admin');
  const channelId = await api.addChannel();
  const post = async (path: string, body: object) => {
    const response = await admin.post(path, body);
    expect([path, response.status]).toEqual([path, 200]);
    return response.json<{ id: string; version: number }>();
  };
  const { id: contactId } = await post('/api/contacts', { name: 'Ann', phone: '+14155552671' });
  await post(`/api/contacts/${contactId}/consents`, { kind: 'opt_in', text: 'In the shop' });
  const { id: conversationId } = await post('/api/conversations', { contactId });
  const query = (text: string, values: unknown[]) => api.db.systemPool.query(text, values);
  await query(
    `INSERT INTO conversation_marks (workspace_id, conversation_id, user_id, pinned_at) VALUES ($1, $2, $3, now())`,
    [api.workspaceId, conversationId, await api.userId('admin@acme.test')],
  );
  await query(
    `INSERT INTO conversation_notes (id, workspace_id, conversation_id, author_id, author_name, body, at)
     VALUES (gen_random_uuid(), $1, $2, $3, 'Ada', 'Likes tea', now())`,
    [api.workspaceId, conversationId, await api.userId('admin@acme.test')],
  );
  await query(
    `INSERT INTO messages (id, workspace_id, contact_id, channel_id, direction, provider_message_id, type, text, payload, occurred_at)
     VALUES (gen_random_uuid(), $1, $2, $3, 'in', 'wamid.1', 'text', 'Hello', '{}', now())`,
    [api.workspaceId, contactId, channelId],
  );
  await query(
    `INSERT INTO marketing_holds (workspace_id, contact_id, until) VALUES ($1, $2, now() + interval '1 day')`,
    [api.workspaceId, contactId],
  );
  await query(
    `WITH line AS (
       INSERT INTO webhook_endpoints (id, workspace_id, url, description, per_second, secret, created_at, updated_at)
       VALUES (gen_random_uuid(), $1, 'https://shop.example/hook', '', 10, 'sealed', now(), now()) RETURNING id)
     INSERT INTO connector_threads (workspace_id, endpoint_id, conversation_id, target, thread, told_until, created_at)
     SELECT $1, id, $2, 'C1', '1.1', now(), now() FROM line`,
    [api.workspaceId, conversationId],
  );
  const deleteAndRestore = async () => {
    expect((await admin.delete(`/api/contacts/${contactId}`)).status).toBe(200);
    expect(Object.values(await readRows(contactId)).flat()).toEqual([]);
    await post(`/api/contacts/${contactId}/restore`, {});
  };
  // A table without a row here is new: it gets one above, and it is seen whether that comes back.
  expect(Object.entries(await readRows(contactId)).filter(([, rows]) => rows.length === 0)).toEqual([]);
  // What is worked out from other rows, as the last message of a conversation, is right from here on.
  await deleteAndRestore();
  const before = await readRows(contactId);
  expect(Object.entries(before).filter(([, rows]) => rows.length === 0)).toEqual([]);
  await deleteAndRestore();
  expect(await readRows(contactId)).toEqual(before);
});
