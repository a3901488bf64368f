import { describe, expect, it } from 'vitest';
import { isTimeZone, quietUntil } from './quiet-hours.ts';

const night = { from: '21:00', to: '09:00', timeZone: 'Europe/Paris' };
const lunch = { from: '12:00', to: '13:30', timeZone: 'UTC' };

describe('quietUntil', () => {
  it.each([
    [night, '2026-11-21T20:30:00Z', '2026-11-22T08:00:00.000Z'],
    [night, '2026-11-21T20:00:00Z', '2026-11-22T08:00:00.000Z'],
    [night, '2026-11-22T03:00:00Z', '2026-11-22T08:00:00.000Z'],
    [night, '2026-11-22T08:00:00Z', null],
    [night, '2026-11-21T19:59:59Z', null],
    // The night in which the clocks go back is an hour longer.
    [night, '2026-10-24T22:00:00Z', '2026-10-25T08:00:00.000Z'],
    [night, '2026-12-31T23:30:00Z', '2027-01-01T08:00:00.000Z'],
    [lunch, '2026-11-21T12:00:00Z', '2026-11-21T13:30:00.000Z'],
    [lunch, '2026-11-21T13:30:00Z', null],
    [{ ...lunch, to: '12:00' }, '2026-11-21T12:00:00Z', null],
  ])('%j at %s ends at %s', (quietHours, now, end) => {
    expect(quietUntil(quietHours, new Date(now))?.toISOString() ?? null).toBe(end);
  });
});

describe('isTimeZone', () => {
  it.each([
    ['Europe/Paris', true],
    ['UTC', true],
    ['Mars/Olympus', false],
    ['', false],
  ])('%j: %s', (name, known) => {
    expect(isTimeZone(name)).toBe(known);
  });
});
