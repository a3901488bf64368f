import { describe, expect, it } from 'vitest';
import { isTimeZone, quietUntil } from './quiet-hours.ts';

const night = { from: '21:00', to: '09:00', timeZone: 'Europe/Paris' };
const early = { from: '22:00', to: '02:30', timeZone: 'Europe/Paris' };
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
    // Half past two comes twice, and neither the first time nor what follows it ends the quiet by a moment that is over.
    [early, '2026-10-24T22:00:00Z', '2026-10-25T01:30:00.000Z'],
    [early, '2026-10-25T00:15:00Z', '2026-10-25T01:30:00.000Z'],
    [early, '2026-10-25T01:15:00Z', '2026-10-25T01:30:00.000Z'],
    [early, '2026-10-25T01:30:00Z', null],
    // And not at all in the night in which they go forward, which is an hour shorter.
    [early, '2026-03-28T22:00:00Z', '2026-03-29T01:30:00.000Z'],
    [early, '2026-03-29T01:30:00Z', null],
    [night, '2026-03-28T22:00:00Z', '2026-03-29T07:00:00.000Z'],
    [night, '2026-12-31T23:30:00Z', '2027-01-01T08:00:00.000Z'],
    [lunch, '2026-11-21T12:00:00Z', '2026-11-21T13:30:00.000Z'],
    [lunch, '2026-11-21T13:30:00Z', null],
    [{ ...lunch, to: '12:00' }, '2026-11-21T12:00:00Z', null],
  ])('%j at %s ends at %s', (quietHours, now, end) => {
    expect(quietUntil(quietHours, new Date(now))?.toISOString() ?? null).toBe(end);
  });
});

it.each([
  ['Europe/Paris', ['2026-03-29', '2026-10-25']],
  ['America/New_York', ['2026-03-08', '2026-11-01']],
  ['Australia/Lord_Howe', ['2026-04-04', '2026-10-03']],
])('what is quiet in %s ends later than now, whatever the clocks do', (timeZone, days) => {
  const hours = ['00:30', '01:45', '02:30'];
  const late = hours.flatMap((from) =>
    hours.flatMap((to) =>
      days.flatMap((day) =>
        Array.from(
          { length: 40 },
          (_, quarter) => new Date(Date.parse(`${day}T00:00:00Z`) + quarter * 900_000),
        )
          .map((now) => ({ from, to, now, end: quietUntil({ from, to, timeZone }, now) }))
          .filter(({ now, end }) => end !== null && end <= now),
      ),
    ),
  );
  expect(late).toEqual([]);
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
