import type { Permission } from '../auth/permissions.ts';
import { readDefinition, type AuditedFactType } from '../events/fact-catalogue.ts';

/** What an entry of the log can lead to, and what its reader needs to open that. */
export const subjectAccess = {
  contact: 'contacts:read',
  segment: 'contacts:read',
  'contact-import': 'contacts:read',
  campaign: 'campaigns:read',
  template: 'templates:read',
  conversation: 'messages:read',
  'quick-reply': 'messages:read',
  'rcs-message': 'campaigns:read',
  user: 'users:read',
  team: 'users:read',
} as const satisfies Record<string, Permission>;

export type OpenKind = keyof typeof subjectAccess;
export const openKinds = Object.keys(subjectAccess) as [OpenKind, ...OpenKind[]];

/** What a fact is about, of what can be opened; a message stands in its conversation. */
export function subjectOf(
  type: AuditedFactType,
  subject: string | null,
  values: Record<string, unknown>,
): { kind: OpenKind; id: string } | null {
  const kind = readDefinition(type).subject;
  const { conversationId } = values;
  if (kind === 'message')
    return typeof conversationId === 'string' ? { kind: 'conversation', id: conversationId } : null;
  const open = openKinds.find((one) => one === kind);
  return open && subject !== null ? { kind: open, id: subject } : null;
}
