import { expect, test } from 'vitest';
import { findKindText } from '../channel-kinds/kind-texts.ts';
import { lastingErrors, mayStillSucceed } from './retry-worth.ts';

test('what says something lasting of a person is not tried again', () => {
  const codes = ['131026', '131050', '131000', '190', 'never heard of', null];
  expect(codes.map(mayStillSucceed)).toEqual([false, false, true, true, true, true]);
  expect(lastingErrors.filter((code) => findKindText(code) === undefined)).toEqual([]);
});
