import { describe, expect, it } from 'vitest';
import { judgeAbTest, planAbTest, turnsOf } from './ab-test.ts';

const rule = { expectedRate: 50, smallestDifference: 5, holdoutPercent: 0 };

describe('a plan', () => {
  it('tests as many contacts as the sample needs, and leaves the others to the winner', () => {
    const plan = planAbTest(rule, { receiving: 100_000, shares: [50, 50], deliveryRate: 0.9 });
    // 1,565 delivered messages each, of which one in ten does not arrive.
    expect(plan).toMatchObject({
      sample: 1565,
      testSize: 3478,
      holdout: 0,
      remaining: 96_522,
      isTooSmall: false,
    });
  });

  it('counts the smallest share, and holds its group out before', () => {
    const half = planAbTest(rule, { receiving: 100_000, shares: [50, 50], deliveryRate: 0.9 });
    const tenth = planAbTest(rule, { receiving: 100_000, shares: [90, 10], deliveryRate: 0.9 });
    expect(tenth.testSize).toBeGreaterThan(4 * half.testSize);
    const held = planAbTest(
      { ...rule, holdoutPercent: 10 },
      { receiving: 100_000, shares: [50, 50], deliveryRate: 1 },
    );
    expect(held.holdout).toBe(10_000);
    expect(held.testSize + held.holdout + held.remaining).toBe(100_000);
  });

  it('says that an audience is too small, and what it could show', () => {
    const plan = planAbTest(rule, { receiving: 400, shares: [50, 50], deliveryRate: 0.95 });
    expect(plan).toMatchObject({ testSize: 400, remaining: 0, isTooSmall: true });
    expect(plan.detectable).toBeGreaterThan(10);
  });

  it.each([0, 1, 3])('is possible for %d contacts', (receiving) => {
    const plan = planAbTest(
      { ...rule, holdoutPercent: 50 },
      { receiving, shares: [34, 33, 33], deliveryRate: 0 },
    );
    expect(plan.isTooSmall).toBe(true);
    expect(plan.detectable).toBeNull();
    expect(plan.testSize + plan.holdout).toBe(receiving);
  });
});

describe('a verdict', () => {
  const of = (...hits: number[]) => hits.map((one) => ({ base: 1000, hits: one }));

  it.each([
    {
      name: 'a clearly better variant wins',
      figures: of(500, 600),
      verdict: { outcome: 'winner', variant: 1 },
    },
    { name: 'the first may win, too', figures: of(600, 500), verdict: { outcome: 'winner', variant: 0 } },
    {
      name: 'a difference by chance names nobody',
      figures: of(500, 520),
      verdict: { outcome: 'no_difference' },
    },
    { name: 'all alike', figures: of(0, 0, 0), verdict: { outcome: 'no_difference' } },
    {
      name: 'the best must beat the second best, not only the last',
      figures: of(600, 590, 300),
      verdict: { outcome: 'no_difference' },
    },
    {
      name: 'more pairs ask for more',
      figures: of(500, 545, 500, 500),
      verdict: { outcome: 'no_difference' },
    },
  ])('$name', ({ figures, verdict }) => {
    expect(judgeAbTest(figures, 1000)).toEqual(verdict);
  });

  it('names nobody below the planned sample, however large the difference', () => {
    expect(
      judgeAbTest(
        [
          { base: 1000, hits: 0 },
          { base: 999, hits: 999 },
        ],
        1000,
      ),
    ).toEqual({ outcome: 'too_few' });
  });
});

describe('turns', () => {
  it.each([
    { shares: [50, 50], turns: [0, 1] },
    { shares: [25, 25, 25, 25], turns: [0, 1, 2, 3] },
    { shares: [75, 25], turns: [0, 0, 1, 0] },
  ])('of $shares are $turns', ({ shares, turns }) => {
    expect(turnsOf(shares)).toEqual(turns);
  });

  it.each([[[34, 33, 33]], [[97, 1, 1, 1]], [[60, 25, 15]]])('keep the shares %j', (shares) => {
    const turns = turnsOf(shares);
    const counts = shares.map((_, index) => turns.filter((one) => one === index).length);
    expect(counts.map((count) => (count / turns.length) * 100)).toEqual(shares);
  });
});
