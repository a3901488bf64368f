import { readFileSync } from 'node:fs';
import { afterAll, expect, test } from 'vitest';
import { openHostFixture } from './host-fixture.ts';

const host = await openHostFixture();
afterAll(() => host.close());

type General = { version: number; about: string };
type State = { state: string; reason: string | null; channel: { kind: string } | null };
const general = async () => (await host.call<General>('GET', '/api/settings/general')).body;
const state = async () => (await host.call<State>('GET', '/api/settings/profile')).body;
const shown = async () =>
  (await host.call<{ profile: object }>('POST', '/api/settings/profile/read', {})).body;

test('what the business says of itself stands at the platform a moment later', async () => {
  expect(await state()).toMatchObject({ state: 'none', channel: { kind: 'whatsapp' } });
  expect(await shown()).toMatchObject({ outcome: 'done', profile: { about: 'Here to help' } });
  const { version } = await general();
  const said = { about: 'Bread since 1901', category: 'education', websites: ['https://bread.example/'] };
  await host.call('PUT', '/api/settings/general', { version, ...said });
  await expect.poll(state).toMatchObject({ state: 'done', reason: null });
  expect(await shown()).toMatchObject({ outcome: 'done', profile: said });
});

test('what the platform refuses is named, ours is kept, and pressing again hands it over', async () => {
  const { version } = await general();
  await host.sandbox('/_sandbox/whatsapp/errors', { code: 200, endpoint: 'whatsapp_business_profile' });
  await host.call('PUT', '/api/settings/general', { version, about: 'Cakes as well' });
  await expect.poll(state).toMatchObject({ state: 'refused' });
  expect((await state()).reason).toMatch(/token|permission/i);
  expect((await general()).about).toBe('Cakes as well');
  await host.call('POST', '/api/settings/profile/push', {});
  await expect.poll(state).toMatchObject({ state: 'done', reason: null });
  expect(await shown()).toMatchObject({ profile: { about: 'Cakes as well' } });
});

test('the logo stands at the platform, is handed over once, and can be taken over from there', async () => {
  const bytes = readFileSync(new URL('../../../packages/sandbox/src/samples/photo.jpg', import.meta.url));
  const sent = await fetch(`${host.url}/api/settings/logo?fit=crop`, {
    ...{ method: 'POST', body: new Uint8Array(bytes) },
    headers: { cookie: host.cookie, 'content-type': 'image/jpeg' },
  });
  const { logo } = (await sent.json()) as { logo: string }; // as the route declares
  const uploads = async () => {
    const { calls } = await host.sandbox<{ calls: { path: string }[] }>('/_sandbox/page/state');
    return calls.filter(({ path }) => path.includes('/uploads?')).length;
  };
  const before = await uploads();
  const save = async (change: object) =>
    host.call('PUT', '/api/settings/general', { version: (await general()).version, ...change });
  expect((await save({ logo })).status).toBe(200);
  await expect.poll(state).toMatchObject({ state: 'done' });
  const { profile } = (
    await host.call<{ profile: { logo: string } }>('POST', '/api/settings/profile/read', {})
  ).body;
  const ours = await fetch(`${host.url}/api/logos/${logo}`, { headers: { cookie: host.cookie } });
  const theirs = await fetch(`${host.url}/api/logos/${profile.logo}`, { headers: { cookie: host.cookie } });
  expect([ours.status, theirs.status, theirs.headers.get('content-type')]).toEqual([200, 200, 'image/jpeg']);
  await save({ about: 'With a picture' });
  await expect.poll(shown).toMatchObject({ profile: { about: 'With a picture' } });
  expect(await uploads()).toBe(before + 1);
});

test('a number has a profile of its own, until it shows that of the workspace again', async () => {
  type Shown = { version: number; isOwn: boolean; profile: object; push: State };
  const { items } = (await host.call<{ items: { id: string }[] }>('GET', '/api/channels')).body;
  const path = `/api/settings/numbers/${items[0]?.id}/profile`;
  const read = async () => (await host.call<Shown>('GET', path)).body;
  const { version, profile } = await read();
  const save = (change: object) => host.call('PUT', path, { version, ...change });
  const [one, other] = [
    await save({ profile: { ...profile, about: 'Bread by night' } }),
    await save({ profile: { ...profile, about: 'Of the second admin' } }),
  ];
  expect([one.status, other.status]).toEqual([200, 409]);
  await expect.poll(read).toMatchObject({ isOwn: true, push: { state: 'done' } });
  expect(await shown()).toMatchObject({ profile: { about: 'Bread by night' } });
  expect((await general()).about).not.toBe('Bread by night');
  await save({ version: version + 1, profile: null });
  await expect.poll(shown).toMatchObject({ profile: { about: (await general()).about } });
  expect(await read()).toMatchObject({ isOwn: false });
});

test('whoever writes outside of business hours hears the automatic reply on their phone, once', async () => {
  const { version } = (await host.call<{ version: number }>('GET', '/api/settings/messaging')).body;
  const tomorrow = (new Date().getUTCDay() + 2) % 7;
  const days = Array.from({ length: 7 }, (_, day) =>
    day === tomorrow ? [{ from: '09:00', to: '17:00' }] : [],
  );
  const saved = await host.call('PUT', '/api/settings/messaging', {
    ...{ version, businessHours: { timeZone: 'UTC', days, exceptions: [] } },
    autoReply: { isEnabled: true, message: 'We open again.', when: 'outside_hours', pauseHours: 12 },
  });
  expect(saved.status).toBe(200);
  const replies = async () =>
    (await host.database.query(`SELECT state FROM messages WHERE text = 'We open again.'`)).rows;
  const write = (text: string) =>
    host.sandbox('/_sandbox/whatsapp/inbound', { from: '4915112345678', name: 'Jana', text });
  await write('Hello');
  await expect.poll(replies).toEqual([{ state: 'accepted' }]);
  await write('Anybody?');
  await expect
    .poll(async () => (await host.database.query(`SELECT FROM messages WHERE text = 'Anybody?'`)).rowCount)
    .toBe(1);
  expect(await replies()).toHaveLength(1);
});
