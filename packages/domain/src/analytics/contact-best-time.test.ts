import { expect, test } from 'vitest';
import { learnBestTime, PRIOR_EVENTS } from './contact-best-time.ts';

const day = (high: Record<number, number>) => Array.from({ length: 24 }, (_, hour) => high[hour] ?? 0);
const everybody = day({ 12: 500, 13: 500 });

test.each<[string, number[], number[], number | null]>([
  ['nobody knows anything', day({}), day({}), null],
  ['a new contact is like everybody', day({}), day({ 13: 10 }), 13],
  ['one read changes little', day({ 7: 1 }), day({ 13: 10 }), 13],
  ['many reads of their own win', day({ 7: 40 }), day({ 13: 10_000 }), 7],
  ['a habit around midnight is one habit', day({ 23: 8, 0: 9, 1: 8 }), day({}), 0],
])('%s', (_, own, all, best) => {
  expect(learnBestTime(own, all).best).toBe(best);
});

test('shares are those of a whole, however large the workspace is, and the prior weighs as much as it says', () => {
  for (const own of [day({}), day({ 7: 3 }), day({ 7: 400, 20: 100 })]) {
    const { shares, weight, events } = learnBestTime(own, everybody);
    expect(shares.reduce((all, share) => all + share, 0)).toBeCloseTo(1, 10);
    expect(weight).toBeCloseTo(events / (events + PRIOR_EVENTS), 10);
  }
  const half = learnBestTime(day({ 7: PRIOR_EVENTS }), everybody);
  expect(half.weight).toBe(0.5);
  expect(half.shares[7]).toBeCloseTo(0.25, 10);
});
