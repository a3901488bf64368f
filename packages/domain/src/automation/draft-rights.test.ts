import { describe, expect, test } from 'vitest';
import { defaultRolePermissions, type Permission } from '../auth/permissions.ts';
import { isPermitted } from '../auth/is-permitted.ts';
import { missingForFlow } from './draft-rights.ts';

describe('who may change and delete a workflow', () => {
  test.each([
    ['admin', undefined, undefined],
    ['manager', undefined, undefined],
    ['agent', undefined, 'campaigns:update'],
    ['viewer', 'campaigns:update', 'campaigns:update'],
  ] as const)('the role %s: own drafts, and all others', (role, own, other) => {
    const may = (permission: Permission) => isPermitted(defaultRolePermissions[role], permission);
    expect(missingForFlow('update', { may, isOwnDraft: true })).toBe(own);
    expect(missingForFlow('update', { may, isOwnDraft: false })).toBe(other);
    expect(missingForFlow('delete', { may, isOwnDraft: true })).toBe(
      own && ('campaigns:delete' satisfies Permission),
    );
    expect(missingForFlow('delete', { may, isOwnDraft: false })).toBe(
      other && ('campaigns:delete' satisfies Permission),
    );
  });

  test('a role that may update and not create changes every workflow, and deletes none', () => {
    const may = (permission: Permission) => permission === 'campaigns:update';
    expect(missingForFlow('update', { may, isOwnDraft: false })).toBeUndefined();
    expect(missingForFlow('delete', { may, isOwnDraft: true })).toBe('campaigns:delete');
  });
});
