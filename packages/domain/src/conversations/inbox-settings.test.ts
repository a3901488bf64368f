import { expect, test } from 'vitest';
import { targetsFor, type TargetRule } from './inbox-settings.ts';

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
