import { expect, test } from 'vitest';
import { nameForm } from '../statement-form.ts';

test.each([
  ['SELECT a FROM b WHERE c = $1', 'select other', false],
  ["SELECT a\n  FROM b WHERE c = 'x''y' -- why", 'SELECT a FROM b WHERE c = $2', true],
  ['SELECT a WHERE b IN ($1, $2)', 'SELECT a WHERE b IN ($1, $2, $3, $4)', true],
  ['insert into a values ($1, default), ($2, $3)', 'insert into a values ($1, $2)', true],
  ['SELECT FROM recipients_12 LIMIT 20', 'SELECT FROM recipients_7 LIMIT 100', true],
  ['LISTEN pgboss_54c379fa714714243ddb008a', 'LISTEN pgboss_0c1f79fa714714243ddb0aaa', true],
  ['SELECT a FROM b', 'SELECT a FROM b FOR UPDATE', false],
])('%s and %s are one statement: %s', (one, other, areSame) => {
  expect(nameForm(one) === nameForm(other)).toBe(areSame);
});
