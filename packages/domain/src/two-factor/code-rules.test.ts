import { expect, test } from 'vitest';
import { lockSecondsAfterCodes, readCode, showRecoveryCode } from './code-rules.ts';

test.each([
  ['123456', { kind: 'one-time', code: '123456' }],
  [' 123 456 ', { kind: 'one-time', code: '123456' }],
  ['ABCDE-FGHJK', { kind: 'recovery', code: 'abcdefghjk' }],
  ['abcde fgh23', { kind: 'recovery', code: 'abcdefgh23' }],
  ['12345', null],
  ['1234567', null],
  ['abcde-fghi1', null],
  ['١٢٣٤٥٦', null],
  ['', null],
])('%j is read as %j', (typed, code) => {
  expect(readCode(typed)).toEqual(code);
});

test('a recovery code is read as it is shown', () => {
  expect(readCode(showRecoveryCode('abcdefghjk'))).toEqual({ kind: 'recovery', code: 'abcdefghjk' });
});

test('every fifth wrong code in a row locks, each time for twice as long', () => {
  const waits = Array.from({ length: 60 }, (_, failures) => lockSecondsAfterCodes(failures));
  expect(waits.slice(0, 16)).toEqual([0, 0, 0, 0, 0, 900, 0, 0, 0, 0, 1800, 0, 0, 0, 0, 3600]);
  expect(Math.max(...waits)).toBe(24 * 3600);
});
