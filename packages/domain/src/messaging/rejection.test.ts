import { describe, expect, it } from 'vitest';
import { isRetriedByMachine, type RejectionAction, retryDelayMs, retryPairDelayMs } from './rejection.ts';

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

describe('what the machine may send again', () => {
  it.each<[RejectionAction, boolean]>([
    [{ kind: 'fail' }, false],
    [{ kind: 'retry', maxAttempts: 3, pauses: 'recipient' }, true],
    [{ kind: 'retry_pair', baseSeconds: 4 }, true],
    [{ kind: 'lower_rate' }, true],
    [{ kind: 'stop_channel', blocks: 'everything' }, true],
    [{ kind: 'stop_campaign', recipient: 'requeued' }, true],
    [{ kind: 'stop_campaign', recipient: 'failed' }, false],
    [{ kind: 'hold_recipient', hours: 24 }, false],
    [{ kind: 'opt_out' }, false],
    [{ kind: 'unreachable' }, false],
  ])('%o: %s', (action, again) => {
    expect(isRetriedByMachine(action)).toBe(again);
  });
});
