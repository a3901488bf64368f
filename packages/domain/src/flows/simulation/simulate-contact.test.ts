import { expect, test } from 'vitest';
import { emptyFlow, type FlowConfig, type FlowFile, type FlowSettings } from '../flow-file.ts';
import { compareSimulated } from './compare-simulated.ts';
import { simulateContact, type SimulatedContact, type StoredEvent } from './simulate-contact.ts';

const HOUR = 3_600_000;
const BEGIN = Date.UTC(2026, 10, 20, 9);

const step = (id: string, type: string, config: FlowConfig, next: Record<string, string | null> = {}) => ({
  ...{ id, type, config, next, delay: null },
});
const send = (id: string, templateId: string, next: string | null = null) =>
  step(id, 'send_message', { content: 'template', template: templateId, variables: {} }, { done: next });
const ask = (next: Record<string, string | null>, hours = 24) =>
  step('ask', 'wait_for_reply', { timeout: { amount: hours, unit: 'hours' } }, next);

function flow(steps: FlowFile['steps'], settings: Partial<FlowSettings> = {}, conditions = null): FlowFile {
  const file = emptyFlow('workflow', 'Flow');
  return {
    ...{ ...file, steps, start: steps[0]?.id ?? null, settings: { ...file.settings, ...settings } },
    triggers: [{ id: 'begin', type: 'tag_added', config: { tags: ['go'] }, conditions }],
  };
}

const tagged = (hour: number): StoredEvent => ({
  ...{ type: 'tag_added', values: { tag: 'go' }, at: BEGIN + hour * HOUR, triggerId: null, answeredBy: null },
  factId: null,
});
const wrote = (hour: number, text: string): StoredEvent => ({
  ...{ type: 'message_received', at: BEGIN + hour * HOUR, triggerId: null, answeredBy: null },
  factId: null,
  values: { text, button: null, message_id: `m${hour}` },
});

function contact(events: StoredEvent[], rest: Partial<SimulatedContact> = {}): SimulatedContact {
  return {
    ...{ events, hasEntered: false, busyUntil: null, knownUntil: BEGIN + 168 * HOUR },
    known: {
      ...{ contact: { id: 'c', name: 'Ann' }, workspace: {}, seed: 1 },
      ...{ contactZone: 'UTC', workspaceZone: 'UTC' },
    },
    meets: () => true,
    sampleOf: () => ({ status: 'done', values: { status: 200 } }),
    ...rest,
  };
}

const ways = (file: FlowFile, given: SimulatedContact) =>
  simulateContact(file, given).runs.map(({ path }) => path.map(({ stepId, exit }) => `${stepId}:${exit}`));

test('a stored reply is the reply, and its text is there for later steps', () => {
  const file = flow([
    ask({ replied: 'note', timed_out: 'late' }),
    step('note', 'add_note', { text: 'Said {{steps.ask.text}}' }),
    send('late', 't'),
  ]);
  expect(ways(file, contact([tagged(0), wrote(2, 'yes')]))).toEqual([['ask:replied', 'note:done']]);
  expect(ways(file, contact([tagged(0), wrote(30, 'late')]))).toEqual([['ask:timed_out', 'late:done']]);
});

test('a wait that reaches beyond the last known event says that nobody can know', () => {
  const file = flow([ask({ replied: null, timed_out: null }, 400), send('after', 't')]);
  const [run] = simulateContact(file, contact([tagged(0)])).runs;
  expect(run).toMatchObject({ end: null, unknown: { stepId: 'ask', why: 'reply' } });
});

test('delays pass on a clock of their own, also beyond the last event', () => {
  const file = flow([
    step('pause', 'wait', { mode: 'duration', duration: { amount: 30, unit: 'days' } }, { done: 'last' }),
    send('last', 't'),
  ]);
  const [run] = simulateContact(file, contact([tagged(0)])).runs;
  expect(run?.end).toEqual({ outcome: 'completed', code: null });
  expect(run?.messages).toMatchObject([{ templateId: 't', at: BEGIN + 30 * 24 * HOUR }]);
});

test.each([
  ['always', 2, []],
  ['one_at_a_time', 1, ['in_progress']],
  ['once', 1, ['entered_before']],
] as const)('re-entry %s', (reentry, runs, refused) => {
  const file = flow([ask({ replied: null, timed_out: null })], { reentry });
  const simulated = simulateContact(file, contact([tagged(0), tagged(1)]));
  expect([simulated.runs.length, simulated.refused]).toEqual([runs, refused]);
});

test('several tags of one edit begin one run by each trigger, and those of two edits begin two', () => {
  const file = flow([send('a', 't')], { reentry: 'always' });
  const both = { ...file.triggers[0]!, config: { tags: ['go', 'vip'] } };
  const second = { ...both, id: 'second', config: { tags: ['vip'] } };
  const tag = (name: string, factId: number) => ({ ...tagged(0), values: { tag: name }, factId });
  const begins = (triggers: FlowFile['triggers'], events: StoredEvent[]) =>
    simulateContact({ ...file, triggers }, contact(events)).runs.map(({ triggerId }) => triggerId);
  expect(begins([both], [tag('go', 1), tag('vip', 1)])).toEqual(['begin']);
  expect(begins([both], [tag('go', 1), tag('vip', 2)])).toEqual(['begin', 'begin']);
  expect(begins([both, second], [tag('go', 1), tag('vip', 1)])).toEqual(['begin', 'second']);
  expect(begins([both, second], [tag('vip', 1), tag('go', 1)])).toEqual(['begin']);
});

test('a circle ends', () => {
  const file = flow([
    step('pause', 'wait', { mode: 'duration', duration: { amount: 1, unit: 'hours' } }, { done: 'pause' }),
  ]);
  const [run] = simulateContact(file, contact([tagged(0)])).runs;
  expect(run?.unknown?.why).toBe('too_long');
});

test('a goal ends the run, and a message that a run takes begins no other', () => {
  const goal = { type: 'message_received', config: { match: 'contains', words: ['stop'] } };
  const file = flow([ask({ replied: 'bye', timed_out: null }), send('bye', 't')], { goal });
  const simulated = simulateContact(file, contact([tagged(0), wrote(1, 'please stop')]));
  expect(simulated.runs[0]?.end).toEqual({ outcome: 'completed', code: 'goal_reached' });
  const answering = {
    ...file,
    settings: { ...file.settings, goal: null, reentry: 'always' as const },
    triggers: [...file.triggers, { id: 'any', type: 'message_received', config: {}, conditions: null }],
  };
  expect(simulateContact(answering, contact([tagged(0), wrote(1, 'hi')])).refused).toEqual([
    'answered_by_run',
  ]);
});

test.each([
  ['enters', flow([send('a', 't')]), flow([send('a', 't')], {}, 'rules' as never)],
  ['stays_out', flow([send('a', 't')], {}, 'rules' as never), flow([send('a', 't')])],
  ['other_path', flow([send('a', 't', 'b'), send('b', 't')]), flow([send('a', 't', null)])],
  ['other_messages', flow([send('a', 'new')]), flow([send('a', 'old')])],
  ['same', flow([send('a', 't')]), flow([send('a', 't')])],
])('the difference is %s', (difference, draft, published) => {
  const given = contact([tagged(0)], { meets: () => false });
  const [one, other] = [simulateContact(draft, given), simulateContact(published, given)];
  expect(compareSimulated(one, other)).toBe(difference);
});
