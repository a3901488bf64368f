import { expect, test } from 'vitest';
import { isWorthAlert, type AlertChoice, type Arrived } from './alert-rules.ts';

const message = { kind: 'message', isMuted: false, assigneeId: null, isLookedAt: false } as const;
const cases: [Arrived, readonly AlertChoice[]][] = [
  [{ kind: 'mention' }, ['all', 'mine', 'mentions']],
  [message, ['all', 'mine']],
  [{ ...message, assigneeId: 'me' }, ['all', 'mine']],
  [{ ...message, assigneeId: 'other' }, ['all']],
  [{ ...message, isMuted: true }, []],
  [{ ...message, isLookedAt: true, assigneeId: 'me' }, []],
];

test.each(cases)('%j is heard by those who chose %j', (arrived, heard) => {
  const choices = ['all', 'mine', 'mentions', 'off'] as const;
  expect(choices.filter((choice) => isWorthAlert(choice, arrived, 'me'))).toEqual(heard);
});
