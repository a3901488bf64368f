import { expect, test } from 'vitest';
import type { FlowConfig } from '../flow-file.ts';
import { wait } from './wait.ts';

const BERLIN = 'Europe/Berlin';
const at = (local: string): FlowConfig => ({ mode: 'date_time', at: local, zone: 'workspace' });
const daily = (time: string): FlowConfig => ({ mode: 'time_of_day', time, weekdays: [], zone: 'workspace' });

// In Berlin the clocks go from 02:00 to 03:00 on 28 March 2027, and from 03:00 back to 02:00 on 25 October 2026.
test.each<[string, FlowConfig, string, string]>([
  [
    'a time that the clocks skip is an hour later',
    at('2027-03-28T02:30'),
    '2027-03-27T12:00Z',
    '2027-03-28T01:30Z',
  ],
  ['a time that comes twice is the first', at('2026-10-25T02:30'), '2026-10-24T12:00Z', '2026-10-25T00:30Z'],
  ['the next 02:30 is skipped: an hour later', daily('02:30'), '2027-03-28T00:00Z', '2027-03-28T01:30Z'],
  ['the next 02:30 comes twice: the first', daily('02:30'), '2026-10-25T00:00Z', '2026-10-25T00:30Z'],
  ['between the two, the next is that of tomorrow', daily('02:30'), '2026-10-25T01:00Z', '2026-10-26T01:30Z'],
])('in the night in which the clocks change, %s', (_, config, now, until) => {
  expect(enter(config, now)).toEqual({ wait: { kind: 'time', until: Date.parse(until) } });
});

test('a time that is over, also one in the hour that comes twice, is waited for no more', () => {
  expect(enter(at('2026-10-25T02:30'), '2026-10-25T01:00Z')).toEqual({ go: 'done' });
});

function enter(config: FlowConfig, now: string) {
  return wait.enter({
    ...{ config, now: Date.parse(now) },
    known: { workspaceZone: BERLIN, contactZone: BERLIN },
  } as Parameters<typeof wait.enter>[0]);
}
