import { afterAll, beforeAll, expect, test } from 'vitest';
import { longTest } from '@app/database/testing/long-test';
import { openConnectionFixture, type ConnectionFixture } from './connection-fixture.ts';

type Channel = {
  id: string;
  version: number;
  isConnected: boolean;
  isDefault: boolean;
  messagesPerSecond: number;
};
type AccountNumber = { address: string; maySend: boolean; channel: Channel | null } & Record<string, unknown>;
type Refusal = { error: { code: string; details?: { values?: { word: string }; issues?: unknown } } };

let api: ConnectionFixture;
let first: string;
/** A number of the same account that nobody verified yet. */
let fresh: string;
beforeAll(async () => {
  api = await openConnectionFixture();
  const made = await api.admin.post('/api/channels/connections', api.written());
  first = (await made.json<{ id: string }>()).id;
  const added = await fetch(`${api.sandboxUrl}/graph/v26.0/100000000000001/phone_numbers`, {
    method: 'POST',
    headers: { authorization: 'Bearer sandbox-access-token', 'content-type': 'application/json' },
    body: JSON.stringify({ cc: '44', phone_number: '7700 900101', verified_name: 'Second shop' }),
  });
  fresh = ((await added.json()) as { id: string }).id; // as the platform answers
});
afterAll(() => api.close());

const query = (text: string) => api.db.systemPool.query(text);
const at = (path = '') => `/api/channels/connections/${first}${path}`;
const readNumbers = async () =>
  (await (await api.admin.get(at('/numbers'))).json<{ items: AccountNumber[] }>()).items;
const find = async (address: string) => (await readNumbers()).find((number) => number.address === address)!;
const refusal = async (path: string, body: object) => {
  const answer = await api.admin.post(at(path), body);
  const { error } = await answer.json<Refusal>();
  return [answer.status, error.code, error.details?.values?.word];
};

test('every number of the account is read from the platform, with what is ours of it', async () => {
  const [sample, second] = [await find('200000000000001'), await find(fresh)];
  expect(sample).toEqual({
    ...{ address: '200000000000001', displayNumber: '+44 7700 900100', name: 'Sample business' },
    ...{ quality: 'green', status: 'connected', nameStatus: 'approved', codeStatus: 'verified' },
    ...{ maySend: true, hasPin: false, peopleADay: 'unlimited', messagesPerSecond: 80 },
    channel: {
      ...{ id: first, version: 1, isConnected: true, isDefault: true },
      ...{ messagesPerSecond: 80, health: null },
    },
  });
  expect(second).toMatchObject({ codeStatus: 'not_verified', maySend: false, channel: null });
  await api.control('whatsapp/numbers/200000000000001', { quality: 'RED', limit: 'TIER_2K' });
  expect(await find('200000000000001')).toMatchObject({ quality: 'red', peopleADay: 2000 });
});

test('a new number is proved by a code, registered with a PIN, and connected with the same credentials', async () => {
  const number = '/numbers';
  const address = fresh;
  expect(await refusal(`${number}/registration`, { address, pin: '123456' })).toEqual([
    422,
    'platform_refused',
    '133006',
  ]);
  expect((await api.admin.post(at(`${number}/code`), { address, by: 'sms', language: 'en_US' })).status).toBe(
    200,
  );
  expect(await refusal(`${number}/verification`, { address, code: '999999' })).toEqual([
    422,
    'platform_refused',
    '136025',
  ]);
  expect((await api.admin.post(at(`${number}/verification`), { address, code: '123456' })).status).toBe(200);
  expect(await refusal(`${number}/code`, { address, by: 'voice', language: 'en_US' })).toEqual([
    ...[422, 'platform_refused', '136024'],
  ]);
  expect((await api.admin.post(at(`${number}/registration`), { address, pin: '12345' })).status).toBe(422);
  expect((await api.admin.post(at(`${number}/registration`), { address, pin: '654321' })).status).toBe(200);
  expect(await refusal(`${number}/registration`, { address, pin: '111111' })).toEqual([
    422,
    'platform_refused',
    '133005',
  ]);
  expect(await find(fresh)).toMatchObject({ maySend: true, hasPin: true, codeStatus: 'verified' });

  const added = await api.admin.post(at('/numbers'), { address: fresh });
  const shown = await added.json<{ id: string }>();
  expect(shown).toMatchObject({
    ...{ displayName: '+44 7700 900101', isConnected: true, isDefault: false },
    values: { phoneNumberId: fresh, businessAccountId: '100000000000001' },
  });
  const again = await api.admin.post(at('/numbers'), { address: fresh });
  expect([again.status, await again.json()]).toMatchObject([200, { id: shown.id }]);
  const none = await api.admin.post(at('/numbers'), { address: '5' });
  expect((await none.json<Refusal>()).error).toMatchObject({
    ...{ code: 'connection_refused', details: { issues: [{ message: 'number_unknown' }] } },
  });
});

test('one number is that of the workspace, and each has its own rate', async () => {
  const { channel } = await find(fresh);
  const other = (path: string) => `/api/channels/connections/${channel?.id}${path}`;
  expect((await api.admin.post(other('/default'))).status).toBe(200);
  expect((await api.admin.post(other('/default'))).status).toBe(200);
  expect([
    (await find(fresh)).channel?.isDefault,
    (await find('200000000000001')).channel?.isDefault,
  ]).toEqual([...[true, false]]);
  const { items } = await (
    await api.admin.get('/api/channels')
  ).json<{
    items: { displayName: string; isSender: boolean }[];
  }>();
  expect(items.find(({ isSender }) => isSender)?.displayName).toBe('+44 7700 900101');
  const contact = await api.admin.post('/api/contacts', { name: 'Ann', phone: '+447700900201' });
  const { id: contactId } = await contact.json<{ id: string }>();
  const begun = await api.admin.post('/api/conversations', { contactId });
  expect(await begun.json()).toMatchObject({ channelId: channel?.id });
  const rate = { version: channel!.version, messagesPerSecond: 20 };
  expect((await api.admin.patch(other('/rate'), rate)).status).toBe(200);
  const late = await api.admin.patch(other('/rate'), rate);
  expect([late.status, (await late.json<Refusal>()).error.code]).toEqual([409, 'channel_changed']);
  expect((await find(fresh)).channel?.messagesPerSecond).toBe(20);
  expect((await api.admin.patch(other('/rate'), { ...rate, messagesPerSecond: 0 })).status).toBe(422);
  // Without it the other one sends.
  await api.admin.post(other('/disconnect'));
  expect((await find('200000000000001')).channel?.isDefault).toBe(true);
});

longTest(
  'of several who choose the number of the workspace at once each is heard, and one number stands',
  async () => {
    await query(
      `INSERT INTO channels (id, workspace_id, kind, address, credentials, display_name, is_connected, messages_per_second)
     SELECT gen_random_uuid(), workspace_id, kind, 'third', credentials, 'Third', true, 80 FROM channels LIMIT 1`,
    );
    await query('UPDATE channels SET is_connected = true');
    const { rows } = await query('SELECT id FROM channels ORDER BY id');
    expect(rows).toHaveLength(3);
    for (let round = 0; round < 5; round += 1) {
      const answers = await Promise.all(
        [...rows, ...rows].map(({ id }) => api.admin.post(`/api/channels/connections/${id}/default`)),
      );
      expect(answers.map(({ status }) => status)).toEqual(answers.map(() => 200));
      expect((await query('SELECT FROM channels WHERE is_default')).rowCount).toBe(1);
    }
  },
);

test('a profile that is saved as it stands is not handed over once more', async () => {
  const path = `/api/settings/numbers/${first}/profile`;
  const { version, profile } = await (
    await api.admin.get(path)
  ).json<{ version: number; profile: Record<string, unknown> }>();
  const pushed = async () =>
    (await query(`SELECT version FROM profile_pushes WHERE channel_id = '${first}'`)).rows;
  expect((await api.admin.put(path, { version, profile: { ...profile, about: 'Open' } })).status).toBe(200);
  const once = await pushed();
  const same = await api.admin.put(path, { version: version + 1, profile: { ...profile, about: 'Open' } });
  expect(same.status).toBe(200);
  expect([once, await pushed()]).toEqual([[{ version: version + 1 }], [{ version: version + 1 }]]);
});
