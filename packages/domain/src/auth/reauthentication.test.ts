import { expect, test } from 'vitest';
import { isReauthenticationRecent, mustSetUpSecondFactor } from './reauthentication.ts';

const now = new Date('2026-11-22T12:00:00Z');

test.each([
  [null, false],
  ['2026-11-22T11:59:00Z', true],
  ['2026-11-22T11:45:01Z', true],
  ['2026-11-22T11:45:00Z', false],
])('a proof of %s is recent: %s', (provenAt, isRecent) => {
  expect(isReauthenticationRecent(provenAt === null ? null : new Date(provenAt), now)).toBe(isRecent);
});

test.each([
  [{ isRequired: false, hasSecondFactor: false, method: 'password' as const }, false],
  [{ isRequired: true, hasSecondFactor: false, method: 'password' as const }, true],
  [{ isRequired: true, hasSecondFactor: true, method: 'password' as const }, false],
  [{ isRequired: true, hasSecondFactor: false, method: 'passkey' as const }, false],
  [{ isRequired: true, hasSecondFactor: false, method: 'company' as const }, false],
])('%j has to set up a second factor: %s', (session, must) => {
  expect(mustSetUpSecondFactor(session)).toBe(must);
});
