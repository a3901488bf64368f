import { describe, expect, test } from 'vitest';
import { advance, MOST_VISITS } from './advance.ts';
import { emptyFlow, type FlowFile, type FlowStep } from './flow-file.ts';
import { newRunState, type Known, type RunInput, type RunState } from './run-state.ts';

const HOUR = 3_600_000;
const known: Known = {
  contact: { name: 'Ann', phone: '+14155550100' },
  workspace: { business: 'Acme' },
  ...{ contactZone: 'America/New_York', workspaceZone: 'Europe/Berlin', seed: 7 },
};

const step = (
  id: string,
  type: string,
  config: FlowStep['config'],
  rest: Partial<FlowStep> = {},
): FlowStep => ({
  ...{ id, type, config, delay: null, next: {} },
  ...rest,
});
const flowOf = (...steps: FlowStep[]): FlowFile => ({
  ...emptyFlow('workflow', 'Test'),
  ...{ start: steps[0]?.id ?? null, steps },
});

/** Plays inputs one after the other, each at its time. */
function play(flow: FlowFile, inputs: readonly [number, RunInput][], of: Known = known) {
  let state: RunState = newRunState({ text: 'hi' }, 0);
  const asked: string[] = [];
  const log: string[] = [];
  for (const [at, input] of inputs) {
    const moved = advance(flow, state, input, of, at);
    ({ state } = moved);
    asked.push(
      ...moved.effects.map(({ kind, visit, request }) => `${visit} ${kind} ${JSON.stringify(request)}`),
    );
    log.push(
      ...moved.log.map(({ stepId, event, exit, code, details }) =>
        [stepId, event, exit ?? code, ...(details['isSkipped'] ? ['(skipped)'] : [])].join(' '),
      ),
    );
  }
  return { state, asked, log };
}

const done = (visit: number, number = 1): RunInput => ({
  ...{ kind: 'outcome', visit, number, outcome: { status: 'done' } },
});
const failed = (visit: number, code: string): RunInput => ({
  ...{ kind: 'outcome', visit, number: 1, outcome: { status: 'failed', code } },
});

test('a run goes from step to step, waits for each effect and comes to its end', () => {
  const flow = flowOf(
    step('tag', 'add_tag', { tag: 'vip' }, { delay: { amount: 1, unit: 'hours' }, next: { done: 'say' } }),
    step('say', 'send_message', { content: 'text', text: 'Hi {{contact.name}}, you wrote {{trigger.text}}' }),
  );
  const early = play(flow, [
    [0, { kind: 'start' }],
    [HOUR - 1, { kind: 'time' }],
  ]);
  expect(early.state.wait).toEqual({ kind: 'time', until: HOUR });
  expect(early.asked).toEqual([]);
  const whole = play(flow, [
    [0, { kind: 'start' }],
    [HOUR, { kind: 'time' }],
    [HOUR, done(1)],
    [HOUR + 5, done(2)],
  ]);
  expect(whole.asked).toEqual([
    '1 add_tag {"tag":"vip"}',
    '2 send_message {"text":"Hi Ann, you wrote hi","buttons":[],"channelId":null,"answers":[]}',
  ]);
  expect(whole.log).toEqual(['tag left done', 'say left done']);
  expect(whole.state.end).toEqual({ outcome: 'completed', code: null });
});

describe('what an effect comes to', () => {
  const flow = flowOf(step('say', 'send_message', { content: 'text', text: 'Hi' }));
  const withWay = flowOf(
    step('say', 'send_message', { content: 'text', text: 'Hi' }, { next: { failed: 'note' } }),
    step('note', 'add_tag', { tag: 'unreached' }),
  );
  test.each<[string, FlowFile, [number, RunInput][], unknown, string[]]>([
    [
      'fails the run',
      flow,
      [[1, failed(1, 'contact_blocked')]],
      { outcome: 'failed', code: 'contact_blocked' },
      ['say failed contact_blocked'],
    ],
    [
      'leads to the step for failures',
      withWay,
      [[1, failed(1, 'contact_blocked')]],
      null,
      ['say left failed'],
    ],
    ['of another visit changes nothing', flow, [[1, done(2)]], null, ['say ignored outcome']],
    ['of another number changes nothing', flow, [[1, done(1, 2)]], null, ['say ignored outcome']],
    [
      'nobody knows past its time',
      flow,
      [[30 * 24 * HOUR, { kind: 'time' }]],
      { outcome: 'failed', code: 'no_outcome' },
      ['say failed no_outcome'],
    ],
    [
      'comes twice and counts once',
      flow,
      [
        [1, done(1)],
        [2, done(1)],
      ],
      { outcome: 'completed', code: null },
      ['say left done', ' ignored outcome'],
    ],
    ['is not skipped', flow, [[1, { kind: 'skip' }]], null, ['say ignored skip']],
  ])('%s', (_, of, inputs, end, log) => {
    const played = play(of, [[0, { kind: 'start' }], ...inputs]);
    expect([played.state.end, played.log]).toEqual([end, log]);
  });
});

describe('a run ends', () => {
  const flow = flowOf(step('wait', 'wait', { mode: 'duration', duration: { amount: 1, unit: 'days' } }));
  test.each<[string, FlowFile, RunInput[], RunState['end']]>([
    ['at once without steps', flowOf(), [], { outcome: 'completed', code: null }],
    [
      'when a person cancels it',
      flow,
      [{ kind: 'cancel', code: 'by_person' }],
      { outcome: 'cancelled', code: 'by_person' },
    ],
    ['when its goal is reached', flow, [{ kind: 'goal' }], { outcome: 'completed', code: 'goal_reached' }],
    ['when a person skips its last wait', flow, [{ kind: 'skip' }], { outcome: 'completed', code: null }],
    [
      'when the shell gives up',
      flow,
      [{ kind: 'fail', code: 'internal' }],
      { outcome: 'failed', code: 'internal' },
    ],
    [
      'once',
      flow,
      [{ kind: 'goal' }, { kind: 'cancel', code: 'late' }],
      { outcome: 'completed', code: 'goal_reached' },
    ],
  ])('%s', (_, of, inputs, end) => {
    const all: RunInput[] = [{ kind: 'start' }, ...inputs];
    expect(
      play(
        of,
        all.map((input) => [1, input]),
      ).state.end,
    ).toEqual(end);
  });

  test('where a step needs a contact and there is none', () => {
    const tag = flowOf(step('tag', 'add_tag', { tag: 'vip' }));
    expect(play(tag, [[0, { kind: 'start' }]], { ...known, contact: {} }).state.end?.code).toBe(
      'contact_missing',
    );
  });

  test('where it goes round and round', () => {
    const past = { mode: 'date_time', at: '2020-01-01T00:00' };
    const round = flowOf(
      step('a', 'wait', past, { next: { done: 'b' } }),
      step('b', 'wait', past, { next: { done: 'a' } }),
    );
    const { state } = play(round, [[Date.UTC(2026, 0, 1), { kind: 'start' }]]);
    expect([state.end?.code, state.visit]).toEqual(['steps_per_run', MOST_VISITS + 1]);
  });

  test('where the step that it waits at is not in its version any more', () => {
    const before = play(flow, [[0, { kind: 'start' }]]).state;
    const { state } = advance(flowOf(step('other', 'wait', {})), before, { kind: 'time' }, known, 25 * HOUR);
    expect(state.end?.code).toBe('step_gone');
  });
});

describe('a wait ends', () => {
  const at = (text: string) => Date.parse(text);
  test.each([
    [
      'on the clocks of the workspace',
      { mode: 'date_time', at: '2026-07-01T09:00', zone: 'workspace' },
      '2026-07-01T07:00:00Z',
    ],
    [
      'on the clocks of the contact',
      { mode: 'date_time', at: '2026-07-01T09:00', zone: 'contact' },
      '2026-07-01T13:00:00Z',
    ],
    [
      'an hour later where the clocks skip it',
      { mode: 'date_time', at: '2027-03-28T02:30', zone: 'Europe/Berlin' },
      '2027-03-28T01:30:00Z',
    ],
    [
      'at the first of two',
      { mode: 'date_time', at: '2026-10-25T02:30', zone: 'Europe/Berlin' },
      '2026-10-25T00:30:00Z',
    ],
    [
      'at the next time of the day',
      { mode: 'time_of_day', time: '08:00', weekdays: [], zone: 'Europe/Berlin' },
      '2026-06-02T06:00:00Z',
    ],
    [
      'on the next of the weekdays',
      { mode: 'time_of_day', time: '08:00', weekdays: [5], zone: 'Europe/Berlin' },
      '2026-06-05T06:00:00Z',
    ],
  ])('%s', (_, config, until) => {
    const flow = flowOf(step('wait', 'wait', config));
    const { state } = play(flow, [[at('2026-06-01T12:00:00Z'), { kind: 'start' }]]);
    expect(state.wait).toMatchObject({ kind: 'time', until: at(until) });
  });
});

describe('a way is chosen', () => {
  const split = flowOf(
    step(
      'split',
      'random_split',
      {
        shares: [
          { name: 'a', percent: 30 },
          { name: 'b', percent: 70 },
        ],
      },
      { next: { a: 'a' } },
    ),
    step('a', 'stop', { outcome: 'failed' }),
  );
  test('by chance, in the shares that were set, and the same again for the same run', () => {
    const endOf = (seed: number) =>
      play(split, [[0, { kind: 'start' }]], { ...known, seed }).state.end?.outcome;
    const ends = Array.from({ length: 2000 }, (_, seed) => endOf(seed * 7919));
    expect(ends.filter((end) => end === 'failed').length).toBeGreaterThan(520);
    expect(ends.filter((end) => end === 'failed').length).toBeLessThan(680);
    expect(endOf(5)).toBe(endOf(5));
  });

  test.each([
    ['a reply', { kind: 'reply', messageId: 'm', text: 'Yes', button: null, at: 5 }, 'wait left replied'],
    ['the time', { kind: 'time' }, 'wait left timed_out'],
    ['a person who skips it', { kind: 'skip' }, 'wait left timed_out (skipped)'],
    [
      'an event',
      { kind: 'event', event: { type: 'tag_added', values: { tag: 'x' }, at: 5 } },
      'wait ignored event',
    ],
  ] satisfies [string, RunInput, string][])('where a reply is waited for, by %s', (_, input, line) => {
    const flow = flowOf(step('wait', 'wait_for_reply', { timeout: { amount: 1, unit: 'hours' } }));
    expect(
      play(flow, [
        [0, { kind: 'start' }],
        [HOUR, input],
      ]).log,
    ).toEqual([line]);
  });

  test.each([
    ['VIP', 'wait left happened'],
    ['other', 'wait ignored event'],
  ])('where a tag is waited for, by tag %s', (tag, line) => {
    const event = { type: 'tag_added', config: { tags: ['vip'] } };
    const flow = flowOf(step('wait', 'wait_for_event', { event, timeout: { amount: 1, unit: 'hours' } }));
    const input: RunInput = { kind: 'event', event: { type: 'tag_added', values: { tag }, at: 1 } };
    expect(
      play(flow, [
        [0, { kind: 'start' }],
        [1, input],
      ]).log,
    ).toEqual([line]);
  });
});

describe('a question', () => {
  const question = { text: 'Which day?', answer: 'date', save_to: 'custom_field', field: 'f', attempts: 2 };
  const flow = flowOf(
    step(
      'day',
      'ask',
      { ...question, timeout: { amount: 1, unit: 'hours' } },
      { next: { done: 'tag', invalid: 'no' } },
    ),
    step('tag', 'add_tag', { tag: 'asked' }),
    step('no', 'add_tag', { tag: 'gave up' }),
  );
  const reply = (text: string): RunInput => ({
    ...{ kind: 'reply', messageId: 'm', text, button: null, at: 5 },
  });

  test('waits for its answer at once, and the report that it left changes nothing', () => {
    const played = play(flow, [
      [0, { kind: 'start' }],
      [3, done(1)],
    ]);
    expect(played.state.wait).toEqual({ kind: 'reply', since: 0, until: HOUR });
    expect(played.log).toEqual([]);
  });

  test('saves an answer, and asks again where the field does not take it', () => {
    const asked = (outcome: RunInput) =>
      play(flow, [
        [0, { kind: 'start' }],
        [5, reply('31.12.2026')],
        [6, outcome],
      ]);
    expect(asked(done(1, 2)).asked).toEqual([
      expect.stringContaining('send_message'),
      '1 set_field {"fieldId":"f","value":"2026-12-31"}',
      '2 add_tag {"tag":"asked"}',
    ]);
    const refused: RunInput = {
      ...{
        kind: 'outcome',
        visit: 1,
        number: 2,
        outcome: { status: 'failed', code: 'custom_field_invalid' },
      },
    };
    expect(asked(refused).state).toMatchObject({ at: 'day', wait: { kind: 'reply' }, memo: { attempt: 2 } });
  });

  test.each([
    ['no answer fits', [reply('soon'), reply('later')], 'no'],
    ['the time runs out', [{ kind: 'skip' } satisfies RunInput], null],
  ])('is left where %s', (_, inputs, at) => {
    const played = play(flow, [
      [0, { kind: 'start' }],
      ...inputs.map((input): [number, RunInput] => [5, input]),
    ]);
    expect(played.state.at).toBe(at);
  });

  test('fails where it could not be said', () => {
    expect(
      play(flow, [
        [0, { kind: 'start' }],
        [5, failed(1, 'window_closed')],
      ]).state.end,
    ).toEqual({
      ...{ outcome: 'failed', code: 'window_closed' },
    });
  });
});

test.each([
  ['is', 'Shipped', 'shipped', 'yes'],
  ['is_not', 'Shipped', 'open', 'yes'],
  ['contains', 'on its way', 'WAY', 'yes'],
  ['more', '2,5', '2', 'yes'],
  ['less', '10', '9', 'no'],
  ['empty', ' ', '', 'yes'],
  ['not_empty', '', '', 'no'],
])('a value compared by %s: %s and %s is %s', (operator, value, other, exit) => {
  const flow = flowOf(step('check', 'compare', { operator, value, other }));
  expect(play(flow, [[0, { kind: 'start' }]]).log).toEqual([`check left ${exit}`]);
});

test.each([
  [1.125, 'yes'],
  [33.333333333333336, 'yes'],
  [1e-7, 'no'],
  ['1.125', 'number_invalid'],
])('of a call that brought %j it is clear whether that is more than 1: %s', (total, said) => {
  const flow = flowOf(
    step('call', 'webhook_call', { method: 'GET', url: 'https://a.test/' }, { next: { done: 'check' } }),
    step('check', 'compare', { operator: 'more', value: '{{steps.call.total}}', other: '1' }),
  );
  const brought: RunInput = {
    ...{ kind: 'outcome', visit: 1, number: 1, outcome: { status: 'done', values: { total } } },
  };
  const { log } = play(flow, [
    [0, { kind: 'start' }],
    [5, brought],
  ]);
  expect(log.at(-1)).toMatch(new RegExp(`^check \\w+ ${said}$`));
});
