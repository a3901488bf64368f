import fc from 'fast-check';
import { isThorough } from '@app/database/testing/thorough';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { openStory, type Status } from './rollup-story.ts';

const HOUR = 3_600_000;
const RUNS = isThorough ? 30 : 4;
let story: Awaited<ReturnType<typeof openStory>>;
beforeAll(async () => {
  story = await openStory();
});
afterAll(() => story.api.close());

const expectEqual = async () => {
  await story.settleAll();
  expect(await story.counted()).toEqual(story.expected());
  expect(await story.countedByCountry()).toEqual(story.expectedByCountry());
};

test('each message is counted when each thing happened, by campaign and author', async () => {
  const from = Date.now() - 30 * HOUR;
  const [ann, bob] = [await story.person(), await story.person()];
  const campaignId = await story.campaign([ann.id, bob.id]);
  const [first, second] = story.ours;
  await story.settle(first!, 'accepted', from);
  await story.settle(second!, 'refused', from);
  await first!.report('read', from + 20 * 60_000);
  await first!.report('delivered', from + 5 * 60_000);
  await story.writes(ann.phone, from + 2 * HOUR);
  const reply = await story.single(ann.id, 'person');
  await reply.report('sent', Date.now() - 1_000);
  await reply.report('delivered', Date.now() - 500);
  await story.writes(ann.phone, Date.now());
  await expectEqual();
  const sums = await story.query(
    `SELECT author, sum(sent)::int AS sent, sum(delivered)::int AS delivered, sum(read)::int AS read, sum(failed)::int AS failed,
            sum(replied)::int AS replied FROM message_rollups WHERE direction = 'out' GROUP BY 1 ORDER BY 1`,
  );
  expect(sums).toEqual([
    { author: 'agent', sent: 1, delivered: 1, read: 0, failed: 0, replied: 1 },
    { author: 'campaign', sent: 1, delivered: 1, read: 1, failed: 1, replied: 1 },
  ]);
  // What was counted outlives what it counts, and its name does too.
  await story.deleteCampaign(campaignId);
  await expectEqual();
  expect(await story.query('SELECT name FROM rollup_names WHERE id = $1', [campaignId])).toEqual([
    { name: 'Spring' },
  ]);
});

const RARE = ['merge', 'remove', 'erase', 'delete campaign'] as const;
const step = fc.record({
  what: fc.constantFrom(
    ...(['report', 'report', 'report', 'settle', 'write', 'write', 'single', 'campaign'] as const),
    ...RARE,
  ),
  which: fc.nat(1_000),
  other: fc.nat(1_000),
  status: fc.constantFrom<Status>('sent', 'delivered', 'read', 'failed'),
  minutes: fc.nat(3 * 24 * 60),
  isRecent: fc.boolean(),
  applies: fc.boolean(),
});
type Step = typeof step extends fc.Arbitrary<infer Value> ? Value : never;

test(
  'late, doubled and reordered, with merges, erasures, deletions and restorings, all figures equal a count of what happened',
  async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(step, { minLength: 25, maxLength: 40 }), async (steps) => {
        const people = [
          await story.person(),
          await story.person(),
          await story.person(),
          await story.person(),
        ];
        const own = story.ours.length;
        const campaigns = [await story.campaign(people.map(({ id }) => id))];
        const play = async ({ what, which, other, status, minutes, isRecent, applies }: Step) => {
          const mine = story.ours.slice(own);
          const one = mine[which % mine.length]!;
          const person = people[which % people.length]!;
          const second = people[other % people.length]!;
          const at = Math.floor((Date.now() - (isRecent ? minutes : minutes * 60_000)) / 1_000) * 1_000;
          if (what === 'report') {
            await one.report(status, at);
            if (other % 3 === 0) await one.report(status, at);
          }
          if (what === 'settle') await story.settle(one, other % 4 === 0 ? 'refused' : 'accepted', at);
          if (what === 'write') person.id = (await story.writes(person.phone, at)) ?? person.id;
          if (what === 'single' && (await isThere(person.id)))
            await story.single(person.id, (['person', 'api-key', 'bot'] as const)[other % 3]!);
          if (what === 'campaign') campaigns.push(await story.campaign([person.id, second.id]));
          if (
            what === 'merge' &&
            person.id !== second.id &&
            (await isThere(person.id)) &&
            (await isThere(second.id))
          ) {
            await story.merge(person.id, second.id);
            if (!(await isThere(second.id))) second.id = person.id;
          }
          if (what === 'remove') await story.remove(person.id, other % 2 === 0);
          if (what === 'erase') await story.erase(person.id);
          if (what === 'delete campaign' && campaigns.length > 1)
            await story.deleteCampaign(campaigns.pop()!);
          if (applies) await story.settleAll();
        };
        for (const one of steps) await within(one.what, play(one));
        await within('the count', expectEqual());
        expect(await story.wrongDays()).toEqual([]);
      }),
      // To find the shortest case takes minutes.
      { numRuns: RUNS, endOnFailure: true },
    );
  },
  // However busy the machine is, the story goes on: `within` ends one that hangs.
  0,
);

/** One step is a few requests. One that takes so long waits for something that never comes. */
const HANGING_MS = 10 * 60_000;
async function within<Result>(what: string, step: Promise<Result>): Promise<Result> {
  let timer: NodeJS.Timeout | undefined;
  const hanging = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(new Error(`${what} hangs`)), HANGING_MS);
  });
  return Promise.race([step, hanging]).finally(() => clearTimeout(timer));
}

const isThere = async (id: string) =>
  (await story.query('SELECT FROM contacts WHERE id = $1', [id])).length === 1;
