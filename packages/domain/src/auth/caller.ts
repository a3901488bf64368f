import { isPermitted } from './is-permitted.ts';
import type { Permission } from './permissions.ts';

/** Named parts of the product that act without anybody asking, each with what it needs and no more. */
export const systemParts = {
  scheduler: ['campaigns:manage', 'messages:manage'],
  delivery: ['campaigns:manage', 'messages:manage'],
  webhooks: ['contacts:manage', 'messages:manage', 'templates:manage'],
  'outgoing-webhooks': ['settings:manage'],
  upkeep: ['contacts:manage', 'templates:manage', 'settings:manage'],
  'sign-in': ['users:manage'],
  'shared-reports': ['analytics:read'],
  facts: ['contacts:read', 'campaigns:read', 'templates:read', 'messages:read'],
} as const satisfies Record<string, readonly Permission[]>;
export type SystemPart = keyof typeof systemParts;

/**
 * What acts for people without one of them asking: the run of a workflow, a chatbot, a connection to another product. Each has what it needs
 * and no more: none manages users, settings, channels or keys, and none deletes a contact.
 */
export const actorPermissions = {
  automation: [
    ...(['contacts:read', 'contacts:create', 'contacts:update'] as const),
    ...(['messages:read', 'messages:create', 'messages:update'] as const),
    ...(['templates:read', 'campaigns:read', 'campaigns:update', 'users:read'] as const),
  ],
  bot: [
    ...(['contacts:read', 'contacts:update'] as const),
    ...(['messages:read', 'messages:create', 'messages:update', 'templates:read'] as const),
  ],
  integration: [
    ...(['contacts:read', 'contacts:create', 'contacts:update'] as const),
    ...(['messages:read', 'messages:create', 'templates:read'] as const),
  ],
} as const satisfies Record<string, readonly Permission[]>;
export type ActorKind = keyof typeof actorPermissions;

type Acting = { workspaceId: string; permissions: readonly Permission[] };

/** Who acts, in which workspace, and what they may do there: a person, something that acts for people, or a part of the product. */
export type Caller = Acting &
  (
    | { kind: 'person'; id: string; name: string }
    | { kind: 'api-key' | 'automation' | 'bot' | 'integration'; id: string; name: string }
    | { kind: 'system'; part: SystemPart }
  );
export type CallerKind = Caller['kind'];

/** The account of who acts; null for everybody who is no person. */
export function personOf(caller: Caller): string | null {
  return caller.kind === 'person' ? caller.id : null;
}

/** Who did something, as facts keep it. */
export type Actor = { kind: CallerKind; id: string | null; name: string };

export function systemCaller(part: SystemPart, workspaceId: string): Caller {
  return { kind: 'system', part, workspaceId, permissions: systemParts[part] };
}

/** `id` is that of the flow, bot or connection, `name` what people call it: both stand in the log and in every fact. */
export function actorCaller(
  kind: ActorKind,
  { id, name, workspaceId }: { id: string; name: string; workspaceId: string },
): Caller {
  return { kind, id, name, workspaceId, permissions: actorPermissions[kind] };
}

/** The first permission that the caller would need and does not have. */
export function findMissingPermission(
  { permissions }: Pick<Caller, 'permissions'>,
  wanted: readonly Permission[],
): Permission | undefined {
  return wanted.find((permission) => !isPermitted(permissions, permission));
}

export function actorOf(caller: Caller): Actor {
  return caller.kind === 'system'
    ? { kind: 'system', id: null, name: caller.part }
    : { kind: caller.kind, id: caller.id, name: caller.name };
}

/**
 * One text for each caller, for keys of acts and attempt limits. That of a person is the workspace and its id alone, which
 * the keys that are kept already have.
 */
export function callerKey(caller: Caller): string {
  switch (caller.kind) {
    case 'person':
      return `${caller.workspaceId}/${caller.id}`;
    case 'system':
      return `${caller.workspaceId}/system:${caller.part}`;
    default:
      return `${caller.workspaceId}/${caller.kind}:${caller.id}`;
  }
}
