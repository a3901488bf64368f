import { afterAll, beforeAll, expect, it } from 'vitest';
import { longTest } from '@app/database/testing/long-test';
import { connectAgent } from './connect-agent.ts';
import { eventually, openHostFixture, type HostFixture } from './host-fixture.ts';

type Campaign = {
  id: string;
  status: string;
  contentName: string | null;
  pauseCode: string | null;
  counts: Record<string, number>;
};
type Failed = { error: { code: string } };

let host: HostFixture;
let channelId: string;
let messageNo = 0;
const rcs = <Answer = object>(path: string, body?: object) =>
  host.sandbox<Answer>(`/_sandbox/rcs/${path}`, body);

const message = (of: object = {}) => ({
  ...{ name: `Sale ${(messageNo += 1)}`, type: 'text', content: { text: 'Hello {{name}}' } },
  ...{ status: 'active', ...of },
});
type RcsMessage = { id: string; name: string; version: number };
const addMessage = async (of: object = {}) => {
  const given = message(of);
  const { body } = await host.call<RcsMessage>('POST', '/api/rcs/messages', given);
  const save = (changes: object) =>
    host.call('PUT', `/api/rcs/messages/${body.id}`, { ...given, version: body.version, ...changes });
  return { ...body, save };
};
const addContacts = async (tag: string, phones: readonly string[]) => {
  for (const [n, phone] of phones.entries())
    await host.call('POST', '/api/contacts', { name: `Reader ${n}`, phone, tags: [tag] });
  return { filter: { tags: [tag] } };
};
const create = (contentId: string, audience: object, over: object = {}) =>
  host.call<Campaign & Failed>('POST', '/api/campaigns', {
    ...{ name: 'Spring', message: { contentId }, audience, channelId, ...over },
  });
const start = (id: string, input: object = {}) =>
  host.call<Campaign & Failed>('POST', `/api/campaigns/${id}/start`, input);
const get = async (id: string) => (await host.call<Campaign>('GET', `/api/campaigns/${id}`)).body;

beforeAll(async () => {
  host = await openHostFixture();
  channelId = await connectAgent(host, { readRate: 1 });
});
afterAll(() => host.close());

it('a campaign carries an active RCS message, filled for each contact, to each of them once', async () => {
  const phones = ['+447700900231', '+447700900232'];
  const audience = await addContacts('content-readers', phones);
  const card = { title: 'Hello {{name}}', suggestions: [{ type: 'reply', text: 'Take it' }] };
  const { id, name } = await addMessage({ type: 'rich_card', content: { cards: [card] } });
  const created = await create(id, audience);
  expect([created.status, created.body]).toMatchObject([
    200,
    { contentId: id, contentName: name, templateId: null },
  ]);
  expect((await start(created.body.id)).status).toBe(200);
  await eventually(
    () => get(created.body.id),
    ({ counts }) => counts['read'] === 2,
  );
  const { messages } = await rcs<{ messages: { phone: string; content: unknown }[] }>('messages');
  const sent = messages.filter(({ phone }) => phones.includes(phone));
  expect(sent.map(({ phone }) => phone).toSorted()).toEqual(phones);
  expect(JSON.stringify(sent)).toContain('Hello Reader 1');
  const list = await host.call<{ items: Campaign[] }>('GET', '/api/campaigns?channelKind=rcs');
  expect(list.body.items.map((one) => one.id)).toEqual([created.body.id]);
});

longTest('an agent for several uses says of each campaign whether it advertises', async () => {
  const { rows } = await host.database.query<{ id: string }>('SELECT id FROM workspaces LIMIT 1');
  const settings = { kindLimits: { rcs: { isEnabled: true, perMinute: 600, perDay: 1_000 } } };
  await host.database.query('UPDATE workspaces SET settings = settings || $2 WHERE id = $1', [
    rows[0]!.id,
    settings,
  ]);
  for (const [category, phone, traffic] of [
    ['marketing', '+447700900241', 'PROMOTION'],
    ['promotional', '+447700900242', 'PROMOTION'],
    ['transactional', '+447700900243', 'TRANSACTION'],
    ['customer_service', '+447700900244', 'TRANSACTION'],
  ] as const) {
    const { id } = await addMessage({ category });
    const { body } = await create(id, await addContacts(`traffic-${category}`, [phone]));
    expect((await start(body.id)).status).toBe(200);
    await eventually(
      () => get(body.id),
      ({ counts }) => counts['read'] === 1,
    );
    const { messages } = await rcs<{ messages: { phone: string; trafficType: string }[] }>('messages');
    expect(messages.filter((one) => one.phone === phone)).toMatchObject([{ trafficType: traffic }]);
  }
  // Each of them took its place in the limit of the day of this kind of channel.
  const { rows: days } = await host.database.query<{ used: number }>(
    `SELECT (kinds #>> '{rcs,used}')::integer AS used FROM delivery_usage`,
  );
  expect(days).toEqual([{ used: 4 }]);
});

it('each contact gets the message in their own language, and everybody else the first one', async () => {
  const phones = ['+447700900251', '+447700900252', '+447700900253', '+447700900254'];
  const audience = await addContacts('languages', phones);
  for (const [phone, language] of [
    ['+447700900252', 'de'],
    ['+447700900253', 'de_AT'],
    ['+447700900254', 'it'],
  ])
    await host.database.query('UPDATE contacts SET language = $2 WHERE phone = $1', [phone, language]);
  const { id } = await addMessage({
    ...{ language: 'en', content: { text: 'Hello {{name}}' } },
    translations: { de: { text: 'Hallo {{name}}' }, fr: { text: 'Bonjour {{name}}' } },
  });
  const { body } = await create(id, audience);
  expect((await start(body.id)).status).toBe(200);
  await eventually(
    () => get(body.id),
    ({ counts }) => counts['read'] === 4,
  );
  const { messages } = await rcs<{ messages: { phone: string; content: { text: string } }[] }>('messages');
  const texts = phones.map((phone) =>
    messages.filter((one) => one.phone === phone).map((one) => one.content.text),
  );
  expect(texts).toEqual([['Hello Reader 0'], ['Hallo Reader 1'], ['Hallo Reader 2'], ['Hello Reader 3']]);
});

longTest(
  'a file of the library leaves as an address that opens for the platform alone; without it nothing starts',
  async () => {
    const bytes = Buffer.from('%PDF-1.7\n%%EOF\n');
    const upload = { name: 'Menü 2.pdf', size: bytes.length, purpose: 'card' };
    const { body: begun } = await host.call<{ id: string }>('POST', '/api/uploads', upload);
    await fetch(`${host.url}/api/uploads/${begun.id}`, {
      ...{ method: 'PATCH', body: bytes },
      headers: { cookie: host.cookie, 'upload-offset': '0', 'content-type': 'application/octet-stream' },
    });
    const content = { cards: [{ media: { file: { id: begun.id }, height: 'short' } }] };
    const { id } = await addMessage({ type: 'rich_card', content });
    const { body } = await create(id, await addContacts('file-readers', ['+447700900255']));
    const { body: later } = await create(id, { filter: { tags: ['file-readers'] } });
    expect((await start(body.id)).body).toMatchObject({ id: body.id });
    await eventually(
      () => get(body.id),
      ({ counts }) => counts['read'] === 1,
    );
    const { messages } = await rcs<{
      messages: { phone: string; content: Record<string, Record<string, string>> }[];
    }>('messages');
    const [sent] = messages.filter(({ phone }) => phone === '+447700900255');
    const address = sent!.content['contentInfo']!['fileUrl']!;
    const path = new URL(address).pathname;
    const [, , token = '', name = ''] = path.split('/');
    // By this name a phone calls the file.
    expect(decodeURIComponent(name)).toBe('Menü 2.pdf');
    const opened = await fetch(new URL(path, host.url));
    expect([opened.status, opened.headers.get('content-type')]).toEqual([200, 'application/pdf']);
    expect(Buffer.from(await opened.arrayBuffer())).toEqual(bytes);
    const guessed = `/media/${token.slice(0, -1)}${token.endsWith('A') ? 'B' : 'A'}/${name}`;
    expect((await fetch(new URL(guessed, host.url))).status).toBe(404);
    // As after a restored backup without its files.
    await host.database.query('DELETE FROM media WHERE id = $1', [begun.id]);
    expect((await start(later.id)).body.error.code).toBe('content_file_gone');
    expect((await fetch(new URL(path, host.url))).status).toBe(404);
  },
);

longTest(
  'a card whose picture is gone fails for the recipients of this card, with that reason, and all others get their message',
  async () => {
    const phones = ['+447700900236', '+447700900237'];
    const audience = await addContacts('picture-readers', phones);
    await host.database.query(`UPDATE contacts SET language = 'de' WHERE phone = $1`, [phones[0]]);
    const card = (title: string, link: string) => ({
      cards: [{ title, media: { link, height: 'short' } }],
    });
    const { id } = await addMessage({
      ...{ type: 'rich_card', language: 'en', content: card('Hello', 'https://shop.example/here.jpg') },
      translations: { de: card('Hallo', 'https://gone.invalid/gone.jpg') },
    });
    const { body } = await create(id, audience);
    expect((await start(body.id)).status).toBe(200);
    const { status, counts } = await eventually(
      () => get(body.id),
      (one) => one.status === 'completed' && one.counts['read'] === 1,
    );
    expect([status, counts]).toMatchObject(['completed', { total: 2, sent: 1, failed: 1, unknown: 0 }]);
    const recipients = await host.call<{
      items: { phone: string; errorCode: string; explanation: string }[];
    }>('GET', `/api/campaigns/${body.id}/recipients?outcome=failed`);
    expect(recipients.body.items).toMatchObject([
      {
        ...{ phone: phones[0], errorCode: 'rcs.INVALID_ARGUMENT' },
        explanation: expect.stringContaining('a file cannot be loaded from its address'),
      },
    ]);
    const { messages } = await rcs<{ messages: { phone: string }[] }>('messages');
    expect(messages.filter(({ phone }) => phones.includes(phone))).toMatchObject([{ phone: phones[1] }]);
    // The agent goes on: a message of another campaign reaches the same person.
    const next = await create((await addMessage()).id, audience);
    expect((await start(next.body.id)).status).toBe(200);
    await eventually(
      () => get(next.body.id),
      (one) => one.counts['read'] === 2,
    );
  },
);

it('only an active message is taken, and only by an agent of its kind', async () => {
  const audience = await addContacts('refused-readers', ['+447700900233']);
  const draft = await addMessage({ status: 'draft' });
  const paused = await addMessage({ status: 'paused' });
  const active = await addMessage();
  const codeOf = async (answer: Promise<{ body: Failed }>) => (await answer).body.error.code;
  expect(await codeOf(create(draft.id, audience))).toBe('content_not_active');
  expect(await codeOf(create(paused.id, audience))).toBe('content_not_active');
  expect(await codeOf(create(active.id, audience, { channelId: null }))).toBe('content_elsewhere');
  expect(await codeOf(create(channelId, audience))).toBe('content_not_found');
  const { body } = await host.call<{ items: { id: string }[] }>(
    'GET',
    `/api/campaigns/contents?channelId=${channelId}&search=${active.name}`,
  );
  expect(body.items.map(({ id }) => id)).toEqual([active.id]);
});

it('pausing a message pauses its campaigns; one that was not started yet is refused', async () => {
  const audience = await addContacts('paused-readers', ['+447700900234']);
  const chosen = await addMessage();
  const [running, waiting] = [await create(chosen.id, audience), await create(chosen.id, audience)];
  expect((await start(running.body.id, { takeBackSeconds: 10 })).body.status).toBe('running');
  expect((await chosen.save({ status: 'paused' })).status).toBe(200);
  expect(await get(running.body.id)).toMatchObject({ status: 'paused', pauseCode: 'content_not_active' });
  expect((await start(waiting.body.id)).body.error.code).toBe('content_not_active');
  expect((await host.call('POST', `/api/campaigns/${running.body.id}/resume`)).status).toBe(409);
});

it('an agent that was revoked pauses its campaigns, and nobody fails for it', async () => {
  const phones = ['+447700900261', '+447700900262', '+447700900263'];
  const { id } = await addMessage();
  const { body } = await create(id, await addContacts('revoked-readers', phones));
  await rcs('agent/access', { isRevoked: true });
  expect((await start(body.id)).status).toBe(200);
  const { counts } = await eventually(
    () => get(body.id),
    ({ status }) => status === 'paused',
  );
  expect(counts).toMatchObject({ sent: 0, failed: 0, unknown: 0 });
  await rcs('agent/access', { isRevoked: false });
  const tested = await host.call('POST', '/api/channels/connections/proof', {
    ...{ channelId, kind: 'rcs', server: 'sandbox', values: {} },
  });
  expect(tested.status).toBe(200);
  // The user who tested the connection does not wait for the next round of checks.
  await eventually(
    () => get(body.id),
    ({ status, counts: now }) => status === 'completed' && now['sent'] === 3,
  );
});

it('the share of an audience that has RCS is known before the start, and costs the platform nothing twice', async () => {
  const audience = await addContacts('reach-readers', ['+447700900235', '+447700900903', '+447700900904']);
  const count = () => host.call('POST', '/api/campaigns/reachable', { audience, channelId });
  expect((await count()).body).toEqual({ asked: 3, reachable: 1 });
  expect((await count()).body).toEqual({ asked: 3, reachable: 1 });
  const { rows } = await host.database.query<{ id: string }>(
    `SELECT id FROM channels WHERE kind <> 'rcs' LIMIT 1`,
  );
  const other = await host.call('POST', '/api/campaigns/reachable', { audience, channelId: rows[0]!.id });
  expect(other.body).toEqual({ asked: null, reachable: 0 });
});

longTest('taps are counted by suggestion, for the contacts of the campaign alone', async () => {
  const phones = ['+447700900271', '+447700900272', '+447700900273'];
  const audience = await addContacts('taps', phones);
  const card = {
    title: 'New shoes',
    suggestions: [{ type: 'dial', text: 'Call us', phone: '+44 20 7946 0999' }],
  };
  const suggestions = [
    { type: 'reply', text: 'Keep them for {{name}}' },
    { type: 'reply', text: 'No, 100% sure' },
  ];
  const { id } = await addMessage({ type: 'rich_card', content: { cards: [card], suggestions } });
  const { body } = await create(id, audience);
  expect((await start(body.id)).status).toBe(200);
  await eventually(
    () => get(body.id),
    ({ counts }) => counts['read'] === 3,
  );
  const tap = (from: string, label: string) => rcs('inbound', { from, tap: label });
  await tap(phones[0]!, 'Keep them for Reader 0');
  await tap(phones[1]!, 'Keep them for Reader 1');
  await tap(phones[1]!, 'Keep them for Reader 1');
  await tap(phones[1]!, 'Call us');
  await rcs('inbound', { from: phones[2], text: 'No, 100% sure' });
  type Results = { taps: { label: string; tapped: number; taps: number }[] };
  const results = await eventually(
    async () => (await host.call<Results>('GET', `/api/campaigns/${body.id}/conversions`)).body,
    ({ taps }) => taps.reduce((sum, one) => sum + one.taps, 0) === 4,
  );
  // What is typed is no tap.
  expect(results.taps).toEqual([
    { label: 'Keep them for {{name}}', tapped: 2, taps: 3 },
    { label: 'Call us', tapped: 1, taps: 1 },
  ]);
});
