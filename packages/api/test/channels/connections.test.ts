import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { longTest } from '@app/database/testing/long-test';
import { signIn } from '../api-fixture.ts';
import { openConnectionFixture, type ConnectionFixture } from './connection-fixture.ts';

type Connection = { id: string; version: number; isConnected: boolean; stopped: unknown } & Record<
  string,
  unknown
>;
type Proof = { fields: { field: string; state: string; problem: string | null; detail: string | null }[] };
type Refusal = { error: { code: string; details?: { issues?: unknown; values?: { reason: string } } } };

let api: ConnectionFixture;
beforeAll(async () => {
  api = await openConnectionFixture();
});
afterAll(() => api.close());
afterEach(() =>
  api.control('whatsapp/behaviour', {
    ...{ tokenProblem: 'none', appSecretChanged: false, numbersElsewhere: false },
  }),
);

const AT = '/api/channels/connections';
const prove = async (body: object) => {
  const answer = await api.admin.post(`${AT}/proof`, body);
  return answer.json<Proof>();
};
const problems = ({ fields }: Proof) =>
  Object.fromEntries(fields.map(({ field, state, problem }) => [field, problem ?? state]));

async function connect(): Promise<Connection> {
  const { items } = await (await api.admin.get(AT)).json<{ items: Connection[] }>();
  const known = items.find(({ values }) =>
    (values as { phoneNumberId: string }).phoneNumberId.endsWith('01'),
  );
  if (known?.isConnected) return known;
  const answer = known
    ? await api.admin.patch(`${AT}/${known.id}`, { version: known.version, ...saved({}) })
    : await api.admin.post(AT, api.written());
  expect(answer.status).toBe(200);
  return answer.json<Connection>();
}

/** What a form sends of a number that is known: secrets only when somebody wrote new ones. */
const saved = (values: Record<string, string>) => {
  const { phoneNumberId, businessAccountId, appId } = api.written().values;
  return {
    server: 'sandbox',
    values: { ...{ phoneNumberId, businessAccountId, appId }, ...values } as Record<string, string>,
  };
};

describe('before anything is saved', () => {
  test('each value is tried by itself as soon as it can be', async () => {
    const { values } = api.written();
    const only = (...names: string[]) => ({
      ...api.written(),
      values: Object.fromEntries(names.map((name) => [name, values[name]])),
    });
    expect(problems(await prove(only('accessToken')))).toEqual({ accessToken: 'right' });
    expect(problems(await prove(only('phoneNumberId')))).toEqual({ phoneNumberId: 'unproven' });
    expect(problems(await prove(only('appId', 'appSecret')))).toEqual({ appId: 'right', appSecret: 'right' });
    expect(problems(await prove(only('accessToken', 'phoneNumberId')))).toEqual({
      ...{ accessToken: 'right', phoneNumberId: 'right' },
    });
    expect(problems(await prove(api.written()))).toEqual({
      ...{ accessToken: 'right', phoneNumberId: 'right', businessAccountId: 'right' },
      ...{ appId: 'right', appSecret: 'right' },
    });
    const nothing = await api.admin.post(`${AT}/proof`, only());
    expect((await nothing.json<Refusal>()).error.code).toBe('connection_incomplete');
  });

  longTest.each<[string, Record<string, string>, Record<string, string>]>([
    ['a token that ended', { accessToken: 'sandbox-expired-token' }, { accessToken: 'token_expired' }],
    ['a token that was revoked', { accessToken: 'sandbox-revoked-token' }, { accessToken: 'token_invalid' }],
    ['no token', { accessToken: 'of nobody' }, { accessToken: 'token_invalid' }],
    [
      'a token that may nothing',
      { accessToken: 'sandbox-powerless-token' },
      { accessToken: 'token_lacks_permission' },
    ],
    ['no number', { phoneNumberId: '5' }, { phoneNumberId: 'number_unknown' }],
    ['no account', { businessAccountId: '6' }, { businessAccountId: 'account_unknown' }],
    [
      'a number in place of the account',
      { businessAccountId: '200000000000001' },
      { businessAccountId: 'account_unknown' },
    ],
    ['another secret', { appSecret: 'guessed' }, { appSecret: 'app_secret_wrong' }],
    ['another app', { appId: '7' }, { appId: 'app_of_another_token' }],
  ])('%s is named', async (_, values, expected) => {
    expect(problems(await prove(api.written(values)))).toMatchObject(expected);
  });

  test('so is the number of another account, and what a token lacks', async () => {
    await api.control('whatsapp/behaviour', { numbersElsewhere: true });
    expect(problems(await prove(api.written()))).toMatchObject({
      phoneNumberId: 'number_of_another_account',
    });
    await api.control('whatsapp/behaviour', { tokenProblem: 'no-permission' });
    const { fields } = await prove(api.written());
    expect(fields).toContainEqual({
      ...{ field: 'accessToken', state: 'wrong', problem: 'token_lacks_permission' },
      detail: 'whatsapp_business_messaging, whatsapp_business_management',
    });
  });

  test('nothing is saved of a connection that the platform does not know, or that is not whole', async () => {
    const wrong = await api.admin.post(AT, api.written({ appSecret: 'guessed', accessToken: 'guessed' }));
    expect(wrong.status).toBe(422);
    expect((await wrong.json<Refusal>()).error).toMatchObject({
      code: 'connection_refused',
      details: {
        issues: [
          { field: 'accessToken', message: 'token_invalid' },
          { field: 'appSecret', message: 'app_secret_wrong' },
        ],
      },
    });
    const short = await api.admin.post(AT, api.written({ appSecret: ' ' }));
    expect((await short.json<Refusal>()).error).toMatchObject({
      ...{
        code: 'connection_incomplete',
        message: 'Missing required credentials. Please fill in all fields.',
      },
      details: { issues: [{ field: 'appSecret', message: 'missing' }] },
    });
    const { items } = await (await api.admin.get(AT)).json<{ items: unknown[] }>();
    expect(items).toEqual([]);
  });
});

describe('a saved connection', () => {
  test('shows no secret but its end, and is itself for good', async () => {
    const connection = await connect();
    expect(connection).toMatchObject({
      ...{ isConnected: true, isDefault: true, server: 'sandbox', displayName: '+44 7700 900100' },
      ...{ accountName: 'Sample business', stopped: null, webhookProblem: null },
      values: {
        phoneNumberId: '200000000000001',
        businessAccountId: '100000000000001',
        appId: '300000000000001',
      },
      secrets: { accessToken: { lastFour: 'oken' }, appSecret: { lastFour: 'cret' } },
      webhookUrl: `${api.origin}/webhooks/whatsapp/acme`,
      webhookToken: expect.stringMatching(/^verify_[\w-]{24}$/),
    });
    const text = await (await api.admin.get(AT)).text();
    expect(text).not.toContain('sandbox-access-token');
    expect(text).not.toContain('sandbox-app-secret');
    const different = await api.admin.post(AT, api.written({ accessToken: 'another of the same app' }));
    expect([different.status, (await different.json<Refusal>()).error.code]).toEqual([409, 'channel_exists']);
    const other = await api.admin.patch(`${AT}/${connection.id}`, {
      ...{ version: connection.version, ...saved({ phoneNumberId: '8' }) },
    });
    expect((await other.json<Refusal>()).error.code).toBe('channel_number_fixed');
  });

  test('is connected for whoever lost the answer and asks again, also twice at once', async () => {
    const { id } = await connect();
    const again = await api.admin.post(AT, api.written());
    expect([again.status, (await again.json<Connection>()).id]).toEqual([200, id]);
    const ids = { appId: '300000000000009', phoneNumberId: '200000000000009' };
    const values = { ...ids, businessAccountId: '100000000000009', accessToken: 'token-of-the-ninth' };
    await api.control('whatsapp/numbers', { ...values, appSecret: 'secret-of-the-ninth' });
    const both = await Promise.all(
      [1, 2].map(() => api.admin.post(AT, api.written({ ...values, appSecret: 'secret-of-the-ninth' }))),
    );
    expect(both.map(({ status }) => status)).toEqual([200, 200]);
    const [one, other] = await Promise.all(both.map((answer) => answer.json<Connection>()));
    expect(one?.id).toBe(other?.id);
    // Once it is disconnected, the same values connect it anew: its conversations stay with it.
    expect((await api.admin.post(`${AT}/${one?.id}/disconnect`)).status).toBe(200);
    const anew = await api.admin.post(AT, api.written({ ...values, appSecret: 'secret-of-the-ninth' }));
    expect(await anew.json()).toMatchObject({
      ...{ id: one?.id, isConnected: true, stopped: null, webhookToken: one?.['webhookToken'] },
    });
    expect((await api.admin.post(`${AT}/${one?.id}/disconnect`)).status).toBe(200);
  });

  test('keeps the secrets that nobody wrote anew, and sends them to no other server', async () => {
    const { id: channelId } = await connect();
    expect(problems(await prove({ channelId, kind: 'whatsapp', ...saved({}) }))).toMatchObject({
      ...{ accessToken: 'right', appSecret: 'right' },
    });
    const real = { ...saved({}), server: 'platform', values: { ...saved({}).values, accessToken: '' } };
    const answer = await api.admin.patch(`${AT}/${channelId}`, { version: 1, ...real });
    expect((await answer.json<Refusal>()).error.code).toBe('connection_incomplete');
  });

  test('of two admins who save at once one is refused', async () => {
    const { id, version } = await connect();
    const second = await signIn(api.app, 'admin@acme.test');
    const answers = await Promise.all(
      [api.admin, second].map((caller) =>
        caller.patch(`${AT}/${id}`, { version, ...saved({ appId: '300000000000001' }) }),
      ),
    );
    expect(answers.map(({ status }) => status).toSorted()).toEqual([200, 409]);
    const refused = answers.find(({ status }) => status === 409);
    expect((await refused?.json<Refusal>())?.error.code).toBe('channel_changed');
  });

  test('is looked at and changed by those alone who may', async () => {
    const { id } = await connect();
    for (const role of ['manager', 'agent', 'viewer'] as const)
      expect((await (await api.as(role)).get(AT)).status).toBe(403);
    expect((await (await api.as('manager')).post(`${AT}/${id}/disconnect`)).status).toBe(403);
    expect((await (await api.asOther()).post(`${AT}/${id}/disconnect`)).status).toBe(404);
  });
});

describe('the webhooks of an account', () => {
  test.each(['', 'a+b &c=d%20é"\'<>?#/\\ 你好 😀'])(
    'come to us after one press (word "%s")',
    async (webhookToken) => {
      const { id, version } = await connect();
      const subscription = () => api.admin.get(`${AT}/${id}/subscription`).then((answer) => answer.json());
      const values = webhookToken ? { verifyToken: webhookToken } : {};
      const changed = await api.admin.patch(`${AT}/${id}`, { version, ...saved(values) });
      expect(await changed.json()).toMatchObject(webhookToken ? { webhookToken } : {});
      const pressed = await api.admin.post(`${AT}/${id}/subscription`);
      expect([pressed.status, await pressed.json()]).toMatchObject([200, { missing: [], reason: null }]);
      const address = `${api.origin}/webhooks/whatsapp/acme`;
      expect(await subscription()).toMatchObject({ state: 'here', address, missing: [] });
    },
  );

  test('do not where the platform cannot call us, and it says why', async () => {
    const { id } = await connect();
    await api.control('whatsapp/errors', { code: 2200, endpoint: 'subscribed_apps' });
    const pressed = await api.admin.post(`${AT}/${id}/subscription`);
    const { error } = await pressed.json<Refusal>();
    expect([pressed.status, error.code]).toEqual([422, 'webhook_unreachable']);
    expect(error.details?.values?.reason).toEqual(expect.any(String));
    await api.control('whatsapp/errors', { code: 10, endpoint: 'subscribed_apps' });
    const second = await (await api.admin.post(`${AT}/${id}/subscription`)).json<Refusal>();
    expect(second.error.code).toBe('platform_refused');
  });
});

test('who disconnects a number loses nothing and may connect it again', async () => {
  const { id } = await connect();
  const off = await api.admin.post(`${AT}/${id}/disconnect`);
  expect(await off.json()).toMatchObject({
    ...{ isConnected: false, stopped: { code: 'disconnected', blocks: 'everything' } },
    secrets: { accessToken: { lastFour: 'oken' } },
  });
  expect((await (await api.admin.get(`${AT}/${id}/subscription`)).json<Refusal>()).error.code).toBe(
    'channel_not_connected',
  );
  expect(await connect()).toMatchObject({ id, isConnected: true, stopped: null });
  await api.facts.catchUp();
  const { rows } = await api.db.systemPool.query(
    `SELECT DISTINCT type FROM events WHERE type LIKE 'channel.%' ORDER BY type`,
  );
  expect(rows.map(({ type }) => type)).toEqual([
    ...['channel.changed', 'channel.connected', 'channel.disconnected'],
  ]);
});

describe('what the platform says of what is stored', () => {
  const read = async (id: string) => {
    const { items } = await (await api.admin.get(AT)).json<{ items: Connection[] }>();
    return items.find((one) => one.id === id);
  };
  const ownValues = () => ({ kind: 'whatsapp', ...saved({}) });

  test('a check of it is seen by everybody, until another finds it right', async () => {
    const { id } = await connect();
    expect((await read(id))?.['trouble']).toBeNull();
    await api.control('whatsapp/behaviour', { tokenProblem: 'expired' });
    await prove({ channelId: id, ...ownValues() });
    expect((await read(id))?.['trouble']).toMatchObject({ problem: 'token_expired' });
    // What somebody only writes says nothing of what is stored.
    await api.control('whatsapp/behaviour', { tokenProblem: 'none' });
    await prove({ channelId: id, ...ownValues(), values: { ...ownValues().values, accessToken: 'other' } });
    expect((await read(id))?.['trouble']).toMatchObject({ problem: 'token_expired' });
    await prove({ channelId: id, ...ownValues() });
    expect((await read(id))?.['trouble']).toBeNull();
  });

  longTest('a token that ends soon is right, and its end is seen by everybody before it comes', async () => {
    const { id } = await connect();
    const days = (count: number) => Date.now() + count * 24 * 3_600_000;
    const endAfter = (count?: number) =>
      api.control('whatsapp/tokens', {
        ...{ token: 'sandbox-access-token', ...(count !== undefined && { expiresAt: days(count) }) },
      });
    const ofToken = async () => {
      const { fields } = await prove({ channelId: id, ...ownValues() });
      return fields.find(({ field }) => field === 'accessToken');
    };
    await endAfter(8);
    expect(await ofToken()).toMatchObject({ state: 'right', problem: null });
    expect((await read(id))?.['endsAt']).toBeNull();
    await endAfter(6);
    const soon = await ofToken();
    expect(soon).toMatchObject({ state: 'right', problem: 'token_ends_soon' });
    const left = Date.parse(soon?.detail ?? '') - days(6);
    expect(Math.abs(left)).toBeLessThan(60_000);
    expect(await read(id)).toMatchObject({ trouble: null, endsAt: soon?.detail });
    // That it has ended is known by its day, also while nobody asks the platform.
    await api.db.systemPool.query(
      `UPDATE channels SET credentials_end_at = now() - interval '1 hour' WHERE id = $1`,
      [id],
    );
    expect(await read(id)).toMatchObject({ trouble: { problem: 'token_expired' }, endsAt: null });
    await endAfter();
    expect(await ofToken()).toMatchObject({ state: 'right', problem: null });
    expect((await read(id))?.['endsAt']).toBeNull();
  });

  test('a refused question says it too, and an answer takes it back', async () => {
    const { id } = await connect();
    await api.control('whatsapp/tokens', {
      ...{ token: 'sandbox-access-token', permissions: ['whatsapp_business_messaging'] },
    });
    expect((await api.admin.get(`${AT}/${id}/numbers`)).status).toBe(422);
    expect((await read(id))?.['trouble']).toMatchObject({
      ...{ problem: 'token_lacks_permission', detail: 'whatsapp_business_management' },
    });
    await api.control('whatsapp/tokens', { token: 'sandbox-access-token' });
    expect((await api.admin.get(`${AT}/${id}/numbers`)).status).toBe(200);
    expect((await read(id))?.['trouble']).toBeNull();
  });
});
