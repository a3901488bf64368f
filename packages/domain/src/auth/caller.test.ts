import { expect, test } from 'vitest';
import { actorOf, callerKey, findMissingPermission, systemCaller, type Caller } from './caller.ts';

const person: Caller = {
  kind: 'person',
  id: 'u',
  name: 'Ann',
  workspaceId: 'w',
  permissions: ['contacts:manage', 'templates:read'],
};

test('a caller misses the first permission that it does not hold', () => {
  expect(findMissingPermission(person, ['contacts:delete', 'templates:read'])).toBeUndefined();
  expect(findMissingPermission(person, ['contacts:read', 'templates:update'])).toBe('templates:update');
  expect(findMissingPermission(systemCaller('scheduler', 'w'), ['users:read'])).toBe('users:read');
});

test('no two callers have one key, and a person keeps the key of before', () => {
  expect(callerKey(person)).toBe('w/u');
  const keys = [
    person,
    { ...person, kind: 'api-key' as const },
    { ...person, kind: 'bot' as const },
    systemCaller('webhooks', 'w'),
    systemCaller('upkeep', 'w'),
    systemCaller('upkeep', 'v'),
  ].map(callerKey);
  expect(new Set(keys).size).toBe(keys.length);
});

test('a fact keeps who acted, a part of the product by its name', () => {
  expect(actorOf(person)).toEqual({ kind: 'person', id: 'u', name: 'Ann' });
  expect(actorOf(systemCaller('scheduler', 'w'))).toEqual({ kind: 'system', id: null, name: 'scheduler' });
});
