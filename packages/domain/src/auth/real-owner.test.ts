import { expect, test } from 'vitest';
import { checkRealOwner } from './real-owner.ts';

const form = (password: string) => ({
  ...{ firstName: 'Ada', lastName: 'Real', email: 'ada@real.test', password, confirmPassword: password },
});

test.each([
  ['Truly-mine-1', {}],
  ['Welcome123', { password: 'passwordKnown' }],
  // What is hashed is the same.
  ['Welcome１２３', { password: 'passwordKnown' }],
  ['short', { password: 'passwordTooShort' }],
])('%s', (password, problems) => {
  expect(checkRealOwner(form(password))).toEqual(problems);
});
