import { expect, it } from 'vitest';
import { retryName } from './retry-name.ts';

it.each([
  ['Spring', 'Spring (retry)'],
  ['Spring (retry)', 'Spring (retry 2)'],
  ['Spring (retry 9)', 'Spring (retry 10)'],
  ['retry', 'retry (retry)'],
  ['x'.repeat(200), `${'x'.repeat(192)} (retry)`],
])('%s becomes %s', (name, next) => {
  expect(retryName(name)).toBe(next);
});
