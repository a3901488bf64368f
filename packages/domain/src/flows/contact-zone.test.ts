import { expect, test } from 'vitest';
import { contactZoneOf, countryZones } from './contact-zone.ts';
import { nextOccurrence } from './flow-schedule.ts';

test.each([
  ['+4915112345678', 'Europe/Berlin'],
  ['+919812345678', 'Asia/Kolkata'],
  ['+14155550100', 'UTC'],
  ['+5511987654321', 'UTC'],
  [null, 'UTC'],
])('the zone of %s is %s', (phone, zone) => {
  expect(contactZoneOf(phone, 'UTC')).toBe(zone);
});

test('every zone of a country is one that clocks know', () => {
  for (const timeZone of countryZones.values())
    expect(() => new Intl.DateTimeFormat('en', { timeZone })).not.toThrow();
});

test('in the zone of the contact each zone has its own occurrence, and whose number tells none has that of the workspace', () => {
  const config = { mode: 'every', period: 'day', time: '09:00', zone: 'contact' };
  const seen: { at: string; withRest: boolean; india: boolean; germany: boolean }[] = [];
  let after = Date.UTC(2026, 10, 27, 0);
  for (;;) {
    const next = nextOccurrence(config, 'America/New_York', after);
    if (!next?.contacts || next.at >= Date.UTC(2026, 10, 28, 0)) break;
    after = next.at;
    const { countries, withRest } = next.contacts;
    const [india, germany] = [countries.includes('IN'), countries.includes('DE')];
    if (india || germany || withRest)
      seen.push({ at: new Date(next.at).toISOString().slice(11, 16), withRest, india, germany });
  }
  expect(seen).toEqual([
    { at: '03:30', withRest: false, india: true, germany: false },
    { at: '08:00', withRest: false, india: false, germany: true },
    { at: '14:00', withRest: true, india: false, germany: false },
  ]);
});

test('one run without a contact has the zone of the workspace', () => {
  const config = { mode: 'every', period: 'day', time: '09:00', zone: 'contact', runs: 'once' };
  expect(nextOccurrence(config, 'Asia/Tokyo', Date.UTC(2026, 10, 27, 1))).toEqual({
    ...{ at: Date.UTC(2026, 10, 28, 0), zone: 'Asia/Tokyo', contacts: null },
  });
});
