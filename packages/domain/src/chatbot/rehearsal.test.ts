import { expect, test } from 'vitest';
import { emptyFlow, type FlowFile, type FlowStep } from '../flows/flow-file.ts';
import type { Known } from '../flows/run-state.ts';
import {
  beginRehearsal,
  replyInRehearsal,
  settleInRehearsal,
  skipInRehearsal,
  type Rehearsal,
} from './rehearsal.ts';

const known: Known = {
  contact: { name: 'Alex', email: null, language: 'en' },
  ...{ workspace: { business: 'Acme' }, contactZone: 'UTC', workspaceZone: 'UTC', seed: 1 },
};
const step = (
  id: string,
  type: string,
  config: FlowStep['config'],
  next: FlowStep['next'] = {},
): FlowStep => ({
  ...{ id, type, config, next, delay: null },
});
const day = { amount: 1, unit: 'days' };
const flow: FlowFile = {
  ...emptyFlow('bot', 'Test'),
  triggers: [{ id: 'begin', type: 'keyword', config: { value: 'order' }, conditions: null }],
  start: 'mail',
  steps: [
    step(
      'mail',
      'ask',
      { text: 'Mail?', answer: 'email', save_to: 'email', attempts: 2, timeout: day },
      { done: 'call', timed_out: 'wait' },
    ),
    step(
      'call',
      'webhook_call',
      { method: 'GET', url: 'https://example.com', mapping: [{ name: 'state', value: 'state' }] },
      { done: 'say', failed: 'people' },
    ),
    step('say', 'send_message', { content: 'text', text: '{{contact.email}}: {{steps.call.state}}' }),
    step('people', 'handoff', { to: 'anyone', text: 'One moment.' }),
    step('wait', 'wait', { mode: 'duration', duration: day }, { done: 'people' }),
  ],
};
const said = ({ entries }: Rehearsal) =>
  entries.flatMap((entry) => (entry.kind === 'message' ? [entry.request['text']] : []));
const begun = () => beginRehearsal(flow, known, 'my order', 0)!;

test('a message that no trigger has begins nothing', () => {
  expect(beginRehearsal(flow, known, 'hello', 0)).toBeNull();
});

test('a dialogue goes on with what the tester writes, and with what the tester says of a service', () => {
  const asked = replyInRehearsal(replyInRehearsal(begun(), 'what?', null), 'alex@example.com', null);
  expect(asked).toMatchObject({ asked: { kind: 'webhook_call' }, state: { at: 'call' } });
  const done = settleInRehearsal(asked, { status: 'done', values: { status: 200, state: 'sent' } });
  expect(said(done)).toEqual(['Mail?', expect.stringContaining('Mail?'), 'alex@example.com: sent']);
  expect(done.state.end).toEqual({ outcome: 'completed', code: null });
  expect(done.entries.some((entry) => entry.kind === 'action' && entry.effect === 'set_field')).toBe(true);
});

test('a service that fails goes its own way, which ends with people', () => {
  const failed = settleInRehearsal(replyInRehearsal(begun(), 'alex@example.com', null), {
    status: 'failed',
    code: 'http_500',
  });
  expect(said(failed)).toEqual(['Mail?', 'One moment.']);
  expect(failed.state.end).toEqual({ outcome: 'completed', code: 'handed_over' });
});

test('waits are skipped on the clock of the rehearsal', () => {
  const waiting = skipInRehearsal(begun());
  expect(waiting).toMatchObject({ state: { at: 'wait', wait: { kind: 'time' } }, now: 86_400_000 });
  expect(skipInRehearsal(waiting).state.end?.code).toBe('handed_over');
});

test('what is written while a service is asked leaves the question open', () => {
  const asked = replyInRehearsal(begun(), 'alex@example.com', null);
  const written = replyInRehearsal(asked, 'hello?', null);
  expect(written.asked).toEqual(asked.asked);
  expect(settleInRehearsal(written, { status: 'failed', code: 'http_500' }).state.end).not.toBeNull();
});
