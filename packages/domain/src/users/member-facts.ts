import { roles } from '../auth/permissions.ts';
import { defineFact } from '../events/fact-definition.ts';
import { flag, listOf, oneOf, orNull, text, whole } from '../events/fact-values.ts';

const common = {
  version: 1,
  subject: 'user',
  // Whoever hears it looks whether they are still signed in themselves.
  live: [{ topic: 'users', payload: ({ subject }: { subject: string | null }) => ({ userId: subject }) }],
  forWebhooks: false,
} as const;
const role = oneOf(roles);
const made = { type: 'create', resource: 'users' } as const;
const changed = { type: 'update', resource: 'users' } as const;
const gone = { type: 'delete', resource: 'users' } as const;
/** `heir` took over what they had open, if anybody. */
const left = { name: text, isHandedOver: flag, heir: text } as const;
const invitation = { ...common, subject: 'invitation', personal: ['email'] } as const;

/** What people who manage users do. `name` is that of the person it happened to. */
export const memberFacts = {
  'user.invited': defineFact({ ...invitation, values: { email: text, role }, audit: made }),
  'invitation.sent_again': defineFact({ ...invitation, values: { email: text }, audit: changed }),
  'invitation.revoked': defineFact({ ...invitation, values: { email: text }, audit: gone }),
  /** Told by whoever took the invitation, which may be one to a team. */
  'user.joined': defineFact({ ...common, values: { role, teamId: orNull(text) }, audit: made }),
  'user.approved': defineFact({ ...common, values: { name: text, role }, audit: changed }),
  'user.declined': defineFact({ ...common, values: { name: text }, audit: gone }),
  'user.activated': defineFact({ ...common, values: { name: text }, audit: changed }),
  'user.deactivated': defineFact({ ...common, values: left, audit: changed }),
  'user.deleted': defineFact({ ...common, values: left, audit: gone }),
  'user.role_changed': defineFact({
    ...common,
    values: { name: text, from: role, to: role },
    audit: changed,
  }),
  /** The rules for the company's provider put somebody into teams, by their names, or took them out. */
  'user.company_teams': defineFact({
    ...common,
    values: { joins: listOf(text), leaves: listOf(text) },
    audit: null,
  }),
  'user.updated': defineFact({ ...common, values: { name: text }, audit: changed }),
  /** Their second factor, and so many passkeys. */
  'user.factors_reset': defineFact({ ...common, values: { name: text, passkeys: whole }, audit: changed }),
  /** Where no mail is sent. */
  'user.email_changed': defineFact({ ...common, values: { name: text }, audit: changed }),
  /** By somebody who manages users, or by the person themself elsewhere. */
  'user.sessions_ended': defineFact({ ...common, values: { name: text, sessions: whole }, audit: changed }),
  'role_permissions.changed': defineFact({
    ...{ ...common, subject: 'workspace' },
    values: { roles: listOf(role) },
    audit: changed,
  }),
};
