import { afterAll, beforeAll, expect, test } from 'vitest';
import { newId } from '@app/database/new-id';
import { openFlowFixture, step, tagged, type FlowFixture } from './flow-fixture.ts';

let flows: FlowFixture;
beforeAll(async () => {
  flows = await openFlowFixture();
});
afterAll(() => flows.api.close());

const TEXT = 'Hello {{contact.name}}: https://shop.example/sale (or https://shop.example/unsubscribe)';

/** The message of a workflow to one contact who wrote a short while ago. */
async function send(tag: string, config: object) {
  await flows.publish({
    ...{ name: tag, triggers: [tagged(tag)], start: 'say' },
    steps: [step('say', 'send_message', config)],
  });
  // What a value holds is no placeholder.
  const contact = await flows.addContact({ name: 'Ann {{counted_link_1}}', tags: [tag] });
  const pool = flows.api.db.systemPool;
  await pool.query(
    `INSERT INTO conversations (id, workspace_id, contact_id, channel_id, last_activity_at, created_at, window_ends_at)
     VALUES ($1, $2, $3, $4, now(), now(), now() + interval '1 day')`,
    [newId(), flows.api.workspaceId, contact.id, flows.channelId],
  );
  await flows.settle();
  const { rows } = await pool.query<{ text: string; content: { body: string } }>(
    `SELECT text, content FROM messages WHERE contact_id = $1 AND direction = 'out'`,
    [contact.id],
  );
  expect(rows).toHaveLength(1);
  return { contact, ...rows[0]! };
}

const clicks = async (contactId: string) => {
  const { rows } = await flows.api.db.systemPool.query<{ n: number }>(
    'SELECT count(*)::int AS n FROM link_clicks WHERE contact_id = $1',
    [contactId],
  );
  return rows[0]?.n;
};

test('a link of a workflow message leads on and counts its contact, not the members who look at the conversation', async () => {
  const { contact, text, content } = await send('linked', { content: 'text', text: TEXT });
  const [, code] = /http:\/\/localhost:3000(\/l\/\S+)/.exec(content.body) ?? [];
  expect(content.body.replace(code!, '/l/CODE')).toBe(
    'Hello Ann {{counted_link_1}}: http://localhost:3000/l/CODE (or https://shop.example/unsubscribe)',
  );
  // As members read it.
  expect(text).toContain('https://shop.example/sale (or');
  const open = async (from: string) => {
    const headers = { 'user-agent': 'Mozilla/5.0', 'sec-fetch-site': from };
    const answer = await flows.admin.request(code!, { headers });
    expect(answer.headers.get('location')).toBe('https://shop.example/sale');
    return clicks(contact.id);
  };
  expect(await open('same-origin')).toBe(0);
  // Also of a member who tries it on a phone of their own.
  expect(await open('none')).toBe(1);
});

test('where links are not counted a workflow message leaves as it was written', async () => {
  const settings = await (await flows.admin.get('/api/conversions/settings')).json<{ version: number }>();
  const off = { windowDays: 7, countsLinks: false, version: settings.version };
  expect((await flows.admin.put('/api/conversions/settings', off)).status).toBe(200);
  const { content } = await send('plain', { content: 'text', text: 'See https://shop.example/sale' });
  expect(content.body).toBe('See https://shop.example/sale');
});
