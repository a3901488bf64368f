import type { BusinessProfile } from '@app/domain/settings/general-settings';
import { newId } from '@app/database/new-id';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { openApiFixture, type ApiCaller, type ApiFixture } from '../api-fixture.ts';

type Written = { channelId: string; profile: BusinessProfile; isNewCategory: boolean };
type State = {
  channelId: string;
  isOwn: boolean;
  state: string;
  code: string | null;
  keepsAbout: boolean;
};
const written: Written[] = [];
/** What the platform says to it; it keeps a text about the business that ours has none for. */
let refuses: { reason: string; code: string } | null;

let api: ApiFixture;
let admin: ApiCaller;
let first: string;
let second: string;
beforeAll(async () => {
  api = await openApiFixture({
    messageSender: {
      open: async (channelId) => ({
        send: async () => ({ outcome: 'not_sent', reason: 'connect_refused' }),
        profile: {
          read: async () => ({ outcome: 'unreachable' }),
          readPicture: async () => ({ outcome: 'unreachable' }),
          write: async (profile, { isNewCategory }) => {
            if (refuses) return { outcome: 'refused', ...refuses };
            written.push({ channelId, profile, isNewCategory });
            return { outcome: 'done', value: { keptAbout: profile.about === '' } };
          },
        },
      }),
    },
  });
  admin = await api.as('admin');
  first = await api.addChannel();
  second = newId();
  await api.db.systemPool.query(
    `INSERT INTO channels (id, workspace_id, kind, address, credentials, display_name, is_connected, messages_per_second)
     SELECT $1, workspace_id, kind, '2', credentials, '+44 7700 900101', true, 80 FROM channels`,
    [second],
  );
});
afterAll(() => api.close());
beforeEach(async () => {
  written.length = 0;
  refuses = null;
});

const save = async (change: Partial<BusinessProfile>) => {
  const { version } = await (await admin.get('/api/settings/general')).json<{ version: number }>();
  expect((await admin.put('/api/settings/general', { version, ...change })).status).toBe(200);
};
const states = async () =>
  (await (await admin.get('/api/settings/profile')).json<{ numbers: State[] }>()).numbers;
const statesBecome = async (state: string) => {
  await expect.poll(async () => (await states()).map((one) => one.state)).toEqual([state, state]);
};
const of = (channelId: string) => written.filter((one) => one.channelId === channelId);

test('what the workspace says of itself is handed to each number that has nothing of its own to say', async () => {
  await save({ about: 'Shoes' });
  await statesBecome('done');
  expect(written.map(({ channelId, profile }) => [channelId, profile.about]).toSorted()).toEqual(
    [
      [first, 'Shoes'],
      [second, 'Shoes'],
    ].toSorted(),
  );
  const path = `/api/settings/numbers/${second}/profile`;
  const { version, profile } = await (
    await admin.get(path)
  ).json<{ version: number; profile: BusinessProfile }>();
  expect((await admin.put(path, { version, profile: { ...profile, about: 'Boots' } })).status).toBe(200);
  await expect.poll(() => of(second).at(-1)?.profile.about).toBe('Boots');
  written.length = 0;
  await save({ about: 'Shoes and bags' });
  await expect.poll(() => of(first).length).toBe(1);
  await statesBecome('done');
  expect(of(second)).toEqual([]);
  expect((await states()).map(({ channelId, isOwn }) => [channelId, isOwn])).toEqual([
    [first, false],
    [second, true],
  ]);
  expect((await admin.put(path, { version: version + 1, profile: null })).status).toBe(200);
  await expect.poll(() => of(second).at(-1)?.profile.about).toBe('Shoes and bags');
});

test('a category is new to the platform only when ours is another, and the one that nobody chose never is', async () => {
  await save({ description: 'A shop' });
  await statesBecome('done');
  expect(written.map(({ isNewCategory }) => isNewCategory)).toEqual([false, false]);
  written.length = 0;
  await save({ category: 'retail' });
  await expect.poll(() => of(first)[0]?.isNewCategory).toBe(true);
  await statesBecome('done');
  await save({ description: 'Two shops' });
  await expect.poll(() => of(first)[1]?.isNewCategory).toBe(false);
  await statesBecome('done');
  await save({ category: 'other' });
  await expect.poll(() => of(first)[2]?.isNewCategory).toBe(true);
  await statesBecome('done');
});

test('an empty text about the business is told as what it is: not shown', async () => {
  await save({ about: '' });
  await statesBecome('done');
  expect((await states()).map(({ keepsAbout }) => keepsAbout)).toEqual([true, true]);
  await save({ about: 'Open' });
  await expect
    .poll(async () => (await states()).map(({ keepsAbout, state }) => [state, keepsAbout]))
    .toEqual([
      ['done', false],
      ['done', false],
    ]);
});

test('a refusal is kept by its code, and a press hands it to all once more', async () => {
  refuses = { reason: 'The access token has expired', code: '190' };
  await save({ about: 'Closed' });
  await statesBecome('refused');
  expect((await states()).map(({ code }) => code)).toEqual(['190', '190']);
  refuses = null;
  expect((await admin.post('/api/settings/profile/push', {})).status).toBe(200);
  await statesBecome('done');
  expect(written.map(({ channelId }) => channelId).toSorted()).toEqual([first, second].toSorted());
});
