import { expect, test } from 'vitest';
import { snoozeChoices, snoozeUntil } from './snooze-presets.ts';

test.each([
  ['in_3_hours', '2026-11-22T22:30Z', '2026-11-23T01:30Z'],
  ['tomorrow', '2026-11-22T22:30Z', '2026-11-23T08:00Z'],
  // Half past midnight in Paris: tomorrow is the day after.
  ['tomorrow', '2026-11-22T23:30Z', '2026-11-24T08:00Z'],
  ['next_week', '2026-11-22T12:00Z', '2026-11-23T08:00Z'],
  ['next_week', '2026-11-23T12:00Z', '2026-11-30T08:00Z'],
  // The clocks change in between.
  ['next_week', '2026-03-25T12:00Z', '2026-03-30T07:00Z'],
] as const)('%s from %s on', (preset, now, until) => {
  expect(snoozeUntil(preset, new Date(now), 'Europe/Paris')).toEqual(new Date(until));
});

test('on a Sunday the next week is tomorrow, and is offered once', () => {
  const presetsOf = (now: string) => snoozeChoices(new Date(now), 'UTC').map(({ preset }) => preset);
  expect(presetsOf('2026-11-22T12:00:00Z')).toEqual(['in_3_hours', 'tomorrow']);
  expect(presetsOf('2026-11-23T12:00:00Z')).toEqual(['in_3_hours', 'tomorrow', 'next_week']);
});
