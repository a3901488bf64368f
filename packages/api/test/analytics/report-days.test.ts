import { afterAll, beforeAll, expect, test } from 'vitest';
import { openApiFixture, type ApiCaller, type ApiFixture } from '../api-fixture.ts';

/** A Wednesday, in the afternoon. The API looks at this clock, so the time of the run is no matter. */
const now = new Date('2026-05-13T14:05:00Z');
/** Messages by the quarter of an hour in which they were sent. */
const SENT = {
  '2026-05-13T09:00Z': 30,
  '2026-05-12T23:45Z': 9,
  '2026-05-12T14:00Z': 40,
  '2026-05-12T13:45Z': 20,
  '2026-05-11T22:00Z': 20,
  '2026-05-11T12:00Z': 10,
  '2026-05-10T12:00Z': 4,
  '2026-05-04T12:00Z': 3,
  // In Samoa the 29th of December 2011 was followed by the 31st, at 10:00 UTC.
  '2011-12-29T12:00Z': 5,
  '2011-12-30T09:45Z': 6,
  '2011-12-30T10:00Z': 7,
  '2011-12-31T09:45Z': 8,
  '2011-12-31T10:00Z': 9,
};
let api: ApiFixture;
let admin: ApiCaller;
beforeAll(async () => {
  api = await openApiFixture({ clock: () => now });
  admin = await api.as('admin');
  const channelId = await api.addChannel();
  await api.db.systemPool.query(
    `INSERT INTO message_rollups (workspace_id, quarter, channel_id, author, direction, sent)
     SELECT $1, t.at, $2, 'campaign', 'out', t.n FROM unnest($3::timestamptz[], $4::integer[]) AS t (at, n)`,
    [api.workspaceId, channelId, Object.keys(SENT), Object.values(SENT)],
  );
});
afterAll(() => api.close());

const get = async <Answer>(path: string): Promise<Answer> =>
  (await admin.get(`/api/analytics/${path}`)).json<Answer>();

type Summary = { before: object; messages: { value: number; change: number | null } };

test.each([
  ['from=2026-05-13&to=2026-05-13&zone=UTC', { from: '2026-05-12', to: '2026-05-12', until: '14:00' }, 50],
  ['from=2026-05-12&to=2026-05-13&zone=UTC', { from: '2026-05-10', to: '2026-05-11', until: '14:00' }, 607.1],
  ['from=2026-05-12&to=2026-05-12&zone=UTC', { from: '2026-05-11', to: '2026-05-11', until: null }, 130],
  // Half an hour later than the whole ones.
  [
    'from=2026-05-13&to=2026-05-13&zone=Asia/Kolkata',
    { from: '2026-05-12', to: '2026-05-12', until: '19:30' },
    -2.5,
  ],
])('until now is compared with as much of what was before: %s', async (asked, before, change) => {
  const summary = await get<Summary>(`summary?${asked}`);
  expect(summary.before).toEqual(before);
  expect(summary.messages.change).toBe(change);
});

test('weeks begin on the day that the workspace says', async () => {
  const weeks = async (path: string) =>
    (
      await get<{ points: { day: string; sent?: number }[] }>(
        `${path}?from=2026-05-03&to=2026-05-13&bucket=week`,
      )
    ).points;
  expect((await weeks('volume')).map(({ day, sent }) => [day, sent])).toEqual([
    ['2026-04-27', 0],
    ['2026-05-04', 7],
    ['2026-05-11', 129],
  ]);
  await api.db.systemPool.query(
    `UPDATE workspaces SET settings = settings || '{"weekStartsOn":0}' WHERE id = $1`,
    [api.workspaceId],
  );
  expect((await weeks('volume')).map(({ day, sent }) => [day, sent])).toEqual([
    ['2026-05-03', 3],
    ['2026-05-10', 133],
  ]);
  expect((await weeks('audience')).map(({ day }) => day)).toEqual(['2026-05-03', '2026-05-10']);
});

test('a day that a time zone leaves out has nothing, and those around it have all of theirs', async () => {
  const { points } = await get<{ points: { day: string; sent: number }[] }>(
    'volume?from=2011-12-28&to=2012-01-01&zone=Pacific/Apia&bucket=day',
  );
  expect(points.map(({ day, sent }) => [day, sent])).toEqual([
    ['2011-12-28', 0],
    ['2011-12-29', 11],
    ['2011-12-30', 0],
    ['2011-12-31', 15],
    ['2012-01-01', 9],
  ]);
});
