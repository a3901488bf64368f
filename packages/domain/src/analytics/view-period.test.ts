import { expect, test } from 'vitest';
import { lastDayOfMail, readViewQuery, type ViewQuery } from './view-period.ts';

const ID = '0193a6f0-0000-7000-8000-000000000001';
const now = Date.parse('2026-11-27T20:00:00Z');

test.each<[string, ViewQuery, object]>([
  ['nothing', {}, { from: '2026-10-29', to: '2026-11-27', zone: 'UTC' }],
  [
    'a week in a zone where it is tomorrow',
    { period: '7days', zone: 'Asia/Tokyo' },
    { from: '2026-11-22', to: '2026-11-28', zone: 'Asia/Tokyo' },
  ],
  [
    'days of its own',
    { period: 'custom', from: '2026-01-01', to: '2026-01-31' },
    { from: '2026-01-01', to: '2026-01-31', zone: 'UTC' },
  ],
  [
    'days the wrong way round',
    { period: 'custom', from: '2026-02-01', to: '2026-01-31' },
    { from: '2026-10-29', to: '2026-11-27', zone: 'UTC' },
  ],
  [
    'a day that the calendar does not have',
    { period: 'custom', from: '2026-11-20', to: '2026-11-31' },
    { from: '2026-11-20', to: '2026-11-27', zone: 'UTC' },
  ],
  [
    'the last days that can be written',
    { period: 'custom', from: '9999-12-01', to: '9999-12-31' },
    { from: '2026-10-29', to: '2026-11-27', zone: 'UTC' },
  ],
  [
    'what is no id and no zone',
    { campaign: 'x', zone: '+05:30', country: 'XX' },
    { from: '2026-10-29', to: '2026-11-27', zone: 'UTC' },
  ],
  [
    'filters',
    { campaign: ID, tag: 'VIP', channel: 'rcs' },
    { campaignId: ID, tag: 'VIP', channel: 'rcs', from: '2026-10-29', to: '2026-11-27', zone: 'UTC' },
  ],
])('a view of %s', (_, query, input) => {
  expect(readViewQuery(query, { now, zone: 'UTC' })).toEqual(input);
});

test.each([
  ['a view of the zone of its reader', undefined, 'Asia/Tokyo', '2026-11-26'],
  ['a view of an unknown zone', 'Moon/Crater', 'Asia/Tokyo', '2026-11-26'],
  ['a zone in which that day goes on', 'America/Los_Angeles', 'Asia/Tokyo', '2026-11-25'],
  ['a zone an hour behind', 'Europe/London', 'Europe/Berlin', '2026-11-26'],
  ['a zone in which the next day is over soon', 'Pacific/Kiritimati', 'America/Los_Angeles', '2026-11-26'],
])('the last day of a mail is over: %s', (_, viewed, zone, day) => {
  const query = viewed === undefined ? {} : { zone: viewed };
  expect(lastDayOfMail(query, { zone, day: '2026-11-27', from: '08:00' })).toBe(day);
});

test('a mail is about days that are over', () => {
  expect(readViewQuery({ period: '7days' }, { zone: 'UTC', end: '2026-11-26' })).toEqual({
    ...{ from: '2026-11-20', to: '2026-11-26', zone: 'UTC' },
  });
});
