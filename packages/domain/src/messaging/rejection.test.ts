import { describe, expect, it } from 'vitest';
import { retryDelayMs, retryPairDelayMs } from './rejection.ts';

describe('retry delays', () => {
  it.each([
    [1, 0, 500],
    [1, 1, 1_000],
    [2, 1, 2_000],
    [5, 0.5, 12_000],
    [40, 1, 900_000],
    [0, 1, 1_000],
  ])('after %i tries with jitter %d is %i ms', (attempt, jitter, ms) => {
    expect(retryDelayMs(attempt, jitter)).toBe(ms);
  });

  it.each([
    [1, 1_000],
    [2, 4_000],
    [3, 16_000],
    [30, 3_600_000],
  ])('for one recipient after %i tries is %i ms', (attempt, ms) => {
    expect(retryPairDelayMs(attempt)).toBe(ms);
  });
});
