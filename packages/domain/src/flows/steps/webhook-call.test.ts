import { expect, test } from 'vitest';
import { isFieldShown } from '../field.ts';
import { webhookCall } from './webhook-call.ts';

test.each([
  ['a body as JSON', { method: 'POST', content: 'json' }, ['content', 'json']],
  ['a body of which nothing is said, as it is sent', { method: 'POST' }, ['content', 'json']],
  ['a body as text', { method: 'PUT', content: 'text' }, ['content', 'text']],
  ['no body', { method: 'POST', content: 'none' }, ['content']],
  ['a method without a body', { method: 'GET', content: 'json' }, []],
])('a call with %s shows what counts of it', (_, config, expected) => {
  const ofBody = webhookCall.fields.filter(({ name }) => ['content', 'json', 'text'].includes(name));
  expect(ofBody.filter((field) => isFieldShown(field, config)).map(({ name }) => name)).toEqual(expected);
});
