import { expect, test } from 'vitest';
import { deliveryErrorWords } from './delivery-error-words.ts';
import { lastingRefusals, mayStillSucceed } from './retry-worth.ts';

test('what says something lasting of a person is not tried again', () => {
  const codes = ['131026', '131050', '131000', '190', 'never heard of', null];
  expect(codes.map(mayStillSucceed)).toEqual([false, false, true, true, true, true]);
  expect(lastingRefusals.filter((code) => !Object.hasOwn(deliveryErrorWords, code))).toEqual([]);
});
