import { expect, test } from 'vitest';
import { signUpSentences } from '@app/domain/auth/sign-up-rules';
import words from '../../messages/auth.json' with { type: 'json' };

test('English says what the server says', () => {
  const sentences = Object.entries(words).filter(([key]) => key.startsWith('auth.problem.'));
  const spoken = Object.fromEntries(sentences.map(([key, { en }]) => [key.replace('auth.problem.', ''), en]));
  expect(spoken).toEqual(signUpSentences);
});
