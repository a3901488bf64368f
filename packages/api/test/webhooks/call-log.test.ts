import { expect, test } from 'vitest';
import { pauseBefore } from '../../src/webhooks/calls/call-log.ts';

test.each([
  { last: { calls: 0, at: 0 }, now: 5_000, pause: 700 },
  { last: { calls: 3, at: 5_000 }, now: 5_100, pause: 700 },
  { last: { calls: 4, at: 5_000 }, now: 5_100, pause: 19_900 },
  { last: { calls: 20, at: 5_000 }, now: 24_500, pause: 700 },
  // The busy time is long over: whoever looks for this call sees it at once.
  { last: { calls: 20, at: 5_000 }, now: 3_600_000, pause: 700 },
])('after $last.calls calls at $last.at one of $now waits for $pause ms', ({ last, now, pause }) => {
  expect(pauseBefore(last, now)).toBe(pause);
});
