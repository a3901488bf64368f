import { expect, test } from 'vitest';
import { meantDays, movedDue, nextDue } from './flow-schedule.ts';
import type { FlowConfig } from './flow-file.ts';

const BERLIN = 'Europe/Berlin';
const daily = (time: string): FlowConfig => ({ mode: 'every', period: 'day', time });
const monthly = (day: number, time = '09:00'): FlowConfig => ({ mode: 'every', period: 'month', day, time });

test('the days of a week are those of the zone, also where it is still the day before elsewhere', () => {
  const mondays = { mode: 'every', period: 'week', time: '08:00', weekdays: [1] };
  // Monday, 8 June, in Auckland.
  const due = nextDue(mondays, 'Pacific/Auckland', Date.parse('2026-06-01T12:00Z'));
  expect(due).toBe(Date.parse('2026-06-07T20:00Z'));
});

test('full hours are those of the zone, also where its clocks are half an hour apart from the rest', () => {
  const after = Date.parse('2026-06-01T10:20Z');
  const due = nextDue({ mode: 'every', period: 'hour' }, 'Asia/Kolkata', after);
  expect(due).toBe(Date.parse('2026-06-01T10:30Z'));
  expect(nextDue({ mode: 'every', period: 'hour' }, 'Asia/Kolkata', due!)).toBe(
    Date.parse('2026-06-01T11:30Z'),
  );
});

test.each<[string, FlowConfig, string, (string | null)[]]>([
  ['at its time, once', { mode: 'at', at: '2026-07-01T09:00' }, '2026-06-01', ['2026-07-01T07:00Z', null]],
  ['never where the time is over', { mode: 'at', at: '2026-05-01T09:00' }, '2026-06-01', [null]],
  ['never on 31 February', { mode: 'at', at: '2026-02-31T09:00' }, '2026-01-01', [null]],
  [
    'every hour',
    { mode: 'every', period: 'hour' },
    '2026-06-01T10:20Z',
    ['2026-06-01T11:00Z', '2026-06-01T12:00Z'],
  ],
  [
    'every hour, also in the one that comes twice',
    { mode: 'every', period: 'hour' },
    '2026-10-24T23:30Z',
    ['2026-10-25T00:00Z', '2026-10-25T01:00Z', '2026-10-25T02:00Z'],
  ],
  [
    'every day, an hour later where the clocks skip its time',
    daily('02:30'),
    '2027-03-27T00:00Z',
    ['2027-03-27T01:30Z', '2027-03-28T01:30Z', '2027-03-29T00:30Z'],
  ],
  [
    'every day once, also where its time comes twice',
    daily('02:30'),
    '2026-10-24T12:00Z',
    ['2026-10-25T00:30Z', '2026-10-26T01:30Z'],
  ],
  [
    'every week on its days',
    { mode: 'every', period: 'week', time: '08:00', weekdays: [1, 4] },
    '2026-06-01T12:00Z',
    ['2026-06-04T06:00Z', '2026-06-08T06:00Z'],
  ],
  [
    'every month, on the last day of those that lack the day',
    monthly(31),
    '2026-01-31T12:00Z',
    ['2026-02-28T08:00Z', '2026-03-31T07:00Z', '2026-04-30T07:00Z'],
  ],
  [
    'every month, over the end of the year',
    monthly(29),
    '2027-12-30T00:00Z',
    ['2028-01-29T08:00Z', '2028-02-29T08:00Z'],
  ],
  [
    'every day for a date of contacts',
    { mode: 'date_field', time: '10:00' },
    '2026-06-01T12:00Z',
    ['2026-06-02T08:00Z'],
  ],
])('is due %s', (_, config, from, dues) => {
  let after = Date.parse(from);
  for (const due of dues) {
    const next = nextDue(config, BERLIN, after);
    expect(next).toBe(due === null ? null : Date.parse(due));
    after = next ?? after;
  }
});

test.each<[string, FlowConfig, string, object]>([
  ['the day itself', {}, '2026-03-01T08:00Z', { day: '2026-03-01' }],
  ['two days before it', { offset: -2 }, '2026-02-27T08:00Z', { day: '2026-03-01' }],
  ['a week after it', { offset: 7 }, '2026-03-01T08:00Z', { day: '2026-02-22' }],
  ['the day on the clocks of the zone', {}, '2026-02-28T23:30Z', { day: '2026-03-01' }],
  ['every year', { yearly: true }, '2026-03-01T08:00Z', { yearly: ['03-01'], until: '2026-03-01' }],
  [
    '29 February in a year without it',
    { yearly: true },
    '2027-02-28T08:00Z',
    { yearly: ['02-28', '02-29'], until: '2027-02-28' },
  ],
  [
    '28 February in a leap year',
    { yearly: true },
    '2028-02-28T08:00Z',
    { yearly: ['02-28'], until: '2028-02-28' },
  ],
  [
    '29 February in a leap year',
    { yearly: true },
    '2028-02-29T08:00Z',
    { yearly: ['02-29'], until: '2028-02-29' },
  ],
])('means %s', (_, config, due, meant) => {
  expect(meantDays(config, BERLIN, Date.parse(due))).toEqual(meant);
});

test.each<[string, FlowConfig, string, { planned: string; now: string }, string]>([
  [
    'a later zone, later on the same day',
    daily('09:00'),
    'America/New_York',
    { planned: '2026-06-02T07:00Z', now: '2026-06-01T12:00Z' },
    '2026-06-02T13:00Z',
  ],
  [
    'an earlier zone, earlier on the same day',
    daily('09:00'),
    BERLIN,
    { planned: '2026-06-02T13:00Z', now: '2026-06-01T12:00Z' },
    '2026-06-02T07:00Z',
  ],
  [
    'when it was planned, where its time is over in the new zone',
    daily('09:00'),
    BERLIN,
    { planned: '2026-06-02T13:00Z', now: '2026-06-02T10:00Z' },
    '2026-06-02T13:00Z',
  ],
  [
    'not again on a day that had it',
    daily('09:00'),
    'America/New_York',
    { planned: '2026-06-03T07:00Z', now: '2026-06-02T10:00Z' },
    '2026-06-03T13:00Z',
  ],
  [
    'a date and time of the new zone',
    { mode: 'at', at: '2026-12-24T09:00' },
    BERLIN,
    { planned: '2026-12-24T09:00Z', now: '2026-12-01T00:00Z' },
    '2026-12-24T08:00Z',
  ],
  [
    'when it was planned, where the date and time are over in the new zone',
    { mode: 'at', at: '2026-12-24T09:00' },
    BERLIN,
    { planned: '2026-12-24T09:00Z', now: '2026-12-24T08:30Z' },
    '2026-12-24T09:00Z',
  ],
])('after another zone was set: %s', (_, config, zone, { planned, now }, due) => {
  const times = { planned: Date.parse(planned), now: Date.parse(now) };
  expect(movedDue(config, zone, times)).toBe(Date.parse(due));
});
