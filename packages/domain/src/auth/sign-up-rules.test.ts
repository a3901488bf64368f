import { describe, expect, test } from 'vitest';
import {
  checkEmail,
  checkPassword,
  checkSignUp,
  normaliseEmail,
  signUpSentences,
  type SignUpForm,
} from './sign-up-rules.ts';

const good: SignUpForm = {
  firstName: 'Ann',
  lastName: 'Lee',
  email: 'ann@example.com',
  phoneNumber: '',
  role: 'agent',
  password: 'Welcome123',
  confirmPassword: 'Welcome123',
};

const sentences = (form: SignUpForm) =>
  Object.fromEntries(
    Object.entries(checkSignUp(form)).map(([field, problem]) => [field, signUpSentences[problem]]),
  );

describe('checkSignUp', () => {
  test('finds nothing wrong with a good form', () => {
    expect(checkSignUp(good)).toEqual({});
  });

  test.each<[Partial<SignUpForm>, Partial<Record<keyof SignUpForm, string>>]>([
    [{ firstName: ' ' }, { firstName: 'First name is required' }],
    [{ lastName: '' }, { lastName: 'Last name is required' }],
    [{ email: '' }, { email: 'Email is required' }],
    [{ email: 'ann@' }, { email: 'Please enter a valid email address' }],
    [{ phoneNumber: '+49 (170) 123-45 67' }, {}],
    [{ phoneNumber: 'call me' }, { phoneNumber: 'Please enter a valid phone number' }],
    [{ phoneNumber: '12+34' }, { phoneNumber: 'Please enter a valid phone number' }],
    [{ phoneNumber: '()-' }, { phoneNumber: 'Please enter a valid phone number' }],
    [{ confirmPassword: 'Welcome124' }, { confirmPassword: 'Passwords do not match' }],
    [{ lastName: 'Lee\0' }, { lastName: 'This text holds a character that cannot be stored' }],
    [{ firstName: 'x'.repeat(101) }, { firstName: 'First name must be at most 100 characters long' }],
  ])('%o', (change, errors) => {
    expect(sentences({ ...good, ...change })).toEqual(errors);
  });

  test('names every wrong field at once', () => {
    const empty = { ...good, firstName: '', lastName: '', email: '', password: '', confirmPassword: '' };
    expect(sentences(empty)).toEqual({
      firstName: 'First name is required',
      lastName: 'Last name is required',
      email: 'Email is required',
      password: 'Password is required',
    });
  });
});

const kinds = 'Password must contain at least one uppercase letter, one lowercase letter, and one number';

test.each([
  ['', 'Password is required'],
  ['Ab1', 'Password must be at least 8 characters long'],
  ['welcome123', kinds],
  ['WELCOME123', kinds],
  ['Welcomeabc', kinds],
  ['Ärgerlich1', null],
  ['Welcome123', null],
  [`Aa1${'x'.repeat(126)}`, 'Password must be at most 128 characters long'],
])('password %s', (password, sentence) => {
  const problem = checkPassword(password);
  expect(problem && signUpSentences[problem]).toBe(sentence);
});

test.each([
  ['ann@example.com', true],
  [' ann@example.com ', true],
  ['ann+tag@mail.example.co.uk', true],
  ['ann@localhost', false],
  ['ann example@example.com', false],
  ['ann@@example.com', false],
  ['ann@example..com', false],
  ['<ann@example.com>', false],
  [`${'a'.repeat(250)}@example.com`, false],
  ['ann\u200b@example.com', false],
  ['ann\0@example.com', false],
  ['ann\ud800@example.com', false],
])('address %s', (email, isGood) => {
  expect(checkEmail(email) === null).toBe(isGood);
});

test.each([
  [' Ann@Example.COM ', 'ann@example.com'],
  ['\u00a0ann@example.com\n', 'ann@example.com'],
  ['RENE\u0301@example.com', 'ren\u00e9@example.com'],
])('the address %j is compared as %s', (email, compared) => {
  expect(normaliseEmail(email)).toBe(compared);
});
