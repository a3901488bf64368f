import { afterAll, beforeAll, expect, it } from 'vitest';
import { connectAgent } from './connect-agent.ts';
import { eventually, openHostFixture, type HostFixture } from './host-fixture.ts';

type Counts = Record<string, number>;
type Campaign = {
  id: string;
  status: string;
  counts: Counts;
  fallbackCounts: Counts | null;
  fallbackCost: object | null;
};
type Failed = { error: { code: string } };

let host: HostFixture;
let agentId: string;
let numberId: string;
let templateId: string;
let contentId: string;

const rcs = <Answer = object>(path: string, body?: object) =>
  host.sandbox<Answer>(`/_sandbox/rcs/${path}`, body);
const fallback = (over: object = {}) => ({
  ...{ channelId: numberId, templateId, afterSeconds: 10, variables: {} },
  ...over,
});
const get = async (id: string) => (await host.call<Campaign>('GET', `/api/campaigns/${id}`)).body;
/** Of the counts that have each recipient once. */
const sumOf = (counts: Counts | null) =>
  ['waiting', 'sent', 'failed', 'arrived', 'leftOut', 'unknown'].reduce(
    (sum, name) => sum + (counts?.[name] ?? 0),
    0,
  );
const create = (tag: string, over: object = {}) =>
  host.call<Campaign & Failed>('POST', '/api/campaigns', {
    ...{ name: `Chain ${tag}`, message: { contentId }, audience: { filter: { tags: [tag] } } },
    ...{ channelId: agentId, fallback: fallback(), ...over },
  });

/** Contacts of one kind of phone; the numbers go on from `from`. */
async function addContacts(tag: string, from: number, count: number, behaviour = 'reachable') {
  const phones = Array.from({ length: count }, (_, n) => `+4915112${String(from + n).padStart(6, '0')}`);
  await host.database.query(
    `INSERT INTO contacts (id, workspace_id, name, phone, tags, status, created_at, updated_at, version)
     SELECT gen_random_uuid(), $1, 'Reader', phone, ARRAY[$3], 'active', now(), now(), 1 FROM unnest($2::text[]) AS phone`,
    [host.workspaceId, phones, tag],
  );
  if (behaviour !== 'reachable')
    for (const phone of phones) await rcs(`phones/${encodeURIComponent(phone)}`, { behaviour });
  return phones;
}

/** How many messages each phone shows, through both platforms. */
async function received(phones: readonly string[]): Promise<Map<string, number>> {
  const agent = await rcs<{ phones: { phone: string; entries: { direction: string }[] }[] }>('phones');
  const number = await host.sandbox<{ messages: { to: string }[] }>('/_sandbox/whatsapp/messages');
  const counts = new Map(phones.map((phone) => [phone, 0]));
  const add = (phone: string, n: number) => {
    if (counts.has(phone)) counts.set(phone, counts.get(phone)! + n);
  };
  for (const { phone, entries } of agent.phones)
    add(phone, entries.filter(({ direction }) => direction === 'in').length);
  for (const { to } of number.messages) add(`+${to.replace('+', '')}`, 1);
  return counts;
}

async function start(id: string): Promise<void> {
  const started = await host.call('POST', `/api/campaigns/${id}/start`);
  expect([started.status, started.body]).toMatchObject([200, { id }]);
}

beforeAll(async () => {
  host = await openHostFixture();
  agentId = await connectAgent(host, { readRate: 0 });
  await host.sandbox('/_sandbox/whatsapp/behaviour', { throughputMps: 0, latencyMs: 0, failRate: 0 });
  const { rows } = await host.database.query<{ id: string }>(
    `SELECT id FROM channels WHERE kind <> 'rcs' LIMIT 1`,
  );
  numberId = rows[0]!.id;
  const components = [{ type: 'body', text: 'Hello {{name}}, our sale has begun.' }];
  const template = await host.call<{ id: string }>('POST', '/api/templates', {
    ...{ name: 'Sale', language: 'en', status: 'approved', components },
  });
  templateId = template.body.id;
  await eventually(
    () => host.call<{ isSendable: boolean }>('GET', `/api/templates/${templateId}`),
    ({ body: { isSendable } }) => isSendable,
  );
  const message = await host.call<{ id: string }>('POST', '/api/rcs/messages', {
    ...{ name: 'Sale', type: 'text', status: 'active', content: { text: 'Hello {{name}}' } },
  });
  contentId = message.body.id;
});
afterAll(() => host.close());

it('a fallback needs a first message that can be withdrawn, another number, and a template that may be sent', async () => {
  await addContacts('one', 100, 1);
  const codeOf = async (over: object) => (await create('one', over)).body.error.code;
  const text = { message: { customMessage: 'Hi' } };
  expect(await codeOf({ ...text, channelId: numberId })).toBe('fallback_not_possible');
  expect(await codeOf({ fallback: fallback({ channelId: agentId }) })).toBe('fallback_not_possible');
  expect(await codeOf({ fallback: fallback({ templateId: contentId }) })).toBe('template_not_found');
  expect((await create('one', { fallback: fallback({ afterSeconds: 9 }) })).status).toBe(422);
  const { body } = await create('one');
  expect(body).toMatchObject({ fallback: { channelId: numberId, templateId }, fallbackCounts: null });
});

it('of 200 contacts each gets one message at most, and the figures add up', async () => {
  const phones = [
    ...(await addContacts('chain', 1_000, 120)),
    ...(await addContacts('chain', 2_000, 60, 'no_rcs')),
  ];
  const neither = await addContacts('chain', 3_000, 20, 'offline');
  const { body } = await create('chain');
  // Nobody falls back before the opt-outs, however slow the machine is.
  const hold = (isHeld: boolean) =>
    host.database.query('UPDATE campaigns SET fallback_done_at = CASE WHEN $2 THEN now() END WHERE id = $1', [
      ...[body.id, isHeld],
    ]);
  await hold(true);
  await start(body.id);
  const undecided = await eventually(
    () => get(body.id),
    ({ counts }) => counts['pending'] === 0 && counts['failed']! > 0,
  );
  // Nobody follows any more, as far as this campaign knows.
  expect(undecided.fallbackCounts).toMatchObject({ waiting: 0, leftOut: undecided.counts['failed'] });
  // They opt out between the two messages.
  await host.database.query('UPDATE contacts SET opted_out_at = now() WHERE phone = ANY ($1)', [neither]);
  await hold(false);
  const done = await eventually(
    async () => {
      const now = await get(body.id);
      expect(sumOf(now.fallbackCounts)).toBe(now.counts['failed']);
      return now;
    },
    ({ status, counts, fallbackCounts }) =>
      status === 'completed' &&
      counts['delivered'] === 120 &&
      fallbackCounts?.['delivered'] === 60 &&
      fallbackCounts['leftOut'] === 20,
  );
  expect(done.counts).toMatchObject({ total: 200, sent: 120, delivered: 120, failed: 80, unknown: 0 });
  expect(done.fallbackCounts).toMatchObject({ sent: 60, delivered: 60, leftOut: 20, waiting: 0, unknown: 0 });
  type Recipient = {
    phone: string;
    outcome: string;
    fallback: { state: string; code: string | null } | null;
  };
  const listed = await host.call<{ items: Recipient[] }>(
    'GET',
    `/api/campaigns/${body.id}/recipients?limit=200`,
  );
  const states = Map.groupBy(listed.body.items, ({ fallback: second }) => second?.state ?? 'none');
  expect(new Map([...states].map(([state, items]) => [state, items.length]))).toEqual(
    new Map(
      [
        ['none', 120],
        ['read', states.get('read')?.length ?? 0],
        ['delivered', states.get('delivered')?.length ?? 0],
        ['left_out', 20],
      ].filter(([, n]) => n !== 0) as [string, number][],
    ),
  );
  expect(states.get('left_out')?.[0]?.fallback?.code).toBe('contact_opted_out');
  expect(done.fallbackCost).toEqual({ amount: 3, currency: 'USD' });
  const counts = await received([...phones, ...neither]);
  expect([...counts.values()].filter((n) => n > 1)).toEqual([]);
  expect(phones.filter((phone) => counts.get(phone) !== 1)).toEqual([]);
  expect(neither.filter((phone) => counts.get(phone) !== 0)).toEqual([]);
  // Whom the second message reached is sent nothing by a retry, and who opted out neither.
  expect((await host.call('POST', `/api/campaigns/${body.id}/retry-failed`, {})).status).toBe(422);
});

it('a message that may have arrived is followed by none: it is unknown until a late report', async () => {
  const phones = await addContacts('silent', 4_000, 5, 'silent');
  const { body } = await create('silent');
  await start(body.id);
  await eventually(
    () => get(body.id),
    ({ counts }) => counts['sent'] === 5,
  );
  const age = `interval '10 minutes'`;
  await host.database.query(
    `UPDATE delivery_recipients SET accepted_at = accepted_at - ${age}, sent_at = sent_at - ${age} WHERE address = ANY ($1)`,
    [phones],
  );
  await eventually(
    () => get(body.id),
    ({ fallbackCounts }) => fallbackCounts?.['unknown'] === 5,
  );
  for (const phone of phones.slice(0, 2)) {
    await rcs(`phones/${encodeURIComponent(phone)}`, { behaviour: 'reachable' });
    await rcs('inbound', { from: phone, read: true });
  }
  const late = await eventually(
    () => get(body.id),
    ({ fallbackCounts }) => fallbackCounts?.['arrived'] === 2,
  );
  expect(late.fallbackCounts).toMatchObject({ sent: 0, unknown: 3 });
  expect([...(await received(phones)).values()]).toEqual([1, 1, 1, 1, 1]);
});
