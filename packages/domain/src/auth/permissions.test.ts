import { describe, expect, test } from 'vitest';
import { isPermitted } from './is-permitted.ts';
import { defaultRolePermissions, resolvePermissions, type Permission, type Role } from './permissions.ts';

describe('the matrix of roles', () => {
  test.each<[Role, Permission, boolean]>([
    ['admin', 'users:delete', true],
    ['admin', 'analytics:read', true],
    ['manager', 'users:read', true],
    ['manager', 'users:update', false],
    ['manager', 'settings:read', false],
    ['manager', 'campaigns:delete', true],
    ['agent', 'campaigns:create', true],
    ['agent', 'campaigns:update', false],
    ['agent', 'contacts:delete', true],
    ['agent', 'analytics:read', false],
    ['agent', 'users:read', false],
    ['viewer', 'contacts:read', true],
    ['viewer', 'contacts:create', false],
    ['viewer', 'templates:read', true],
    ['viewer', 'messages:create', false],
  ])('%s %s: %s', (role, permission, isAllowed) => {
    expect(isPermitted(defaultRolePermissions[role], permission)).toBe(isAllowed);
  });
});

test('a right on one resource says nothing about another whose name begins alike', () => {
  expect(isPermitted(['contacts:manage'], 'campaigns:read')).toBe(false);
  expect(isPermitted([], 'contacts:read')).toBe(false);
});

test('a workspace may edit every role but admin', () => {
  const overrides = { admin: [], agent: ['contacts:read'] } as const;
  expect(resolvePermissions('agent', overrides)).toEqual(['contacts:read']);
  expect(resolvePermissions('viewer', overrides)).toEqual(defaultRolePermissions.viewer);
  expect(resolvePermissions('admin', overrides)).toEqual(defaultRolePermissions.admin);
  expect(resolvePermissions('agent', null)).toEqual(defaultRolePermissions.agent);
});
