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
  const wait = { kind: 'time', until: Date.parse(until), since: Date.parse(now) };
  expect(enter(config, now)).toEqual({ wait });
});

test('a time that is over, also one in the hour that comes twice, is waited for no more', () => {
  expect(enter(at('2026-10-25T02:30'), '2026-10-25T01:00Z')).toEqual({ go: 'done' });
});

// In summer clocks in Berlin are 6 hours ahead of those in New York, and 7 hours behind those in Tokyo. The wait began at 20:00 in Berlin.
const SINCE = Date.parse('2026-07-01T18:00Z');
test.each<[string, FlowConfig, string, string, string | null]>([
  ['the same zone: the time has come', daily('09:00'), BERLIN, '2026-07-02T07:00Z', null],
  [
    'clocks behind: it waits on',
    daily('09:00'),
    'America/New_York',
    '2026-07-02T07:00Z',
    '2026-07-02T13:00Z',
  ],
  ['clocks ahead: it waits for less', daily('09:00'), 'Asia/Tokyo', '2026-07-01T20:00Z', '2026-07-02T00:00Z'],
  [
    'clocks ahead that showed the time since: it goes on',
    daily('09:00'),
    'Asia/Tokyo',
    '2026-07-02T01:00Z',
    null,
  ],
  ['a date and a time', at('2026-07-03T09:00'), 'America/New_York', '2026-07-03T07:00Z', '2026-07-03T13:00Z'],
])('after a change of the zone of the workspace, %s', (_, config, workspaceZone, now, until) => {
  const move = wait.resume?.(
    {
      ...{ config, now: Date.parse(now), known: { workspaceZone, contactZone: workspaceZone } },
      state: { wait: { kind: 'time', until: Date.parse('2026-07-02T07:00Z'), since: SINCE } },
    } as unknown as Parameters<typeof wait.enter>[0],
    { kind: 'time' },
  );
  expect(move).toEqual(
    until === null ? { go: 'done' } : { wait: { kind: 'time', until: Date.parse(until), since: SINCE } },
  );
});

test('a zone that the step names, and a wait of an earlier version of the product, are not checked again', () => {
  const named = { ...daily('09:00'), zone: 'Asia/Tokyo' };
  expect(enter(named, '2026-07-01T18:00Z')).toEqual({
    wait: { kind: 'time', until: Date.parse('2026-07-02T00:00Z') },
  });
  const earlier = {
    ...{ config: daily('09:00'), now: SINCE, known: { workspaceZone: BERLIN, contactZone: BERLIN } },
    state: { wait: { kind: 'time', until: SINCE } },
  } as unknown as Parameters<typeof wait.enter>[0];
  expect(wait.resume?.(earlier, { kind: 'time' })).toEqual({ go: 'done' });
});

function enter(config: FlowConfig, now: string) {
  return wait.enter({
    ...{ config, now: Date.parse(now) },
    known: { workspaceZone: BERLIN, contactZone: BERLIN },
  } as Parameters<typeof wait.enter>[0]);
}
