import { afterAll, beforeAll, expect, it } from 'vitest';
import { longTest } from '@app/database/testing/long-test';
import { connectAgent } from './connect-agent.ts';
import { eventually, openHostFixture, type HostFixture } from './host-fixture.ts';

let host: HostFixture;
let channelId: string;

const rcs = <Answer = object>(path: string, body?: object) =>
  host.sandbox<Answer>(`/_sandbox/rcs/${path}`, body);
const connection = (path: string) => `/api/channels/connections/${channelId}/${path}`;
type Failed = { error: { code: string; details?: { values?: { reason?: string } } } };

beforeAll(async () => {
  host = await openHostFixture();
  channelId = await connectAgent(host, { readRate: 0 });
});
afterAll(() => host.close());

it('shows the agent as its platform describes it, and its features once a test device accepted', async () => {
  const read = async () => (await host.call('GET', connection('agent'))).body;
  expect(await read()).toMatchObject({
    ...{ displayName: 'Sandbox Agent', brand: 'Sandbox Brand', launchState: 'launched', features: null },
    ...{ useCase: 'multi_use', region: 'europe', billing: 'conversational' },
  });
  const devices = connection('test-devices');
  const phone = '+447700900240';
  const invited = await host.call('POST', devices, { phone: '+44 7700 900240' });
  expect([invited.status, invited.body]).toEqual([200, { phone, status: 'pending' }]);
  // A second press invites nobody twice.
  expect((await host.call('POST', devices, { phone })).body).toEqual({ phone, status: 'pending' });
  await rcs(`testers/${encodeURIComponent(phone)}`, { inviteStatus: 'ACCEPTED' });
  expect((await host.call('GET', devices)).body).toEqual({ items: [{ phone, status: 'accepted' }] });
  expect(((await read()) as { features: string[] }).features).toContain('RICHCARD_CAROUSEL');
  const code = async (body: object) => (await host.call<Failed>('POST', devices, body)).body.error;
  expect(await code({ phone: 'Ann' })).toMatchObject({ code: 'invalid_input' });
  expect(await code({ phone: '+447700900903' })).toMatchObject({
    ...{ code: 'platform_refused', details: { values: { reason: 'INVALID_ARGUMENT' } } },
  });
  for (const _ of [1, 2])
    expect((await host.call('DELETE', `${devices}/${encodeURIComponent(phone)}`)).status).toBe(200);
  expect((await host.call('GET', devices)).body).toEqual({ items: [] });
  await rcs('agent/access', { mayManage: false });
  expect((await host.call<Failed>('GET', connection('agent'))).body.error).toMatchObject({
    ...{ code: 'platform_refused', details: { values: { reason: 'PERMISSION_DENIED' } } },
  });
  await rcs('agent/access', { mayManage: true });
});

type Campaign = { status: string; counts: Record<string, number> };

longTest.each([
  ['suspended', () => rcs('agent/launch-state', { state: 'SUSPENDED' }), 'rcs.agent_suspended'],
  ['revoked', () => rcs('agent/access', { isRevoked: true }), 'rcs.agent_revoked'],
])('an agent that is %s sends nothing, and its campaign goes on when it is back', async (tag, stop, code) => {
  const phones = [1, 2, 3].map((n) => `+4477009002${tag === 'revoked' ? 5 : 6}${n}`);
  for (const [n, phone] of phones.entries())
    await host.call('POST', '/api/contacts', { name: `Reader ${n}`, phone, tags: [tag] });
  await stop();
  const { body } = await host.call<{ campaignId: string }>('POST', '/api/bulk-messages', {
    ...{ audience: { filter: { tags: [tag] } }, message: { customMessage: 'Hello' }, channelId },
  });
  const id = body.campaignId;
  const get = () => host.call<Campaign>('GET', `/api/campaigns/${id}`);
  const stopped = async () =>
    (
      await host.database.query<{ code: string | null }>(
        'SELECT stopped_code AS code FROM channels WHERE id = $1',
        [channelId],
      )
    ).rows[0]?.code ?? null;
  await eventually(stopped, (found) => found === code);
  const paused = await eventually(get, ({ body: { status } }) => status === 'paused');
  expect(paused.body).toMatchObject({ counts: { sent: 0, failed: 0 } });
  await eventually(
    () => host.call<{ items: { kind: string }[] }>('GET', '/api/notifications'),
    ({ body: { items } }) => items.some(({ kind }) => kind === 'connection_trouble'),
  );
  await rcs('agent/access', { isRevoked: false });
  await rcs('agent/launch-state', { state: 'LAUNCHED' });
  await eventually(get, ({ body: { counts } }) => counts['delivered'] === 3);
  expect(await stopped()).toBe(null);
});
