import { expect, test } from 'vitest';
import { readPlan, usageOfPlan } from './plan-usage.ts';

test.each([
  ['starter', 799, 400, 'fine', 'near'],
  ['starter', 800, 500, 'near', 'full'],
  ['professional', 12_000, 500, 'full', 'fine'],
  ['enterprise', 9_000_000, 9_000_000, 'fine', 'fine'],
] as const)('%s with %i messages and %i contacts: %s, %s', (plan, messages, contacts, ...levels) => {
  const use = usageOfPlan(plan, { messages, contacts });
  expect([use.messages.level, use.contacts.level]).toEqual(levels);
});

test('a plan that nobody knows is the smallest', () => {
  expect([readPlan('enterprise'), readPlan('gold')]).toEqual(['enterprise', 'starter']);
});
