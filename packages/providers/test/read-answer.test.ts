import { findUnstorableText } from '@app/domain/text/storable-text';
import { readAnswer } from '../src/ai-models/read-answer.ts';
import { expect, test } from 'vitest';

test('an answer holds no text that cannot be stored, also where it is cut', () => {
  const long = `${'x'.repeat(59)}😀`;
  const answer = readAnswer(
    JSON.stringify({
      ...{ answer: 'Yes\0, we do', confidence: 1, intent: long, sources: [] },
      entities: [{ name: long, value: `${'x'.repeat(199)}😀` }],
    }),
  );
  expect(answer).toMatchObject({ answer: 'Yes\ufffd, we do' });
  expect(findUnstorableText(answer)).toEqual([]);
});
