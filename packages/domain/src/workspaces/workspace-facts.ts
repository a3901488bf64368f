import { defineFact } from '../events/fact-definition.ts';
import { text } from '../events/fact-values.ts';

const common = { version: 1, forWebhooks: false } as const;

/** What people do with a workspace as a whole. */
export const workspaceFacts = {
  /** The first that is told in it. */
  'workspace.created': defineFact({
    ...common,
    subject: 'workspace',
    values: { name: text },
    live: [],
    audit: { type: 'create', resource: 'settings' },
  }),
  /** By themself. */
  'workspace.left': defineFact({
    ...common,
    subject: 'user',
    values: { name: text },
    // Whoever hears it looks whether they are still a member themselves.
    live: [{ topic: 'users', payload: ({ subject }) => ({ userId: subject }) }],
    audit: { type: 'delete', resource: 'users' },
  }),
};
