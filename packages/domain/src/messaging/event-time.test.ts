import { describe, expect, test } from 'vitest';
import { readConsentTime, readEventTime } from './event-time.ts';

const NOW = Date.UTC(2026, 10, 21);

describe('the time of an event', () => {
  test.each([
    ['a moment ago', NOW - 1000, NOW - 1000],
    ['a little ahead of our clock', NOW + 60_000, NOW + 60_000],
    ['tomorrow', NOW + 86_400_000, 0],
    ['the year 58692', 1_790_000_000_000_000, 0],
    ['beyond every calendar', 1e21, 0],
    ['none', 0, 0],
    ['before time', -5, 0],
    ['not a number', NaN, 0],
    ['half a millisecond', 0.5, 0],
  ])('%s', (_, occurredAt, expected) => {
    expect(readEventTime(occurredAt, NOW)).toBe(expected);
  });
  test.each([
    ['opt_out', NOW - 5, { at: NOW - 5, saidAt: NOW - 5 }],
    ['opt_out', 0, { at: NOW, saidAt: null }],
    ['opt_in', NOW - 5, { at: NOW - 5, saidAt: NOW - 5 }],
    ['opt_in', 0, { at: 0, saidAt: null }],
    ['opt_in', NOW + 540_000, { at: NOW, saidAt: NOW + 540_000 }],
    ['opt_out', NOW + 540_000, { at: NOW, saidAt: NOW + 540_000 }],
  ] as const)('%s said at %d counts from %o', (kind, occurredAt, expected) => {
    expect(readConsentTime(kind, occurredAt, NOW)).toEqual(expected);
  });
});
