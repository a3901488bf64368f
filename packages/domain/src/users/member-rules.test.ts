import { expect, test } from 'vitest';
import { defaultRolePermissions, type Role } from '../auth/permissions.ts';
import { findReasonAgainst, roleAbove, roleBelow, statusOf } from './member-rules.ts';

test.each<[Role, Role | undefined, Role | undefined]>([
  ['viewer', 'agent', undefined],
  ['agent', 'manager', 'viewer'],
  ['manager', 'admin', 'agent'],
  ['admin', undefined, 'manager'],
])('above %s is %s, below it %s', (role, above, below) => {
  expect([roleAbove(role), roleBelow(role)]).toEqual([above, below]);
});

test('somebody waits, works or was deactivated', () => {
  expect(statusOf(true, null)).toBe('active');
  expect(statusOf(false, 'manager')).toBe('waiting');
  expect(statusOf(false, null)).toBe('inactive');
});

test.each<[Role, Role, string | null]>([
  ['admin', 'admin', null],
  ['admin', 'viewer', null],
  ['manager', 'agent', null],
  ['manager', 'admin', 'user_above'],
  ['viewer', 'agent', 'user_above'],
])('a %s about another %s: %s', (actor, person, reason) => {
  const of = (id: string, role: Role) => ({ id, permissions: defaultRolePermissions[role] });
  expect(findReasonAgainst(of('a', actor), of('b', person))).toBe(reason);
  expect(findReasonAgainst(of('a', actor), of('a', person))).toBe('user_is_self');
});
