import { expect, test } from 'vitest';
import { defaultRolePermissions, type Permission } from '../auth/permissions.ts';
import { findDifference, holdsAll, tidyPermissions } from './role-matrix.ts';

test.each<[Permission[], Permission[]]>([
  [[], []],
  [['contacts:create'], ['contacts:read', 'contacts:create']],
  [['contacts:delete', 'contacts:manage'], ['contacts:manage']],
  [
    ['templates:read', 'campaigns:update', 'campaigns:read'],
    ['campaigns:read', 'campaigns:update', 'templates:read'],
  ],
])('%o is kept as %o', (given, kept) => {
  expect(tidyPermissions(given)).toEqual(kept);
});

test('an admin holds what every role has, a manager not what an admin has', () => {
  const { admin, manager, agent, viewer } = defaultRolePermissions;
  for (const role of [admin, manager, agent, viewer]) expect(holdsAll(admin, role)).toBe(true);
  expect(holdsAll(manager, agent)).toBe(true);
  expect(holdsAll(manager, admin)).toBe(false);
  expect(holdsAll(viewer, agent)).toBe(false);
});

test('what changes is what is gained and what is lost', () => {
  expect(findDifference(['contacts:read'], ['contacts:read', 'contacts:update'])).toEqual([
    'contacts:update',
  ]);
  expect(findDifference(['contacts:manage'], ['contacts:read'])).toEqual(['contacts:manage']);
  expect(findDifference(['contacts:read'], ['contacts:read'])).toEqual([]);
});
