import { expect, test } from 'vitest';
import { launchStateOf, type LaunchState } from './agent-desk.ts';

test.each<[LaunchState[], LaunchState]>([
  [[], 'unlaunched'],
  [['unlaunched'], 'unlaunched'],
  [['rejected', 'pending'], 'pending'],
  [['suspended', 'pending'], 'suspended'],
  [['suspended', 'launched'], 'launched'],
  [['rejected'], 'rejected'],
])('carriers in the states %j make the agent %s', (states, state) => {
  expect(launchStateOf(states.map((one, n) => ({ carrier: String(n), state: one })))).toBe(state);
});
