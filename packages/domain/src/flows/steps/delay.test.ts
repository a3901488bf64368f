import { expect, test } from 'vitest';
import { advance } from '../advance.ts';
import { emptyFlow, type FlowFile } from '../flow-file.ts';
import { newRunState, type Known, type RunInput, type RunState } from '../run-state.ts';

const HOUR = 3_600_000;
const known: Known = {
  ...{ contact: { name: 'Ann' }, workspace: {}, contactZone: 'UTC', workspaceZone: 'UTC', seed: 7 },
};

test('the log counts the time of a step without the delay before it', () => {
  const hour = { mode: 'duration', duration: { amount: 1, unit: 'hours' } };
  const flow: FlowFile = {
    ...{ ...emptyFlow('workflow', 'Test'), start: 'wait' },
    steps: [
      { id: 'wait', type: 'wait', config: hour, delay: null, next: { done: 'tag' } },
      { id: 'tag', type: 'add_tag', config: { tag: 'vip' }, delay: { amount: 6, unit: 'minutes' }, next: {} },
    ],
  };
  const outcome = { kind: 'outcome', visit: 2, number: 1, outcome: { status: 'done' } } as const;
  let state: RunState = newRunState({}, 0);
  const log = [
    [1, { kind: 'start' }],
    [HOUR + 1, { kind: 'time' }],
    [HOUR + 360_001, { kind: 'time' }],
    [HOUR + 360_500, outcome],
  ] as const satisfies [number, RunInput][];
  const took = log.flatMap(([at, input]) => {
    const moved = advance(flow, state, input, known, at);
    ({ state } = moved);
    return moved.log.map(({ stepId, beganAt, endedAt }) => [stepId, endedAt - beganAt]);
  });
  expect(took).toEqual([
    ['wait', HOUR],
    ['tag', 499],
  ]);
});
