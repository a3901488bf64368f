import { beforeAll, expect, test } from 'vitest';
import { loadMessages } from '../../shared/messages.ts';
import { SignInFailure } from '../../shared/sign-in/sign-in-calls.ts';
import { authErrorMessage, fieldErrorMessages } from './auth-error-message.ts';

beforeAll(() => loadMessages('auth'));

const fallback = 'auth.failure.signIn';

test.each([
  ['invalid_credentials', 0, 'Invalid email or password'],
  ['account_locked', 900, 'Too many failed sign-ins. Please try again in 15 minutes.'],
  ['too_many_attempts', 59, 'Too many attempts. Please try again in 1 minute.'],
  [
    'sign_in_slowed',
    32,
    'Many wrong passwords were tried for this address. Please try again in 32 seconds, or choose a new password.',
  ],
  ['server_busy', 5, 'The server is busy. Please try again in a moment.'],
  ['something_new', 0, 'Login failed'],
])('%s is told with its time of %i seconds', (code, retryAfterSeconds, sentence) => {
  expect(authErrorMessage(new SignInFailure(code, { retryAfterSeconds }), fallback)).toBe(sentence);
});

test('what the server refuses stands at its field in the words of the web', () => {
  const failure = new SignInFailure('invalid_input', {
    issues: [
      { field: 'email', code: 'textUnstorable' },
      { field: 'role', code: 'role' },
    ],
  });
  expect(fieldErrorMessages(failure)).toEqual({ email: 'This text holds a character that cannot be stored' });
  expect(fieldErrorMessages(new Error('offline'))).toEqual({});
});
