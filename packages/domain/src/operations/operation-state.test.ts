import { expect, test } from 'vitest';
import { findSecondsLeft, isOver, operationStates, mayFollow, statesBefore } from './operation-state.ts';

/** One row for each state, one column for each state that may follow. */
const table = `
              queued running cancelling interrupted cancelled done failed
  queued      -      yes     yes        -           -         -    yes
  running     -      -       yes        yes         -         yes  yes
  cancelling  -      -       -          -           yes       yes  yes
  interrupted -      yes     yes        -           -         -    yes
  cancelled   -      -       -          -           -         -    -
  done        -      -       -          -           -         -    -
  failed      yes    -       -          -           -         -    -`;

test('what may follow what is exactly this', () => {
  const written = operationStates.map((from) => [
    from,
    ...operationStates.map((to) => (mayFollow(from, to) ? 'yes' : '-')),
  ]);
  const [heading, ...rows] = table
    .trim()
    .split('\n')
    .map((line) => line.trim().split(/\s+/));
  expect(heading).toEqual(operationStates);
  expect(written.toSorted()).toEqual(rows.toSorted());
});

test('the states before one are those that it may follow', () => {
  expect(statesBefore('cancelled')).toEqual(['cancelling']);
  expect(statesBefore('running')).toEqual(['queued', 'interrupted']);
});

test('an act is over in the states that lead nowhere on', () => {
  expect(operationStates.filter(isOver)).toEqual(['cancelled', 'done', 'failed']);
});

test.each([
  ['at the rate until now', { done: 300, total: 900, phaseDone: 0, phaseMs: 3_000 }, 6],
  ['of this phase alone', { done: 300, total: 900, phaseDone: 200, phaseMs: 2_000 }, 12],
  ['not before it is known', { done: 300, total: 900, phaseDone: 0, phaseMs: 1_000 }, null],
  ['not without a total', { done: 300, total: null, phaseDone: 0, phaseMs: 3_000 }, null],
  ['not while nothing moves', { done: 300, total: 900, phaseDone: 300, phaseMs: 3_000 }, null],
  ['never below zero', { done: 901, total: 900, phaseDone: 0, phaseMs: 3_000 }, 0],
])('the time left is told %s', (_, pace, seconds) => expect(findSecondsLeft(pace)).toBe(seconds));
