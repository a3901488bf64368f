import { describe, expect, it, vi } from 'vitest';
import { instantToZonedTime, zonedTimeToInstant } from './zoned-time.ts';

describe('zonedTimeToInstant', () => {
  it.each([
    ['2026-11-21T09:30', 'UTC', '2026-11-21T09:30:00.000Z'],
    ['2026-11-21T09:30', 'America/New_York', '2026-11-21T14:30:00.000Z'],
    ['2026-07-01T09:30', 'Europe/Paris', '2026-07-01T07:30:00.000Z'],
    ['2026-11-21T00:15', 'Asia/Tokyo', '2026-11-20T15:15:00.000Z'],
    ['2026-11-21T09:30', 'Asia/Kolkata', '2026-11-21T04:00:00.000Z'],
    // 02:30 does not exist on the day the clocks go forward.
    ['2026-03-29T02:30', 'Europe/Paris', '2026-03-29T01:30:00.000Z'],
    // 01:30 comes twice on the day they go back.
    ['2026-11-01T01:30', 'America/New_York', '2026-11-01T05:30:00.000Z'],
  ])('%s in %s is %s', (local, zone, instant) => {
    expect(zonedTimeToInstant(local, zone)?.toISOString()).toBe(instant);
  });

  it.each(['', '2026-13-40T99:99', 'tomorrow', '2026-11-21'])('%j is no time', (local) => {
    expect(zonedTimeToInstant(local, 'UTC')).toBeNull();
  });
});

describe('instantToZonedTime', () => {
  it.each([
    ['2026-11-21T14:30:45.123Z', 'America/New_York', '2026-11-21T09:30'],
    ['2026-12-31T23:59:59.999Z', 'Australia/Sydney', '2027-01-01T10:59'],
    ['2026-06-15T12:00:00.000Z', 'Europe/London', '2026-06-15T13:00'],
  ])('%s in %s shows %s', (instant, zone, shown) => {
    expect(instantToZonedTime(new Date(instant), zone)).toBe(shown);
  });
});

it('the clocks of a zone are made once, however often they are asked', () => {
  const made = vi.spyOn(Intl, 'DateTimeFormat');
  for (let day = 10; day < 30; day += 1) zonedTimeToInstant(`2026-11-${day}T09:30`, 'Pacific/Auckland');
  // Another file may have asked for this zone before.
  expect(made.mock.calls.length).toBeLessThanOrEqual(1);
  made.mockRestore();
});
