import { expect, test } from 'vitest';
import type { ConnectorField } from './connector-kind.ts';
import type { ConnectorProblem } from './connector-problems.ts';
import { refusedField } from './refused-field.ts';

const field = (name: string, more: Partial<ConnectorField> = {}): ConnectorField => ({
  ...{ name, label: name, isSecret: false, format: 'text' },
  ...more,
});
const shop = [
  field('shop'),
  field('secret', { isSecret: true }),
  field('audience', { isOptional: true, isAdvanced: true }),
];
const hook = [field('hook', { isSecret: true }), field('consent', { isOptional: true, isHidden: true })];

test.each<[ConnectorProblem, readonly ConnectorField[], string | null]>([
  ['credentials_wrong', shop, 'secret'],
  ['permission_missing', shop, 'secret'],
  ['account_unknown', shop, 'shop'],
  ['account_unknown', hook, 'hook'],
  ['choice_needed', shop, 'audience'],
  ['choice_needed', hook, null],
  ['service_away', shop, null],
])('%s of a form is about its field', (problem, fields, name) => {
  expect(refusedField(fields, problem)).toBe(name);
});
