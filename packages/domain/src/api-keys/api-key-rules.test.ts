import { expect, test } from 'vitest';
import { isPermitted } from '../auth/is-permitted.ts';
import { defaultRolePermissions, roles, type Permission } from '../auth/permissions.ts';
import { checkKeyExpiry, keyScopes, permissionsOfKey } from './api-key-rules.ts';

const cases: [held: Permission[], scopes: Permission[], expected: Permission[]][] = [
  [['contacts:manage'], ['contacts:read'], ['contacts:read']],
  [['contacts:read'], ['contacts:manage'], ['contacts:read']],
  [
    ['contacts:read', 'contacts:create'],
    ['contacts:manage', 'contacts:read'],
    ['contacts:read', 'contacts:create'],
  ],
  [['contacts:read'], ['contacts:update'], []],
  [['contacts:read'], [], []],
  [[], ['contacts:manage', 'users:read'], []],
  [['contacts:manage'], ['contacts:manage'], ['contacts:manage']],
];

test.each(cases)('of %j a key for %j has %j', (held, scopes, expected) => {
  expect(permissionsOfKey(held, scopes)).toEqual(expected);
});

test('a key may do exactly what its owner may and it was made for', () => {
  for (const role of roles)
    for (const scope of keyScopes) {
      const held = defaultRolePermissions[role];
      const ofKey = permissionsOfKey(held, [scope]);
      for (const wanted of keyScopes) {
        const isExpected = isPermitted(held, wanted) && isPermitted([scope], wanted);
        expect([role, scope, wanted, isPermitted(ofKey, wanted)]).toEqual([role, scope, wanted, isExpected]);
      }
    }
});

test.each([
  [null, 'right'],
  ['2026-11-22T10:00:01Z', 'right'],
  ['2031-11-22T10:00:00Z', 'right'],
  ['2031-11-22T10:00:01Z', 'wrong'],
  ['2026-11-22T10:00:00Z', 'wrong'],
  ['2020-01-01T00:00:00Z', 'wrong'],
])('an end at %s is %s', (end, expected) => {
  expect(checkKeyExpiry(end === null ? null : new Date(end), new Date('2026-11-22T10:00:00Z'))).toBe(
    expected,
  );
});
