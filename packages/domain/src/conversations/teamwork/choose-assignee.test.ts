import { describe, expect, test } from 'vitest';
import { chooseAssignee, type Candidate } from './choose-assignee.ts';

const inTurn = { mode: 'round_robin', maxOpen: null } as const;
const byWork = { mode: 'least_busy', maxOpen: null } as const;
const people = (...names: string[]): Candidate[] =>
  names.map((userId) => ({ userId, open: 0, lastTurn: null }));

let seed = 11;
const chance = () => (seed = (seed * 1_103_515_245 + 12_345) % 2_147_483_648) / 2_147_483_648;

/** Gives out so many, and answers with how many each got. */
function autoAssign(
  all: Candidate[],
  rule: Parameters<typeof chooseAssignee>[0],
  { rounds, here = () => true }: { rounds: number; here?: (person: Candidate, round: number) => boolean },
): Map<string, number> {
  const got = new Map(all.map(({ userId }) => [userId, 0]));
  for (let round = 1; round <= rounds; round += 1) {
    const shuffled = all.filter((person) => here(person, round)).toSorted(() => chance() - 0.5);
    const to = all.find(({ userId }) => userId === chooseAssignee(rule, shuffled));
    if (!to) continue;
    to.lastTurn = round;
    to.open += 1;
    got.set(to.userId, got.get(to.userId)! + 1);
  }
  return got;
}

const spread = (got: Map<string, number>) => Math.max(...got.values()) - Math.min(...got.values());

describe('in turn', () => {
  test('after any number nobody has two more than another', () => {
    for (const count of [2, 3, 7])
      for (const rounds of [1, 10, 101]) {
        const all = people(...Array.from({ length: count }, (_, index) => `p${index}`));
        expect(spread(autoAssign(all, inTurn, { rounds }))).toBeLessThanOrEqual(1);
      }
  });

  test('nobody gets two while another who is here gets none', () => {
    const all = people('a', 'b', 'c', 'd');
    let last: string | null = null;
    for (let round = 1; round < 200; round += 1) {
      const here = all.filter(() => chance() < 0.7);
      const chosen = chooseAssignee(inTurn, here);
      if (here.length > 1) expect(chosen).not.toBe(last);
      const oldest = Math.min(...here.map(({ lastTurn }) => lastTurn ?? 0));
      const to = here.find(({ userId }) => userId === chosen);
      if (!to) continue;
      expect(to.lastTurn ?? 0).toBe(oldest);
      to.lastTurn = round;
      last = chosen;
    }
  });

  test('who comes back is not made to catch up', () => {
    const all = people('a', 'b', 'away');
    const got = autoAssign(all, inTurn, {
      rounds: 130,
      here: (person, round) => person.userId !== 'away' || round > 100,
    });
    expect(got.get('away')).toBe(10);
  });
});

describe('by work', () => {
  test('whoever has the fewest open gets the next, until all have as many', () => {
    const all = [
      { userId: 'busy', open: 5, lastTurn: null },
      { userId: 'free', open: 1, lastTurn: null },
    ];
    expect(autoAssign(all, byWork, { rounds: 4 })).toEqual(new Map([['busy', 0], ['free', 4]])); // oxfmt-ignore
    expect(spread(autoAssign(all, byWork, { rounds: 10 }))).toBeLessThanOrEqual(1);
  });
});

test.each([
  ['nobody is here', inTurn, [], null],
  ['it is off', { mode: 'off', maxOpen: null } as const, people('a'), null],
  ['all have as many as they may', { ...inTurn, maxOpen: 2 }, [{ userId: 'a', open: 2, lastTurn: 1 }], null],
  [
    'one may have another',
    { ...inTurn, maxOpen: 2 },
    [...people('b'), { userId: 'a', open: 2, lastTurn: null }],
    'b',
  ],
])('where %s', (_, rule, candidates, expected) => {
  expect(chooseAssignee(rule, candidates)).toBe(expected);
});
