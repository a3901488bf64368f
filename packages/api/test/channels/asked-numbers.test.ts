import { newId } from '@app/database/new-id';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { askAtStart, askedNumbers, askNumber } from '../../src/channels/ask-numbers.ts';
import { openSystemScopes } from '../../src/platform/system-work.ts';
import { countLockWaits } from '../lock-waits.ts';
import { startCampaign, type CampaignDetails } from '../campaigns/campaign-scenes.ts';
import { openConnectionFixture, type ConnectionFixture } from './connection-fixture.ts';
import { pageOf } from '../scope-on.ts';

const NUMBER = 'whatsapp/numbers/200000000000001';
let api: ConnectionFixture;
let channelId: string;
let contactId: string;
beforeAll(async () => {
  api = await openConnectionFixture();
  const made = await api.admin.post('/api/channels/connections', api.written());
  channelId = (await made.json<{ id: string }>()).id;
  contactId = newId();
  await query(
    `INSERT INTO contacts (id, workspace_id, name, phone, window_expires_at) VALUES ($1, $2, 'Ann', '+447700900201', now() + interval '9 hours')`,
    [contactId, api.workspaceId],
  );
});
afterAll(() => api.close());
beforeEach(async () => {
  await query('DELETE FROM campaigns');
  await query('DELETE FROM delivery_runs');
  await api.control(NUMBER, { quality: 'GREEN', status: 'CONNECTED' });
  await ask();
});

const query = (text: string, values: unknown[] = []) => api.db.systemPool.query(text, values);
const signal = new AbortController().signal;
/** As the worker would. */
const ask = () =>
  askNumber.perform(
    { ...api.parts, ...openSystemScopes(api.parts, 'upkeep', api.workspaceId) },
    { id: newId(), workspaceId: api.workspaceId, payload: { channelId }, signal, cause: null, from: null },
  );
const lookAround = () =>
  askedNumbers.perform(api.parts, {
    id: newId(),
    workspaceId: null,
    payload: {},
    signal,
    cause: null,
    from: null,
  });
const start = () => startCampaign(api.admin, { audience: { contactIds: [contactId] } });
const read = async (id: string) =>
  (await api.admin.get(`/api/campaigns/${id}`)).json<CampaignDetails & { pauseCode: string | null }>();
const known = async () => {
  const { rows } = await query('SELECT standing, asked_at FROM channels WHERE id = $1', [channelId]);
  return rows[0];
};
const setGuard = async (quality: string | undefined, isEnabled = true) => {
  const { version } = await (await api.admin.get('/api/settings/messaging')).json<{ version: number }>();
  const campaignGuard = { isEnabled, ...(quality && { quality }), failurePercent: 25, among: 100 };
  expect((await api.admin.put('/api/settings/messaging', { version, campaignGuard })).status).toBe(200);
};

test.each([
  ['RED', 'red', true],
  ['RED', 'yellow', true],
  ['YELLOW', 'yellow', true],
  ['YELLOW', 'red', false],
])('where campaigns pause at a quality, %s at %s pauses: %j', async (quality, pausesAt, isPaused) => {
  await setGuard(pausesAt);
  const { id } = await start();
  await api.control(NUMBER, { quality });
  await ask();
  expect(await read(id)).toMatchObject(
    isPaused ? { status: 'paused', pauseCode: 'number_quality' } : { status: 'running', pauseCode: null },
  );
  expect((await known()).standing).toMatchObject({ quality: quality.toLowerCase(), health: 'available' });
});

test('who resumes has seen it: the same quality pauses no second time, and nothing where the guard is off', async () => {
  await setGuard('red');
  const { id } = await start();
  await api.control(NUMBER, { quality: 'RED' });
  await ask();
  expect((await read(id)).pauseReason).toMatch(/quality of this number/);
  expect((await api.admin.post(`/api/campaigns/${id}/resume`)).status).toBe(200);
  await ask();
  expect(await read(id)).toMatchObject({ status: 'running' });
  await setGuard('red', false);
  await api.control(NUMBER, { quality: 'GREEN' });
  await ask();
  await api.control(NUMBER, { quality: 'RED' });
  await ask();
  expect(await read(id)).toMatchObject({ status: 'running' });
  await setGuard(undefined);
  const { campaignGuard } = await (
    await api.admin.get('/api/settings/messaging')
  ).json<{ campaignGuard: object }>();
  expect(campaignGuard).toMatchObject({ quality: 'red' });
});

test('numbers are asked about while something leaves by them, or is about to, and not otherwise', async () => {
  expect(await lookAround()).toEqual({ numbers: 0 });
  const { id } = await start();
  expect(await lookAround()).toEqual({ numbers: 1 });
  await api.admin.post(`/api/campaigns/${id}/cancel`);
  await query('DELETE FROM delivery_runs');
  expect(await lookAround()).toEqual({ numbers: 0 });
  const plan = (minutes: number) =>
    query(
      `INSERT INTO campaigns (id, workspace_id, name, status, scheduled_at) VALUES ($1, $2, 'Soon', 'scheduled', now() + make_interval(mins => $3))`,
      [newId(), api.workspaceId, minutes],
    );
  await plan(30);
  expect(await lookAround()).toEqual({ numbers: 0 });
  await plan(5);
  expect(await lookAround()).toEqual({ numbers: 1 });
});

test('at a start the platform is asked only where what is known is old', async () => {
  const { id } = await start();
  await api.facts.catchUp();
  const asked = async () => {
    const left: string[] = [];
    const jobs = { enqueue: async (_: unknown, { name }: { name: string }) => void left.push(name) };
    const scopes = openSystemScopes(api.parts, 'facts', api.workspaceId);
    const fact = { type: 'campaign.started', subject: id } as Parameters<typeof askAtStart.handle>[1][number];
    await scopes.change((scope) =>
      askAtStart.handle(pageOf(scope), [fact], {
        db: api.db,
        jobs: jobs as unknown as typeof api.parts.jobs,
      }),
    );
    return left;
  };
  expect(await asked()).toEqual([]);
  await query(`UPDATE channels SET asked_at = now() - interval '11 minutes'`);
  expect(await asked()).toEqual(['ask-number']);
});

test('a list that somebody opens says what all are to know, and keeps what it was not told', async () => {
  await setGuard('red');
  const { id } = await start();
  await api.control(NUMBER, { quality: 'RED', limit: 'TIER_2K' });
  const list = await api.admin.get(`/api/channels/connections/${channelId}/numbers`);
  expect((await list.json<{ items: object[] }>()).items[0]).toMatchObject({
    quality: 'red',
    channel: { health: 'available' },
  });
  expect((await known()).standing).toEqual({
    ...{ quality: 'red', health: 'available', status: 'connected', peopleADay: 2000 },
  });
  expect(await read(id)).toMatchObject({ status: 'paused', pauseCode: 'number_quality' });
});

test('a number that may not send any more is known as that', async () => {
  await api.control(NUMBER, { status: 'RESTRICTED' });
  await ask();
  expect((await known()).standing).toMatchObject({ health: 'blocked', status: 'restricted' });
});

test('a drop waits for whoever resumes a campaign, and holds nothing that they need', async () => {
  await setGuard('red');
  const { id } = await start();
  await api.control(NUMBER, { quality: 'RED' });
  const client = await api.db.systemPool.connect();
  try {
    await client.query('BEGIN');
    await client.query('SELECT FROM delivery_runs WHERE campaign_id = $1 FOR UPDATE', [id]);
    const asked = ask();
    await expect.poll(() => countLockWaits(client)).toBe(1);
    await client.query('SELECT FROM channels WHERE id = $1 FOR UPDATE NOWAIT', [channelId]);
    await client.query('COMMIT');
    await asked;
  } finally {
    client.release();
  }
  expect(await read(id)).toMatchObject({ status: 'paused', pauseCode: 'number_quality' });
});
