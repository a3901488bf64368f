import { expect, test } from 'vitest';
import { emptyFlow, type FlowFile } from './flow-file.ts';
import { findWindowRisks } from './message-window.ts';

type Step = FlowFile['steps'][number];
const step = (id: string, type: string, config: Step['config'], next: Step['next'] = {}): Step => ({
  ...{ id, type, config, next, delay: null },
});
const say = (next: Step['next'] = {}, more: Step['config'] = {}) =>
  step('say', 'send_message', { content: 'text', text: 'Hello', ...more }, next);
const wait = (amount: number, unit: string) =>
  step('first', 'wait', { mode: 'duration', duration: { amount, unit } }, { done: 'say' });
const timeOfDay = (weekdays: number[]) =>
  step('first', 'wait', { mode: 'time_of_day', time: '09:00', weekdays }, { done: 'say' });
const reply = (exit: string) =>
  step('first', 'wait_for_reply', { timeout: { amount: 2, unit: 'days' } }, { [exit]: 'say' });
const delayed: Step = { ...say(), delay: { amount: 1, unit: 'days' } };

const message = { type: 'message_received', config: { match: 'any' } };
const tag = { type: 'tag_added', config: { tags: ['vip'] } };
const chatForm = { type: 'form_submission', config: { source: 'chat' } };

test.each<[string, { type: string; config: Step['config'] }[], Step[], string | null]>([
  ['after a message', [message], [say()], null],
  ['after a form in the chat', [chatForm], [say()], null],
  ['after a form on a page', [{ type: 'form_submission', config: { slug: 'a' } }], [say()], 'no_message'],
  ['after a tag', [tag], [say()], 'no_message'],
  ['after a message or a tag', [message, tag], [say()], 'no_message'],
  ['a template after a tag', [tag], [step('say', 'send_message', { content: 'template' })], null],
  ['with a step for a failure', [tag], [say({ failed: 'first' }), step('first', 'stop', {})], null],
  ['through a channel without a limit', [tag], [say({}, { channel: 'rcs' })], null],
  ['23 hours after a message', [message], [wait(23, 'hours'), say()], null],
  ['24 hours after a message', [message], [wait(24, 'hours'), say()], 'too_late'],
  ['with a delay of a day', [message], [delayed], 'too_late'],
  ['the next morning', [message], [timeOfDay([]), say()], null],
  ['the next Monday', [message], [timeOfDay([1]), say()], 'too_late'],
  ['after a reply', [tag], [reply('replied'), say()], null],
  ['without a reply', [message], [reply('timed_out'), say()], 'too_late'],
  [
    'in a circle that waits',
    [message],
    [say({ done: 'first' }), { ...wait(1, 'hours'), next: { done: 'say' } }],
    'too_late',
  ],
])('a text %s', (_, triggers, steps, reason) => {
  const flow: FlowFile = {
    ...emptyFlow('workflow', 'Flow'),
    triggers: triggers.map((one, place) => ({ ...one, id: `t${place}`, conditions: null })),
    start: steps[0]!.id,
    steps,
  };
  expect(findWindowRisks(flow, (channelId) => (channelId === 'rcs' ? null : 24))).toEqual(
    reason === null ? [] : [{ stepId: 'say', reason }],
  );
});
