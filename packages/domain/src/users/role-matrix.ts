import { isPermitted } from '../auth/is-permitted.ts';
import {
  actions,
  resources,
  type Action,
  type Permission,
  type Resource,
  type Role,
} from '../auth/permissions.ts';

/** The roles whose permissions a workspace decides. What an admin may do is fixed, so that somebody always can. */
export const editableRoles = ['manager', 'agent', 'viewer'] as const satisfies readonly Role[];
export type EditableRole = (typeof editableRoles)[number];

/** Of what a role may do to a resource, what says the rest is left out, and whoever changes something may see it. */
export function tidyPermissions(permissions: readonly Permission[]): Permission[] {
  return resources.flatMap((resource) => {
    const held = actions.filter((action) => permissions.includes(`${resource}:${action}`));
    if (held.length === 0) return [];
    if (held.includes('manage')) return [join(resource, 'manage')];
    return actions
      .filter((action) => action === 'read' || held.includes(action))
      .map((action) => join(resource, action));
  });
}

/** Whether somebody who holds these may do all that the others say. */
export function holdsAll(held: readonly Permission[], wanted: readonly Permission[]): boolean {
  return wanted.every((permission) => isPermitted(held, permission));
}

/** What a role gains or loses: nobody decides on what they may not do themselves. */
export function findDifference(before: readonly Permission[], after: readonly Permission[]): Permission[] {
  return [
    ...after.filter((permission) => !isPermitted(before, permission)),
    ...before.filter((permission) => !isPermitted(after, permission)),
  ];
}

function join(resource: Resource, action: Action): Permission {
  return `${resource}:${action}`;
}
