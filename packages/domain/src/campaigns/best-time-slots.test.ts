import { describe, expect, it } from 'vitest';
import { chooseTimeSlot, listTimeSlots } from './best-time-slots.ts';

const at = (text: string) => new Date(text);
const hoursOf = (slots: readonly { hour: number }[]) => slots.map(({ hour }) => hour);
const counts = (events: Record<number, number>) => Array.from({ length: 24 }, (_, hour) => events[hour] ?? 0);

describe('slots', () => {
  it('are the 24 hours from now on, each once, the first at once and the others on the hour', () => {
    const slots = listTimeSlots(at('2026-03-05T14:25:00Z'), 'UTC', null);
    expect(hoursOf(slots)).toEqual([
      14, 15, 16, 17, 18, 19, 20, 21, 22, 23, 0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13,
    ]);
    expect(slots[0]?.at).toBe(at('2026-03-05T14:25:00Z').getTime());
    expect(slots[1]?.at).toBe(at('2026-03-05T15:00:00Z').getTime());
    expect(slots.at(-1)?.at).toBe(at('2026-03-06T13:00:00Z').getTime());
  });

  it.each(['Asia/Kolkata', 'Asia/Kathmandu', 'Australia/Lord_Howe'])('begin on the hour of %s', (zone) => {
    const slots = listTimeSlots(at('2026-06-05T14:25:00Z'), zone, null);
    expect(new Set(hoursOf(slots)).size).toBe(24);
    for (const slot of slots.slice(1))
      expect(new Intl.DateTimeFormat('en', { timeZone: zone, minute: 'numeric' }).format(slot.at)).toBe('0');
  });

  it.each([
    ['spring', '2026-03-28T20:10:00Z'],
    ['autumn', '2026-10-24T20:10:00Z'],
  ])('hold the night when the clocks change in %s', (_, now) => {
    const slots = listTimeSlots(at(now), 'Europe/Berlin', null);
    expect(slots.length).toBeGreaterThanOrEqual(23);
    expect(slots.map((slot) => slot.at)).toEqual(
      slots.map((slot) => slot.at).toSorted((one, other) => one - other),
    );
    expect((slots.at(-1)?.at ?? 0) - at(now).getTime()).toBeLessThanOrEqual(24 * 3_600_000);
  });

  it('leave out quiet hours, and are this hour alone where all are quiet', () => {
    const night = { from: '21:00', to: '09:00', timeZone: 'UTC' };
    expect(hoursOf(listTimeSlots(at('2026-03-05T19:25:00Z'), 'UTC', night))).toEqual([
      19, 20, 9, 10, 11, 12, 13, 14, 15, 16, 17, 18,
    ]);
    const always = { from: '00:00', to: '23:59', timeZone: 'UTC' };
    expect(hoursOf(listTimeSlots(at('2026-03-05T19:25:00Z'), 'UTC', always))).toEqual([19]);
  });
});

describe('the slot of a contact', () => {
  const slots = listTimeSlots(at('2026-03-05T14:25:00Z'), 'UTC', null);

  it.each([
    ['without data: the hour of everybody', {}, { 18: 500 }, 18],
    ['with habits of their own: theirs', { 7: 40 }, { 18: 500 }, 7],
    ['with two reads: still the hour of everybody', { 7: 2 }, { 18: 500 }, 18],
    ['without any data at all: at once', {}, {}, 14],
    ['two hours alike: the earlier one', { 16: 40, 20: 40 }, {}, 16],
  ])('%s', (_, own, everybody, hour) => {
    expect(slots[chooseTimeSlot(counts(own), counts(everybody), slots)]?.hour).toBe(hour);
  });
});
