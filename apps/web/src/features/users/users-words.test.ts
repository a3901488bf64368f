import { beforeAll, describe, expect, test } from 'vitest';
import { loadMessages } from '../../shared/messages.ts';
import { ageLabel, cellText, permissionName } from './users-words.ts';

beforeAll(() => loadMessages('ui', 'common', 'users'));

test.each([
  [30_000, 'now'],
  [59 * 60_000, '59m'],
  [60 * 60_000, '1h'],
  [23.9 * 3_600_000, '23h'],
  [24 * 3_600_000, '1d'],
  [9.5 * 86_400_000, '9d'],
])('a session of %i milliseconds is %s old', (age, label) => {
  const now = Date.parse('2026-11-22T12:00:00Z');
  expect(ageLabel(new Date(now - age).toISOString(), now)).toBe(label);
});

describe('what a role may do', () => {
  test.each([
    [['contacts:manage'], 'Manage'],
    [['contacts:read', 'contacts:create'], 'Read + Create'],
    [['templates:read'], 'None'],
  ])('%o of contacts is %s', (permissions, text) => {
    expect(cellText(permissions, 'contacts')).toBe(text);
  });

  test('has a name, also one that only a newer server knows', () => {
    expect(permissionName('campaigns:create')).toBe('Create Campaigns');
    expect(permissionName('robots:read')).toBe('robots:read');
  });
});
