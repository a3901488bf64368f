import { describe, expect, test } from 'vitest';
import {
  afterFailure,
  GIVE_UP_AFTER_MS,
  pauseAfter,
  type DeliveryState,
  type EndpointState,
} from './webhook-rules.ts';

const at = (ms: number) => new Date(Date.UTC(2026, 10, 27) + ms);

test.each([
  [1, null, 1_000],
  [2, null, 5_000],
  [4, null, 120_000],
  [9, null, 14_400_000],
  [40, null, 14_400_000],
  [1, 60_000, 60_000],
  [9, 60_000, 14_400_000],
] as const)('behind %i failures, with a wish for %s ms, the pause is %i ms', (failures, asked, pause) => {
  expect(pauseAfter(failures, asked, 0)).toBe(pause);
});

test('chance adds at most a tenth', () => expect(pauseAfter(2, null, 1)).toBe(5_500));

/** Plays failures of an endpoint that never answers, from one delivery to the next as the sender does. */
function playOutage(hours: number) {
  let endpoint: EndpointState = { failures: 0, failingSince: null };
  const line: (DeliveryState & { status: string })[] = Array.from({ length: 50 }, () => ({
    ...{ attempts: 0, firstAttemptAt: at(0), isInLine: true, status: 'waiting' },
  }));
  let now = 0;
  let attempts = 0;
  while (now <= hours * 3_600_000) {
    const head = line.find(({ isInLine, status }) => isInLine && status === 'waiting');
    if (!head) break;
    if (head.attempts === 0) head.firstAttemptAt = at(now);
    head.attempts += 1;
    attempts += 1;
    const next = afterFailure({ endpoint, delivery: head }, { now: at(now), retryAfterMs: null, chance: 0 });
    Object.assign(head, next.delivery);
    endpoint = next.endpoint;
    if (next.isPaused) return { now, attempts, line, isPaused: true };
    now = (next.holdUntil ?? at(now)).getTime() - at(0).getTime();
  }
  return { now, attempts, line, isPaused: false };
}

describe('an endpoint that is down', () => {
  test('is asked less and less often, and paused after three days', () => {
    const day = playOutage(24);
    expect(day.isPaused).toBe(false);
    expect(day.attempts).toBeLessThan(20);
    const { isPaused, now, line } = playOutage(100);
    expect(isPaused).toBe(true);
    expect(now).toBeGreaterThanOrEqual(72 * 3_600_000);
    expect(now).toBeLessThan(77 * 3_600_000);
    expect(line.every(({ status }) => status === 'waiting')).toBe(true);
  });
});

const healthy: EndpointState = { failures: 0, failingSince: null };
const first = { attempts: 1, firstAttemptAt: at(0), isInLine: true };

describe('a delivery', () => {
  test('that fails holds the line for three more attempts', () => {
    const after = (attempts: number) =>
      afterFailure(
        { endpoint: { failures: attempts - 1, failingSince: at(0) }, delivery: { ...first, attempts } },
        { now: at(1_000), retryAfterMs: null, chance: 0 },
      );
    expect([1, 2, 3, 4].map((attempts) => after(attempts).delivery.isInLine)).toEqual([
      true,
      true,
      true,
      false,
    ]);
    expect(after(3).holdUntil).toEqual(at(31_000));
    // Out of the line: the next one is tried at once.
    expect(after(4).holdUntil).toEqual(at(1_000));
    expect(after(4).delivery.nextAttemptAt).toEqual(at(121_000));
  });

  test('beside the line of a healthy endpoint holds up nothing', () => {
    const { holdUntil, endpoint } = afterFailure(
      { endpoint: healthy, delivery: { ...first, attempts: 6, isInLine: false } },
      { now: at(0), retryAfterMs: null, chance: 0 },
    );
    expect(holdUntil).toBeNull();
    expect(endpoint.failures).toBe(0);
  });

  test('is given up three days after its first attempt, and not before', () => {
    const status = (ms: number) =>
      afterFailure(
        { endpoint: healthy, delivery: { ...first, attempts: 9, isInLine: false } },
        { now: at(ms), retryAfterMs: null, chance: 0 },
      ).delivery.status;
    expect(status(GIVE_UP_AFTER_MS - 1)).toBe('waiting');
    expect(status(GIVE_UP_AFTER_MS)).toBe('failed');
  });

  test('waits as long as the receiver asks', () => {
    const { delivery, holdUntil } = afterFailure(
      { endpoint: healthy, delivery: first },
      { now: at(0), retryAfterMs: 90_000, chance: 0 },
    );
    expect(delivery.nextAttemptAt).toEqual(at(90_000));
    expect(holdUntil).toEqual(at(90_000));
  });
});
