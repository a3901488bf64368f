import { defineFact } from '../events/fact-definition.ts';
import { flag, text, whole } from '../events/fact-values.ts';

const common = {
  version: 1,
  subject: 'user',
  values: {},
  live: [{ topic: 'users', payload: ({ subject }: { subject: string | null }) => ({ userId: subject }) }],
  forWebhooks: false,
} as const;
const changed = { type: 'update', resource: 'auth' } as const;

/** What people do with their own account, and what is decided of how all of them prove who they are. */
export const accountFacts = {
  'account.profile_changed': defineFact({ ...common, audit: { type: 'update', resource: 'users' } }),
  'account.preferences_changed': defineFact({ ...common, audit: null }),
  'account.avatar_changed': defineFact({ ...common, audit: { type: 'update', resource: 'users' } }),
  /** `sessions` is how many others ended with it. */
  'account.password_changed': defineFact({ ...common, values: { sessions: whole }, audit: changed }),
  'account.email_change_asked': defineFact({ ...common, audit: changed }),
  'account.email_change_withdrawn': defineFact({ ...common, audit: null }),
  /** The person signs in with another address from now on. */
  'account.email_changed': defineFact({ ...common, audit: changed }),
  /** By the former address, which ended every session; what was made for the account `since` may be somebody else's. */
  'account.email_change_undone': defineFact({ ...common, values: { since: text }, audit: changed }),
  /** Signed in to from a browser that the account did not know. */
  'account.new_browser': defineFact({ ...common, audit: null, live: [] }),
  'account.email_verified': defineFact({ ...common, audit: null }),
  'account.login_alerts_switched': defineFact({ ...common, values: { isOn: flag }, audit: changed }),
  'account.two_factor_enabled': defineFact({ ...common, audit: changed }),
  'account.two_factor_disabled': defineFact({ ...common, audit: changed }),
  'account.recovery_codes_made': defineFact({ ...common, audit: changed }),
  'account.recovery_code_used': defineFact({ ...common, values: { left: whole }, audit: changed }),
  'account.passkey_added': defineFact({ ...common, values: { name: text }, audit: changed }),
  'account.passkey_removed': defineFact({ ...common, values: { name: text }, audit: changed }),
  /** `provider` is the name that the operator gave it. */
  'account.company_linked': defineFact({ ...common, values: { provider: text }, audit: changed }),
  'account.company_unlinked': defineFact({ ...common, values: { provider: text }, audit: changed }),
  'workspace.two_factor_required': defineFact({
    ...{ ...common, subject: 'workspace' },
    values: { isRequired: flag },
    audit: changed,
  }),
};
