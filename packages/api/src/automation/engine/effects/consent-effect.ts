import type { RunEffect } from '@app/flows/flow-host';
import { recordConsent } from '../../../contacts/contact-history.ts';
import type { WorkspaceScope } from '../../../platform/workspace-scope.ts';

/** What the contact agreed to is recorded at this moment; a later opt-out stays newer. */
export const recordOptIn: RunEffect<WorkspaceScope> = async (scope, { contactId, request }) => {
  if (contactId === null) return { status: 'failed', code: 'contact_missing' };
  const recorded = await recordConsent(scope, {
    ...{ contactId, kind: 'opt_in', text: String(request['text']), occurredAt: scope.clock(), source: 'bot' },
  });
  return recorded ? { status: 'done' } : { status: 'failed', code: 'contact_gone' };
};
