import { defineFact } from '../events/fact-definition.ts';
import { oneOf } from '../events/fact-values.ts';
import { interfaceLanguages } from '../text/interface-language.ts';
import { roles } from './permissions.ts';

const common = {
  version: 1,
  subject: 'user',
  values: {},
  // Whoever hears it looks whether they are still signed in themselves.
  live: [{ topic: 'users' }],
  forWebhooks: false,
} as const;

const withRole = { ...common, values: { role: oneOf(roles) } } as const;
const joined = { type: 'create', resource: 'users' } as const;

export const userFacts = {
  'user.signed_in': defineFact({ ...common, audit: { type: 'login', resource: 'auth' } }),
  'user.signed_out': defineFact({ ...common, audit: { type: 'logout', resource: 'auth' } }),
  /** Somebody signed in again in the same browser. */
  'user.session_ended': defineFact({ ...common, audit: null }),
  /** By a mailed link, which ended every session. */
  'user.password_reset': defineFact({ ...common, audit: null }),
  'user.language_chosen': defineFact({
    ...common,
    values: { language: oneOf(interfaceLanguages) },
    audit: { type: 'update', resource: 'users' },
  }),
  'user.created': defineFact({ ...withRole, audit: joined }),
  /** Somebody has to activate the account. */
  'user.asked_to_join': defineFact({ ...withRole, audit: joined }),
};
