import { expect, test } from 'vitest';
import { defaultRolePermissions } from '../auth/permissions.ts';
import { factCatalogue } from '../events/fact-catalogue.ts';
import { activityResources, readableActivityResources } from './activity-access.ts';

test('every resource of the log says who sees its entries', () => {
  const written = Object.values(factCatalogue).flatMap(({ audit }) => (audit ? [audit.resource] : []));
  expect([...new Set(written)].filter((resource) => !activityResources.includes(resource))).toEqual([]);
});

test.each([
  ['admin', ['api-keys', 'settings', 'users', 'contacts', 'auth'], []],
  ['manager', ['users', 'contacts', 'campaigns'], ['api-keys', 'settings', 'channels']],
  ['viewer', ['contacts', 'messages', 'auth', 'dashboard'], ['api-keys', 'settings', 'users', 'teams']],
] as const)('%s sees %j and not %j', (role, seen, hidden) => {
  const readable = readableActivityResources(defaultRolePermissions[role]);
  expect(readable).toEqual(expect.arrayContaining([...seen]));
  expect(readable.filter((resource) => (hidden as readonly string[]).includes(resource))).toEqual([]);
});
