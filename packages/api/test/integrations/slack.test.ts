import { newId } from '@app/database/new-id';
import { indexConnectorKinds } from '@app/domain/integrations/connector-kind';
import { slackConnector } from '@app/providers/slack/slack-connector';
import { createSandbox, type Sandbox } from '@app/sandbox/sandbox';
import { signSlack, type SlackPost } from '@app/sandbox/slack/slack-account';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { changeAsSystem } from '../../src/platform/system-work.ts';
import { openApiFixture, type ApiCaller, type ApiFixture } from '../api-fixture.ts';

let sandbox: Sandbox;
let fixture: ApiFixture;
let admin: ApiCaller;
let slug: string;
let channelId: string;
const key = () => crypto.randomUUID();
const query = async (text: string, values: unknown[] = []) =>
  (await fixture.db.systemPool.query(text, values)).rows;
beforeAll(async () => {
  sandbox = createSandbox();
  const { url } = await sandbox.start({ port: 0 });
  const slack = slackConnector({ sandboxUrl: url });
  const kind = { ...slack, limit: {}, events: { ...slack.events!, perSecond: 100 } };
  fixture = await openApiFixture({ connectorKinds: indexConnectorKinds([kind]) });
  admin = await fixture.as('admin');
  channelId = await fixture.addChannel();
  slug = (await query('SELECT slug FROM workspaces WHERE id = $1', [fixture.workspaceId]))[0].slug;
});
afterAll(async () => {
  await fixture.close();
  await sandbox.close();
});
beforeEach(async () => {
  sandbox.slack.reset();
  await fixture.db.systemPool.query('DELETE FROM integrations');
  const values = { botToken: 'xoxb-sandbox-slack-token', signingSecret: 'sandbox-slack-signing-secret' };
  const connected = await admin.post('/api/integrations/slack/connect', { values }, key());
  if (connected.status !== 200) throw new Error(await connected.text());
  const { items } = await (
    await admin.get('/api/integrations/slack/targets')
  ).json<{ items: { id: string; name: string }[] }>();
  const target = items.find(({ name }) => name === '#support');
  const { version } = await (await admin.get('/api/integrations/slack/events')).json<{ version: number }>();
  const topics = ['newChats', 'handoffs', 'campaignsCompleted'];
  const chosen = await admin.put('/api/integrations/slack/events', { topics, target, version });
  if (chosen.status !== 200) throw new Error(await chosen.text());
});

let numbers = 0;
/** A conversation of a new contact, whose first message arrives. */
async function beginChat(name: string, text: string) {
  const phone = `+4477008${String((numbers += 1)).padStart(5, '0')}`;
  const made = await admin.post('/api/contacts', { name, phone, tags: [] }, key());
  const { id: contactId } = await made.json<{ id: string }>();
  const conversationId = newId();
  await query(
    `INSERT INTO conversations (id, workspace_id, contact_id, channel_id, last_activity_at, window_ends_at)
     VALUES ($1, $2, $3, $4, now(), now() + interval '9 hours')`,
    [conversationId, fixture.workspaceId, contactId, channelId],
  );
  const chat = { contactId, conversationId, channelId };
  await write(chat, text, true);
  return chat;
}

async function write(
  { contactId, conversationId, channelId }: { contactId: string; conversationId: string; channelId: string },
  text: string,
  isFirst = false,
) {
  const id = newId();
  await query(
    `INSERT INTO messages (id, workspace_id, channel_id, contact_id, direction, provider_message_id, type, text, payload, occurred_at)
     VALUES ($1, $2, $3, $4, 'in', $5, 'text', $6, '{}', clock_timestamp())`,
    [id, fixture.workspaceId, channelId, contactId, id, text],
  );
  const of = { contactIds: [contactId], conversationIds: [conversationId] };
  await changeAsSystem(fixture.parts, 'webhooks', fixture.workspaceId, async (scope) => {
    const values = { messageIds: [id], buttonIds: [null], ...of };
    await scope.emit({ type: 'messages.arrived', subject: null, values });
    if (isFirst) await scope.emit({ type: 'conversations.opened', subject: null, values: of });
  });
}
const posts = (): SlackPost[] => sandbox.slack.posts.filter(({ user }) => user === 'U0BOT');
/** The first post, once its thread is known here: nobody answers before that who reads it first. */
async function firstThread({ conversationId }: { conversationId: string }) {
  const threads = () =>
    query('SELECT thread FROM connector_threads WHERE conversation_id = $1', [conversationId]);
  await expect.poll(threads).toHaveLength(1);
  expect(posts()).toHaveLength(1);
}
const sentTexts = async (conversation: { contactId: string }) =>
  (
    await query(`SELECT text FROM messages WHERE contact_id = $1 AND direction = 'out' ORDER BY send_no`, [
      conversation.contactId,
    ])
  ).map(({ text }) => text as string);
/** As Slack calls. */
async function callBack(body: object, headers?: Record<string, string>) {
  const text = JSON.stringify(body);
  const signed = headers ?? signSlack(text, Math.floor(Date.now() / 1000));
  return fixture.app.request(`/webhooks/slack/${slug}`, { method: 'POST', body: text, headers: signed });
}
const replyIn = ({ ts, channel }: SlackPost, text: string, id = 'Ev1', more: object = {}) => ({
  ...{ type: 'event_callback', team_id: 'T0SANDBOX', event_id: id, event_time: 1 },
  event: { type: 'message', channel, user: 'U0ANNA', text, ts: `${ts}9`, thread_ts: ts, ...more },
});

test('a new chat is one post, what follows is in its thread, and signs of Slack are escaped', async () => {
  const chat = await beginChat('Ana <b>', 'Is it & open?');
  await expect.poll(posts).toMatchObject([{ channel: 'C0SUPPORT', thread: null }]);
  expect(posts()[0]?.text).toBe('*Ana &lt;b&gt;* started a chat\n> Is it &amp; open?');
  await write(chat, 'Hello?');
  await expect.poll(posts).toHaveLength(2);
  expect(posts()[1]).toMatchObject({ thread: posts()[0]!.ts, text: '> Hello?' });
});

test('a post whose answer is lost is found again, and not made twice', async () => {
  sandbox.slack.behaviour.loseNextAnswers = 1;
  await beginChat('Bea', 'Once');
  const delivered = async () =>
    query(
      `SELECT status, attempts FROM webhook_deliveries WHERE type = 'conversations.opened' AND attempts > 1`,
    );
  await expect.poll(delivered).toMatchObject([{ status: 'delivered' }]);
  expect(posts()).toHaveLength(1);
});

test('a reply from the thread goes to the customer once, however often it is told', async () => {
  const chat = await beginChat('Cem', 'Hi');
  await firstThread(chat);
  const body = replyIn(posts()[0]!, 'We open at 9 &amp; close at 5');
  for (let time = 0; time < 3; time += 1) expect((await callBack(body)).status).toBe(204);
  expect(await sentTexts(chat)).toEqual(['We open at 9 & close at 5']);
  // What a bot says, and an edit, is no reply.
  await callBack(replyIn(posts()[0]!, 'bot', 'Ev2', { bot_id: 'B1' }));
  await callBack(replyIn(posts()[0]!, 'edit', 'Ev3', { subtype: 'message_changed' }));
  expect(await sentTexts(chat)).toHaveLength(1);
  // A reply that is also sent to the channel is one.
  await callBack(replyIn(posts()[0]!, 'On my way', 'Ev4', { subtype: 'thread_broadcast' }));
  expect(await sentTexts(chat)).toHaveLength(2);
});

test('a reply that comes before its thread is known is refused until then, and reaches the customer once', async () => {
  const chat = await beginChat('Fay', 'Hi');
  await firstThread(chat);
  const [post] = posts();
  const [thread] = await query('DELETE FROM connector_threads WHERE conversation_id = $1 RETURNING *', [
    chat.conversationId,
  ]);
  // As it stands while the answer to the post is awaited.
  await query(`UPDATE webhook_attempts SET outcome = 'unknown'`);
  await query(
    `UPDATE webhook_deliveries SET status = 'waiting', next_attempt_at = now() + interval '1 hour' WHERE endpoint_id = $1`,
    [thread.endpoint_id],
  );
  const reply = replyIn(post!, 'Just in time', 'Ev9');
  expect((await callBack(reply)).status).toBe(503);
  expect(await sentTexts(chat)).toEqual([]);

  await query(
    'INSERT INTO connector_threads SELECT * FROM jsonb_populate_record(NULL::connector_threads, $1)',
    [JSON.stringify(thread)],
  );
  for (let time = 0; time < 2; time += 1) expect((await callBack(reply)).status).toBe(204);
  expect(await sentTexts(chat)).toEqual(['Just in time']);
  // Once the answer is there, a thread that is not known is one of other people.
  await query(`UPDATE webhook_attempts SET outcome = 'ok'`);
  const other = replyIn({ ...post!, ts: '1.000001' }, 'Lunch?', 'Ev10');
  expect((await callBack(other)).status).toBe(204);
  expect(await sentTexts(chat)).toHaveLength(1);
});

test('of a reply with a file the text goes to the customer, and the thread says once that the file does not', async () => {
  const chat = await beginChat('Ela', 'Hi');
  await firstThread(chat);
  const files = [{ id: 'F1', name: 'offer.pdf', mimetype: 'application/pdf' }];
  const [first] = posts();
  for (let time = 0; time < 2; time += 1)
    await callBack(replyIn(first!, 'Our offer', 'Ev7', { subtype: 'file_share', files }));
  expect(await sentTexts(chat)).toEqual(['Our offer']);
  await expect.poll(posts).toHaveLength(2);
  expect(posts()[1]).toMatchObject({ thread: first!.ts, text: expect.stringContaining('The file was not') });
  // Without a word of its own.
  await callBack(replyIn(first!, '', 'Ev8', { subtype: 'file_share', files }));
  await expect.poll(posts).toHaveLength(3);
  expect(await sentTexts(chat)).toHaveLength(1);
});

test('a reply that may not be sent is told in the thread, once', async () => {
  const chat = await beginChat('Dov', 'Hi');
  await firstThread(chat);
  await query(`UPDATE conversations SET window_ends_at = now() - interval '1 hour' WHERE id = $1`, [
    chat.conversationId,
  ]);
  const body = replyIn(posts()[0]!, 'Too late');
  for (let time = 0; time < 2; time += 1) expect((await callBack(body)).status).toBe(204);
  await expect.poll(posts).toHaveLength(2);
  expect(posts()[1]).toMatchObject({ thread: posts()[0]!.ts });
  expect(posts()[1]?.text).toContain('Your reply was not sent');
  expect(await sentTexts(chat)).toEqual([]);
});

test('where another channel was chosen and the bot left the old one, a chat goes on in a new thread of the new one', async () => {
  const chat = await beginChat('Ida Moved', 'Hello');
  await expect.poll(posts).toMatchObject([{ channel: 'C0SUPPORT', thread: null }]);
  const events = '/api/integrations/slack/events';
  const { version } = await (await admin.get(events)).json<{ version: number }>();
  const { items } = await (
    await admin.get('/api/integrations/slack/targets')
  ).json<{ items: { id: string; name: string }[] }>();
  const target = items.find(({ id }) => id !== 'C0SUPPORT')!; // there are several
  expect((await admin.put(events, { topics: ['newChats'], target, version })).status).toBe(200);
  const { channels } = sandbox.slack;
  const [old] = channels.splice(
    channels.findIndex(({ id }) => id === 'C0SUPPORT'),
    1,
  );
  await write(chat, 'Still there?');
  await expect.poll(posts).toHaveLength(2);
  expect(posts()[1]).toMatchObject({ channel: target.id, thread: null });
  expect(posts()[1]?.text).toContain('Ida Moved');
  expect(posts()[1]?.text).toContain('> Still there?');
  await write(chat, 'Hm.');
  await expect.poll(posts).toHaveLength(3);
  expect(posts()[2]).toMatchObject({ channel: target.id, thread: posts()[1]!.ts, text: '> Hm.' });
  channels.push(old!); // taken out above
});

test('only fresh signed calls are heard, and the challenge is answered', async () => {
  const hello = { type: 'url_verification', challenge: 'c-1' };
  const answer = await callBack(hello);
  expect([answer.status, await answer.text()]).toEqual([200, 'c-1']);
  const text = JSON.stringify(hello);
  const now = Math.floor(Date.now() / 1000);
  expect((await callBack(hello, signSlack(text, now - 400))).status).toBe(401);
  expect((await callBack(hello, signSlack(text, now, 'another'))).status).toBe(401);
  expect((await callBack(hello, {})).status).toBe(401);
});

test('a bot that was removed from the channel is an error of the connection, with the words of Slack', async () => {
  sandbox.slack.behaviour.isRemoved = true;
  await beginChat('Eva', 'Hi');
  const read = async () => (await admin.get('/api/integrations/slack')).json();
  await expect
    .poll(read)
    .toMatchObject({ status: 'error', problem: 'account_unknown', problemDetail: 'not_in_channel' });
});
