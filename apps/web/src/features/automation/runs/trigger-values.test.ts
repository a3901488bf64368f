import { expect, test } from 'vitest';
import { asTriggerValues, usedTriggerValues } from './trigger-values.ts';

test('the values of the trigger that steps use are asked for once each, and become the object that a trigger brings', () => {
  const step = (text: string) => ({ id: 'a', type: 'send_message', config: { text }, delay: null, next: {} });
  const steps = [
    step('Order {{trigger.body.order.id}} of {{ trigger.body.name | you }}'),
    step('{{contact.name}} wrote {{trigger.text}}, {{trigger.body.order.id}}'),
  ];
  expect(usedTriggerValues({ steps })).toEqual(['body.name', 'body.order.id', 'text']);
  const typed = new Map([
    ['body.name', 'Ann'],
    ['body.order.id', '17'],
    ['text', 'Hello'],
  ]);
  expect(asTriggerValues(typed)).toEqual({ body: { name: 'Ann', order: { id: '17' } }, text: 'Hello' });
});
