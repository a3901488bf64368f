import { describe, expect, it } from 'vitest';
import { estimateSecondsLeft, splitProgress } from './campaign-progress.ts';

describe('splitProgress', () => {
  it('counts each recipient once, under the furthest it got', () => {
    const split = splitProgress({
      total: 100,
      pending: 10,
      sent: 80,
      delivered: 60,
      read: 40,
      failed: 12,
      cancelled: 3,
      unknown: 1,
    });
    expect(split).toEqual({
      read: 40,
      delivered: 20,
      sent: 14,
      failed: 12,
      unknown: 1,
      cancelled: 3,
      pending: 10,
    });
    expect(Object.values(split).reduce((sum, part) => sum + part, 0)).toBe(100);
  });

  it('never shows less than nothing while reports overtake each other', () => {
    const split = splitProgress({
      total: 2,
      pending: 1,
      sent: 1,
      delivered: 1,
      read: 2,
      failed: 1,
      cancelled: 0,
      unknown: 0,
    });
    expect(Math.min(...Object.values(split))).toBe(0);
  });
});

describe('estimateSecondsLeft', () => {
  it.each([
    [[], null],
    [[{ at: 0, pending: 100 }], null],
    [
      [
        { at: 0, pending: 100 },
        { at: 500, pending: 50 },
      ],
      null,
    ],
    [
      [
        { at: 0, pending: 100 },
        { at: 2000, pending: 100 },
      ],
      null,
    ],
    [
      [
        { at: 0, pending: 100 },
        { at: 5000, pending: 60 },
        { at: 10_000, pending: 50 },
      ],
      10,
    ],
    [
      [
        { at: 0, pending: 10 },
        { at: 10_000, pending: 0 },
      ],
      0,
    ],
  ])('%j gives %j', (samples, seconds) => {
    expect(estimateSecondsLeft(samples)).toBe(seconds);
  });
});
