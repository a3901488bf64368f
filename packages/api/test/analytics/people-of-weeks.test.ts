import { addDays, bucketOf, dayIn, daysOfBucket } from '@app/domain/analytics/report-period';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { openStory } from './rollup-story.ts';

let story: Awaited<ReturnType<typeof openStory>>;
beforeAll(async () => {
  story = await openStory();
});
afterAll(() => story.api.close());

type Point = { day: string; sent: number };
type Volume = { from: string; to: string; points: Point[] };

test('behind the bar of a week that the period cuts are the people of its part, not of the whole week', async () => {
  // Three weeks that are over, of which the period begins and ends within.
  const monday = addDays(bucketOf(dayIn('UTC', Date.now()), 'week'), -21);
  const days = [0, 2, 6, 7, 13, 14, 15, 20];
  const people = await Promise.all(days.map(() => story.person()));
  await story.campaign(people.map(({ id }) => id));
  const dayOf = new Map(people.map(({ id }, place) => [id, addDays(monday, days[place]!)]));
  for (const one of story.ours)
    await story.settle(one, 'accepted', Date.parse(`${dayOf.get(one.contactId!)}T12:00:00Z`));
  await story.settleAll();
  const [from, to] = [addDays(monday, 2), addDays(monday, 15)];
  const volume = await (
    await story.admin.get(`/api/analytics/volume?from=${from}&to=${to}&zone=UTC&bucket=week`)
  ).json<Volume>();
  const behind = async (point: Point) => {
    const part = daysOfBucket(volume, point.day);
    const report = encodeURIComponent(['sent', part.from, part.to, 'UTC'].join(';'));
    const response = await story.admin.get(`/api/contacts?limit=200&report=${report}`);
    expect(response.status).toBe(200);
    const { items } = await response.json<{ items: { id: string }[] }>();
    return items.map(({ id }) => dayOf.get(id)).toSorted();
  };
  const daysBehind = (places: readonly number[]) => places.map((day) => addDays(monday, day));
  const expected = [daysBehind([2, 6]), daysBehind([7, 13]), daysBehind([14, 15])];
  expect(volume.points.map(({ day, sent }) => [day, sent])).toEqual(
    expected.map((behindIt, week) => [addDays(monday, 7 * week), behindIt.length]),
  );
  expect(await Promise.all(volume.points.map(behind))).toEqual(expected);
});
