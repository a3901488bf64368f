import { expect, test } from 'vitest';
import { newRunState } from '../run-state.ts';
import type { StepVisit } from '../step-type.ts';
import { ask } from './ask.ts';

const config = {
  ...{ text: 'Your order number?', answer: 'text', save_to: 'flow', attempts: 2 },
  timeout: { amount: 1, unit: 'hours' },
};
const visit: StepVisit = {
  step: { id: 'number', type: 'ask', config, delay: null, next: {} },
  config,
  state: {
    ...newRunState({}, 0),
    at: 'number',
    steps: { menu: { choice: 'My order', text: 'My order' }, said: {} },
  },
  values: { trigger: {}, contact: {}, steps: {}, workspace: {} },
  known: { contact: { language: 'en' }, workspace: {}, contactZone: 'UTC', workspaceZone: 'UTC', seed: 0 },
  now: 0,
};
const answerTo = (text: string, button: string | null) =>
  ask.resume?.(visit, { kind: 'reply', messageId: 'm', text, button, at: 5 });

test('a choice of a question that was answered, tapped once more, is no answer to the next one', () => {
  expect(answerTo('My order', 'menu:order')).toMatchObject({ ask: 'send_message', memo: { attempt: 2 } });
});

test.each([
  ['typed', 'A-4711', null],
  ['typed as the choice was called', 'My order', null],
  ['tapped below a message that only said something', 'Blue', 'said:1'],
  ['tapped below another message', 'Blue', 'template payload'],
])('an answer that is %s counts', (_, text, button) => {
  expect(answerTo(text, button)).toMatchObject({ go: 'done', values: { answer: text } });
});
