import { isDeepStrictEqual } from 'node:util';
import type { EndpointMeta } from '@app/contracts/endpoint';
import { contract } from '@app/contracts/contract';
import { part } from '@app/database/testing/thorough';
import type { OutboundMessage } from '@app/domain/messaging/channel-port';
import { createSandbox } from '@app/sandbox/sandbox';
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { longTest } from '@app/database/testing/long-test';
import { pruneActs } from '../../src/platform/idempotency.ts';
import { openRequests } from '../request-scenes.ts';
import { openApiFixture, signIn, type ApiCaller, type ApiFixture, type SentMail } from '../api-fixture.ts';
import { countWrites, type WriteCount } from '../count-writes.ts';
import type { Scene } from '../scene-kit.ts';
import {
  callRest,
  callRpc,
  contractRoutes,
  isChanging,
  readAnswer,
  type Input,
} from '../http-edge/contract-routes.ts';

let api: ApiFixture;
let tab: ApiCaller;
/** The same person in another tab, with a sign-in of its own. */
let otherTab: ApiCaller;
let manager: ApiCaller;
let scenes: Record<string, Scene>;
let writes: WriteCount;
const sent: OutboundMessage[] = [];
const sandbox = createSandbox();

beforeAll(async () => {
  api = await openApiFixture(
    {
      messageSender: {
        open: async () => ({
          send: async (message) => {
            sent.push(message);
            return { outcome: 'accepted', providerMessageId: `wamid.${sent.length}` };
          },
        }),
      },
    },
    // What goes on behind an answer, such as clearing everything, is none of its effects.
    { isWorking: false },
  );
  tab = await api.as('admin');
  otherTab = await signIn(api.app, 'admin@acme.test');
  manager = await api.as('manager');
  await api.addChannel();
  const { url } = await sandbox.start({ port: 0 });
  scenes = await openRequests(api, tab, `${url}/`);
  writes = await countWrites(api.db.systemPool);
  // The first message of a number makes a row for its rate.
  await tab.post('/api/campaigns/test-message', await scenes['campaigns.sendTest']!());
  // Before the first campaign of a number the platform is asked about it.
  const start = contractRoutes.find(({ name }) => name === 'campaigns.start')!; // the contract has it
  await readOk(callRpc(tab, start, await scenes['campaigns.start']!(), withKey('the-first-of-the-number')));
});
afterAll(async () => {
  await api.close();
  await sandbox.close();
});

const repeatOf = (name: string) => {
  const [feature, endpoint] = name.split('.') as ['contacts', 'create']; // any of them has the same shape
  return (contract[feature][endpoint]['~orpc'].meta as EndpointMeta).repeat;
};
const changing = contractRoutes.filter(isChanging);
const keyed = changing.filter(({ name }) => typeof repeatOf(name) === 'string');
const taking = changing.filter(({ name }) => {
  const repeat = repeatOf(name);
  return typeof repeat === 'string' || repeat?.honoursKey;
});
const named = (routes: typeof changing) => routes.map((route) => [route.name, route] as const);

/** What was written meanwhile, table by table, and what left the product. */
async function effectsOf(work: () => Promise<void>): Promise<Record<string, number>> {
  // Kept sums lie in more or fewer rows, and an act may fold those of others together.
  await api.db.systemPool.query('SELECT fold_contact_counts($1)', [api.workspaceId]);
  const sentBefore = sent.length;
  // What follows from a fact comes after the answer.
  await api.facts.catchUp();
  const written = await writes.during(async () => {
    await work();
    await api.facts.catchUp();
  });
  return sent.length === sentBefore ? written : { ...written, sent: sent.length - sentBefore };
}

const withKey = (key: string) => ({ 'idempotency-key': key });

test('there is a scene for every act that takes a key, and for no other', () => {
  expect(Object.keys(scenes).toSorted()).toEqual(taking.map(({ name }) => name).toSorted());
});

test('nobody declares an act harmless without saying why', () => {
  for (const { name } of changing) {
    const repeat = repeatOf(name);
    expect(typeof repeat === 'string' || (repeat?.harmless.length ?? 0) > 10, name).toBe(true);
  }
});

test('a second write is seen, even one that leaves every row as it was', async () => {
  const { contactId } = await scenes['contacts.remove']!();
  const rename = () => api.db.systemPool.query('UPDATE contacts SET name = name WHERE id = $1', [contactId]);
  const once = await effectsOf(async () => void (await rename()));
  expect(once).toMatchObject({ 'contacts: update': 1 });
  expect(await effectsOf(async () => void [await rename(), await rename()])).not.toEqual(once);
});

// How an act is kept is written once, for all of them (`apply-idempotency.ts`): `npm test` looks at some, `npm run faults -- acts-once` at each.
describe('one act under one key', () => {
  // Clearing everything disconnects the numbers that the others need.
  afterEach(() => api.db.systemPool.query('UPDATE channels SET is_connected = true WHERE NOT is_connected'));

  // Start for Real deletes the accounts that the other requests need; its own test presses it twice.
  const repeatable = taking.filter(({ name }) => name !== 'dataManagement.startForReal');
  longTest.each(part(named(repeatable), 10))(
    '%s is done once, from one tab and from two',
    async (name, route) => {
      const scene = scenes[name]!;
      const alone = await scene();
      const once = await effectsOf(async () => {
        expect(await readOk(callRpc(tab, route, alone, withKey('once-and-alone')))).toBeDefined();
      });
      const input = await scene();
      const key = crypto.randomUUID();
      const answers: unknown[] = [];
      const twice = await effectsOf(async () => {
        answers.push(
          ...(await Promise.all(
            [tab, tab, otherTab].map((caller) => readOk(callRpc(caller, route, input, withKey(key)))),
          )),
        );
        answers.push(await readOk(callRpc(tab, route, input, withKey(key))));
        answers.push(await readOk(callRpc(otherTab, route, input, withKey(key))));
        answers.push(await readOk(callRest(tab, route, input, withKey(key))));
      });
      expect(twice).toEqual(once);
      for (const answer of answers) expect(answer).toEqual(answers[0]);
    },
  );

  test.each(part(named(repeatable), 22, 1))('%s refuses the key for another request', async (name, route) => {
    const key = crypto.randomUUID();
    const first = await scenes[name]!();
    await readOk(callRpc(tab, route, first, withKey(key)));
    const scene = await scenes[name]!();
    // A service is connected once: another request is about another service.
    const isSame = 'kind' in first && isDeepStrictEqual(scene, first);
    const other = isSame ? { ...scene, kind: 'another' } : scene;
    // Without any input there is no other request.
    if (Object.keys(other).length === 0) return;
    const response = await callRpc(tab, route, other, withKey(key));
    expect([response.status, (await readAnswer(response)).code]).toEqual([409, 'idempotency_key_reused']);
  });

  test.each(['campaigns.create', 'bulkMessage.send'])(
    '%s names what the first request made when the second one differs',
    async (name) => {
      const route = changing.find((known) => known.name === name)!;
      const key = crypto.randomUUID();
      const made = (await readOk(callRpc(tab, route, await scenes[name]!(), withKey(key)))) as {
        id?: string;
        campaignId?: string;
      };
      const refusal = await readAnswer(await callRpc(otherTab, route, await scenes[name]!(), withKey(key)));
      expect(refusal).toMatchObject({
        code: 'idempotency_key_reused',
        details: { values: { made: made.campaignId ?? made.id } },
      });
    },
  );

  test.each(part(named(keyed), 22, 2))('%s is not done without a key', async (name, route) => {
    const input = await scenes[name]!();
    const nothing = await effectsOf(async () => {
      for (const key of ['', 'short', 'x'.repeat(201), 'with spaces in it']) {
        const response = await callRest(tab, route, input, withKey(key));
        expect([key, response.status, (await readAnswer(response)).code]).toEqual([
          ...[key, 400, 'idempotency_key_required'],
        ]);
      }
    });
    expect(nothing).toEqual({});
  });
});

describe('a key', () => {
  const create = contractRoutes.find(({ name }) => name === 'contacts.create')!;
  const add = (caller: ApiCaller, input: Input, key: string) => callRest(caller, create, input, withKey(key));

  test('brings an enquiry to the mail boxes once', async () => {
    const route = contractRoutes.find(({ name }) => name === 'landing.sendEnquiry')!;
    const input = { ...(await scenes[route.name]!()), name: 'Pressed twice' };
    const mails: SentMail[] = [];
    const working = await openApiFixture({ mailer: { send: async (mail) => void mails.push(mail) } });
    const send = (values: Input, key: string) => callRest(working.stranger, route, values, withKey(key));
    for (const _ of [1, 2, 3]) await readOk(send(input, 'pressed-three-times'));
    await readOk(send({ ...input, name: 'Pressed later' }, 'pressed-once'));
    // One mail for each administrator of the two workspaces.
    const about = (name: string) => mails.filter(({ text }) => text.includes(name)).length;
    await expect.poll(() => about('Pressed later')).toBe(2);
    expect(about('Pressed twice')).toBe(2);
    await working.close();
  });

  test('belongs to its caller: nobody hears the answer of another person', async () => {
    const input = await scenes['contacts.create']!();
    const key = crypto.randomUUID();
    await readOk(add(tab, input, key));
    const others = await add(manager, input, key);
    expect([others.status, (await readAnswer(others)).code]).toEqual([409, 'contact_phone_taken']);
    const elsewhere = await readOk(add(await api.asOther(), input, key));
    const own = await readOk(add(tab, input, key));
    expect((elsewhere as { id: string }).id).not.toBe((own as { id: string }).id);
  });

  test('that was refused may act once the reason is gone', async () => {
    const input = await scenes['contacts.create']!();
    const { id } = (await readOk(add(tab, input, crypto.randomUUID()))) as { id: string };
    const key = crypto.randomUUID();
    expect((await add(tab, input, key)).status).toBe(409);
    await tab.delete(`/api/contacts/${id}`);
    expect(await readOk(add(tab, input, key))).toMatchObject({ phone: input.phone });
  });

  test('keeps no answer about a person who was erased', async () => {
    const input = await scenes['contacts.create']!();
    const key = crypto.randomUUID();
    const { id } = (await readOk(add(tab, input, key))) as { id: string };
    await tab.post(`/api/contacts/${id}/erase`);
    const { rows } = await api.db.systemPool.query(
      'SELECT FROM idempotency_keys k WHERE to_jsonb(k)::text LIKE $1 OR to_jsonb(k)::text LIKE $2',
      [`%${id}%`, `%${String(input.phone).slice(1)}%`],
    );
    expect(rows).toHaveLength(0);
    const again = await add(tab, input, key);
    expect([again.status, (await readAnswer(again)).code]).toEqual([409, 'idempotency_answer_gone']);
  });

  test('keeps no answer longer than 256 kB', async () => {
    const contacts = await api.db.systemPool.query<{ id: string }>('SELECT id FROM contacts LIMIT 1');
    const ids = Array.from({ length: 7_000 }, () => crypto.randomUUID());
    const body = {
      name: 'Many',
      message: { customMessage: 'Hello' },
      audience: { contactIds: [contacts.rows[0]!.id, ...ids] },
    };
    const key = crypto.randomUUID();
    expect((await tab.post('/api/campaigns', body, key)).status).toBe(200);
    const again = await tab.post('/api/campaigns', body, key);
    expect((await readAnswer(again)).code).toBe('idempotency_answer_gone');
    const { rows } = await api.db.systemPool.query(
      'SELECT max(length(response::text))::int AS n FROM idempotency_keys',
    );
    expect(rows[0].n).toBeLessThan(256 * 1024);
  });

  test('is kept for a month, and not for ever', async () => {
    const key = crypto.randomUUID();
    const send = () =>
      tab.post(
        '/api/segments',
        { name: `Kept ${key}`, rules: { match: 'all', conditions: [{ kind: 'has_tag', value: 'new' }] } },
        key,
      );
    const first = await (await send()).json<{ id: string }>();
    const age = (days: number) =>
      api.db.systemPool.query('UPDATE idempotency_keys SET created_at = now() - make_interval(days => $1)', [
        days,
      ]);
    await age(1);
    await pruneActs(api.db);
    expect(await (await send()).json()).toMatchObject(first);
    // The answer goes, what was made is still named.
    await age(29);
    await pruneActs(api.db);
    expect(await readAnswer(await send())).toMatchObject({
      code: 'idempotency_answer_gone',
      details: { values: { made: first.id } },
    });
    await age(31);
    await pruneActs(api.db);
    expect((await readAnswer(await send())).code).toBe('segment_name_taken');
  });

  test('stands in the description of the API where it is needed', async () => {
    const { paths } = await (
      await api.stranger.get('/api/openapi.json')
    ).json<{
      paths: Record<string, Record<string, { parameters?: { name: string; required: boolean }[] }>>;
    }>();
    const headerOf = (path: string, method: string) =>
      paths[path]?.[method]?.parameters?.find(({ name }) => name === 'Idempotency-Key')?.required;
    expect(headerOf('/campaigns', 'post')).toBe(true);
    expect(headerOf('/contacts/{contactId}', 'patch')).toBe(false);
    expect(headerOf('/contacts', 'get')).toBeUndefined();
  });
});

async function readOk(answering: Promise<Awaited<ReturnType<typeof callRest>>>): Promise<unknown> {
  const response = await answering;
  const text = await response.text();
  expect(response.status, text).toBe(200);
  const body: { json?: unknown } = JSON.parse(text);
  return 'json' in body ? body.json : body;
}
