import { expect, test } from 'vitest';
import { chooseFiles, findUncovered, nameForm } from '../statement-cover.ts';

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

const records = [
  { file: 'slow', seconds: 30, statements: ['a', 'b', 'c'] },
  { file: 'quick', seconds: 1, statements: ['a'] },
  { file: 'quicker', seconds: 2, statements: ['b', 'c'] },
  { file: 'locks', seconds: 9, statements: ['a'] },
];

test('the quickest files that send everything are chosen, beside those that belong to them', () => {
  expect(chooseFiles(records, () => false)).toEqual({
    needed: ['quick', 'quicker'],
    spare: ['slow', 'locks'],
  });
  expect(chooseFiles(records, (file) => file === 'locks')).toEqual({
    needed: ['locks', 'quicker'],
    spare: ['slow', 'quick'],
  });
});

test('a file that others make needless is dropped again', () => {
  const three = [
    { file: 'first', seconds: 3, statements: ['a', 'b', 'c', 'd'] },
    { file: 'left', seconds: 3, statements: ['a', 'b', 'e'] },
    { file: 'right', seconds: 3, statements: ['c', 'd', 'f'] },
  ];
  expect(chooseFiles(three, () => false).needed).toEqual(['left', 'right']);
});

test('what only files that are left out send is named with one of them', () => {
  expect(findUncovered(records, new Set(['slow', 'quicker']))).toEqual([
    { form: 'b', file: 'slow' },
    { form: 'c', file: 'slow' },
  ]);
  expect(findUncovered(records, new Set(['slow']))).toEqual([]);
});
