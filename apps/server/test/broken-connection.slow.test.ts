import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { eventually, inboundText, openHostFixture, type HostFixture } from './host-fixture.ts';

type Connection = { id: string; version: number; isConnected: boolean; stopped: unknown };
type Campaign = { status: string; pauseCode: string | null; counts: Record<string, number> };
type Refusal = { error: { code: string; details?: { issues?: unknown } } };

let host: HostFixture;
beforeAll(async () => {
  host = await openHostFixture();
});
afterAll(() => host.close());

const AT = '/api/channels/connections';
const COUNT = 200;
/** Messages a second. */
const SLOW = 4;
const FAST = 500;

async function readConnection(): Promise<Connection> {
  const { body } = await host.call<{ items: Connection[] }>('GET', AT);
  return body.items[0]!; // the number of the sample workspace
}

/** Saves what is there once more, with the secrets that are stored. */
async function save() {
  const { id, version } = await readConnection();
  const values = {
    ...{ phoneNumberId: '200000000000001', businessAccountId: '100000000000001', appId: '300000000000001' },
  };
  return host.call<Connection & Refusal>('PATCH', `${AT}/${id}`, { version, server: 'sandbox', values });
}

/** How fast the number sends: so slowly that a campaign is under way for as long as a test looks at it, or as fast as may be. */
async function setRate(messagesPerSecond: number) {
  const { id, version } = await readConnection();
  const set = await host.call('PATCH', `${AT}/${id}/rate`, { version, messagesPerSecond });
  expect(set.status).toBe(200);
}

const readCampaign = async (id: string) => (await host.call<Campaign>('GET', `/api/campaigns/${id}`)).body;
const becomes = (id: string, status: string) =>
  eventually(
    () => readCampaign(id),
    (campaign) => campaign.status === status,
  );

async function countAccepted(phones: readonly string[]): Promise<Map<string, number>> {
  const { messages } = await host.sandbox<{ messages: { to: string }[] }>('/_sandbox/whatsapp/messages');
  const wanted = new Set(phones);
  const counts = new Map<string, number>();
  for (const { to } of messages) if (wanted.has(to)) counts.set(to, (counts.get(to) ?? 0) + 1);
  return counts;
}

/** A free text to people who wrote today, of whom some have it already. */
async function startCampaign(tag: string, start: number): Promise<{ id: string; phones: string[] }> {
  const phones = Array.from({ length: COUNT }, (_, index) => `+4477009${start + index}`);
  await host.database.query(
    `INSERT INTO contacts (id, workspace_id, name, phone, tags, status, window_expires_at)
     SELECT gen_random_uuid(), $1, 'Person ' || phone, phone, ARRAY[$3::text], 'active', now() + interval '9 hours'
       FROM unnest($2::text[]) AS phone`,
    [host.workspaceId, phones, tag],
  );
  await host.sandbox('/_sandbox/whatsapp/behaviour', { windowError: 'off', latencyMs: 10 });
  await setRate(SLOW);
  const { status, body } = await host.call<{ campaignId: string }>('POST', '/api/bulk-messages', {
    ...{ audience: { filter: { tags: [tag] } }, message: { customMessage: 'Hello' } },
  });
  expect(status).toBe(200);
  await eventually(
    () => countAccepted(phones),
    ({ size }) => size >= 10,
  );
  return { id: body.campaignId, phones };
}

function expectEachOnce(counts: Map<string, number>) {
  expect([counts.size, Math.max(...counts.values())]).toEqual([COUNT, 1]);
}

describe('a campaign under way', () => {
  test('pauses when the token ends, says why, and goes on by itself once the connection is mended', async () => {
    const { id, phones } = await startCampaign('token', 20_000);
    await host.sandbox('/_sandbox/whatsapp/behaviour', { tokenProblem: 'expired' });
    expect(await becomes(id, 'paused')).toMatchObject({ pauseCode: '190' });
    expect((await countAccepted(phones)).size).toBeLessThan(COUNT);
    expect(await readConnection()).toMatchObject({
      ...{ isConnected: true, stopped: { code: '190', blocks: 'everything' } },
    });
    const early = await save();
    expect([early.status, early.body.error]).toMatchObject([
      422,
      {
        code: 'connection_refused',
        details: { issues: [{ field: 'accessToken', message: 'token_expired' }] },
      },
    ]);
    expect((await readCampaign(id)).status).toBe('paused');
    await host.sandbox('/_sandbox/whatsapp/behaviour', { tokenProblem: 'none' });
    await setRate(FAST);
    expect(await save()).toMatchObject({ status: 200, body: { stopped: null } });
    const { counts } = await becomes(id, 'completed');
    expect(counts).toMatchObject({ total: COUNT, sent: COUNT, failed: 0, unknown: 0, cancelled: 0 });
    expectEachOnce(await countAccepted(phones));
  });

  test('pauses when somebody disconnects, hears of what people write all the same, and goes on with the connection', async () => {
    const { id, phones } = await startCampaign('disconnect', 30_000);
    const connection = await readConnection();
    expect((await host.call('POST', `${AT}/${connection.id}/disconnect`)).status).toBe(200);
    expect(await becomes(id, 'paused')).toMatchObject({ pauseCode: 'disconnected' });
    expect(await host.deliver(inboundText('447700930000', 'wamid.while-off', 'Are you there?'))).toBe(200);
    const { status, body } = await host.call<Refusal>('POST', '/api/bulk-messages', {
      ...{ audience: { filter: { tags: ['disconnect'] } }, message: { customMessage: 'Hello' } },
    });
    expect([status, body.error.code]).toEqual([409, 'channel_not_connected']);
    await setRate(FAST);
    expect(await save()).toMatchObject({ status: 200, body: { isConnected: true, stopped: null } });
    expect((await becomes(id, 'completed')).counts).toMatchObject({ sent: COUNT, failed: 0, unknown: 0 });
    expectEachOnce(await countAccepted(phones));
  });
});
