import { afterAll, beforeAll, expect, test } from 'vitest';
import { openStory } from './rollup-story.ts';

let story: Awaited<ReturnType<typeof openStory>>;
beforeAll(async () => {
  story = await openStory();
});
afterAll(() => story.api.close());

type BestTime = { shares: number[]; best: number | null; events: number; weight: number };
const ask = async (contactId: string, zone = 'UTC') =>
  (await story.admin.get(`/api/contacts/${contactId}/best-time?zone=${zone}`)).json<BestTime>();

test('a contact is like everybody until their own reads and replies say more, in every zone', async () => {
  const [early, fresh] = [await story.person(), await story.person()];
  const yesterday = Math.floor(Date.now() / 86_400_000) * 86_400_000 - 86_400_000;
  expect(await ask(fresh.id)).toMatchObject({ best: null, events: 0, weight: 0 });
  for (let times = 1; times <= 12; times += 1) {
    const own = story.ours.length;
    await story.campaign([early.id]);
    const message = story.ours[own]!;
    const at = yesterday - times * 86_400_000 + 6 * 3_600_000 + 40 * 60_000; // 6:40
    await story.settle(message, 'accepted', at - 60_000);
    await message.report('read', at);
  }
  await story.settleAll();
  const own = await ask(early.id);
  expect(own).toMatchObject({ best: 6, events: 12 });
  expect(own.shares.reduce((all, one) => all + one, 0)).toBeCloseTo(1, 8);
  // Everybody is that one contact here.
  expect(await ask(fresh.id)).toMatchObject({ best: 6, events: 0, weight: 0 });
  expect(await ask(early.id, 'Asia/Kolkata')).toMatchObject({ best: 12 });
  const gone = await story.admin.get(`/api/contacts/${crypto.randomUUID()}/best-time`);
  expect(gone.status).toBe(404);
});
