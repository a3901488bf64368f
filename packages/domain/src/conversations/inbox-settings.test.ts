import { expect, test } from 'vitest';
import { readInboxSettings, targetsFor, type TargetRule } from './inbox-settings.ts';

const minutes = (firstAnswerMinutes: number | null) => ({ firstAnswerMinutes, resolutionMinutes: null });
const targetRules: TargetRule[] = [
  { teamId: null, priority: 'urgent', ...minutes(5) },
  { teamId: 'sales', priority: null, ...minutes(60) },
  { teamId: 'sales', priority: 'low', ...minutes(null) },
];

test.each([
  [null, 'normal', 30],
  [null, 'urgent', 5],
  ['support', 'urgent', 5],
  ['support', 'low', 30],
  ['sales', 'normal', 60],
  ['sales', 'urgent', 60],
  ['sales', 'low', null],
] as const)(
  'what the team %s has with the priority %s is answered within %s minutes',
  (teamId, priority, most) => {
    expect(targetsFor({ targets: minutes(30), targetRules }, { teamId, priority })).toMatchObject(
      minutes(most),
    );
  },
);

test('hours that were stored when a day had one span are read as days with one', () => {
  const day = { from: '09:00', to: '17:00' };
  const stored = {
    timeZone: 'UTC',
    days: [null, day, day, day, day, day, null],
    holidays: ['2026-12-25', '2026-12-25'],
  };
  expect(readInboxSettings({ businessHours: stored }).businessHours).toEqual({
    timeZone: 'UTC',
    days: [[], [day], [day], [day], [day], [day], []],
    exceptions: [{ day: '2026-12-25', hours: [] }],
  });
});
