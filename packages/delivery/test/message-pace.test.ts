import fc from 'fast-check';
import { expect, test } from 'vitest';
import { MessagePace } from '../src/core/message-pace.ts';
import { seededRandom } from './support/simulation.ts';

/** Sends as fast as the pace allows over a way with jitter and returns when each message arrived. */
function sendThrough(
  limit: number,
  windowMs: number,
  ways: readonly { there: number; back: number }[],
): number[] {
  const pace = new MessagePace({ limit, windowMs, burstMs: 100, now: 0 });
  const arrivals: number[] = [];
  const answers: { at: number; tell: () => void }[] = [];
  let now = 0;
  for (const { there, back } of ways) {
    for (;;) {
      answers.sort((a, b) => a.at - b.at);
      const next = answers[0];
      if (next && next.at <= Math.max(now, pace.nextAt())) {
        answers.shift();
        now = Math.max(now, next.at);
        next.tell();
      } else break;
    }
    now = Math.max(now, pace.nextAt());
    const ticket = pace.leave(now);
    arrivals.push(now + there);
    const at = now + there + back;
    answers.push({ at, tell: () => pace.arrivedBy(ticket, at) });
  }
  return arrivals.sort((a, b) => a - b);
}

function mostInAnyWindow(arrivals: readonly number[], windowMs: number): number {
  let most = 0;
  for (let last = 0, first = 0; last < arrivals.length; last += 1) {
    while ((arrivals[last] ?? 0) - (arrivals[first] ?? 0) >= windowMs) first += 1;
    most = Math.max(most, last - first + 1);
  }
  return most;
}

test('no sliding second holds more than the limit, however the way there varies', () => {
  fc.assert(
    fc.property(
      fc.integer({ min: 1, max: 100 }),
      fc.integer({ min: 0, max: 60 }),
      fc.array(
        fc.record({ there: fc.integer({ min: 1, max: 400 }), back: fc.integer({ min: 1, max: 60 }) }),
        {
          minLength: 50,
          maxLength: 500,
        },
      ),
      (limit, base, ways) => {
        const arrivals = sendThrough(
          limit,
          1_000,
          // The shortest way is known after the first messages; from then on it varies.
          [...Array.from({ length: 30 }, () => ({ there: 1, back: 1 })), ...ways].map(({ there, back }) => ({
            there: base + there,
            back: base + back,
          })),
        );
        expect(mostInAnyWindow(arrivals, 1_000)).toBeLessThanOrEqual(limit);
      },
    ),
    { numRuns: 200 },
  );
});

test('on a steady way it uses at least 99.6 % of what is allowed', () => {
  for (const limit of [20, 80, 1_000]) {
    const ways = Array.from({ length: limit * 24 }, () => ({ there: 30, back: 20 }));
    const arrivals = sendThrough(limit, 1_000, ways).slice(limit * 4);
    const seconds = ((arrivals.at(-1) ?? 0) - (arrivals[0] ?? 0)) / 1_000;
    expect((arrivals.length - 1) / seconds / limit).toBeGreaterThanOrEqual(0.996);
  }
});

test('first answers that are slow, over cold connections, do not let later messages come too early', () => {
  const ways = Array.from({ length: 4_000 }, (_, place) =>
    place < 60 ? { there: 40 - place / 2, back: 5 } : { there: 1, back: 1 },
  );
  expect(mostInAnyWindow(sendThrough(1_000, 1_000, ways), 1_000)).toBeLessThanOrEqual(1_000);
});

test('a busy machine, on which every trip of the first seconds is long, does not make later messages come too early', () => {
  const random = seededRandom(1);
  for (const limit of [20, 80, 1_000]) {
    const slow = limit * 2;
    const ways = Array.from({ length: limit * 12 }, (_, place) =>
      place < slow
        ? { there: 100 + random() * 60, back: 20 + random() * 80 }
        : { there: 1 + random() * 2, back: 1 + random() * 2 },
    );
    expect(mostInAnyWindow(sendThrough(limit, 1_000, ways), 1_000)).toBeLessThanOrEqual(limit);
  }
});

test('answers that are slow now and then hold up only themselves', () => {
  const random = seededRandom(1);
  const ways = Array.from({ length: 15_000 }, () => ({ there: 1, back: random() < 0.02 ? 100 : 2 }));
  const arrivals = sendThrough(1_000, 1_000, ways);
  const seconds = ((arrivals.at(-1) ?? 0) - (arrivals[0] ?? 0)) / 1_000;
  expect((arrivals.length - 1) / seconds / 1_000).toBeGreaterThanOrEqual(0.99);
  expect(mostInAnyWindow(arrivals, 1_000)).toBeLessThanOrEqual(1_000);
});

test('it starts without a burst, as if the window before had been full', () => {
  const pace = new MessagePace({ limit: 80, windowMs: 1_000, burstMs: 100, now: 5_000 });
  const leftAtOnce = [];
  while (pace.nextAt() <= 5_000) leftAtOnce.push(pace.leave(5_000));
  expect(leftAtOnce).toHaveLength(1);
});

test('a lower limit holds from the moment of the change', () => {
  const pace = new MessagePace({ limit: 100, windowMs: 1_000, burstMs: 0, now: 0 });
  let now = 0;
  for (let sent = 0; sent < 100; sent += 1) pace.leave((now = Math.max(now, pace.nextAt())));
  pace.changeLimit(10, now);
  const changedAt = now;
  for (let sent = 0; sent < 20; sent += 1) pace.leave((now = Math.max(now, pace.nextAt())));
  expect(now - changedAt).toBeGreaterThanOrEqual(1_900);
});
