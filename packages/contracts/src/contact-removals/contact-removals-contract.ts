import { z } from 'zod';
import { CONTACT_LIST_BODY, endpoint, id, instant, page } from '../endpoint.ts';
import { contactChoice } from '../contacts/contacts-contract.ts';

export const contactRemoval = z.object({
  id,
  state: z.enum(['removing', 'removed', 'restoring', 'restored']),
  /** How many were chosen when it began. */
  total: z.number(),
  removed: z.number(),
  restored: z.number(),
  startedAt: instant,
});

const one = z.object({ removalId: id });

export const contactRemovalsContract = {
  start: endpoint({
    method: 'POST',
    path: '/contacts/removals',
    access: 'contacts:delete',
    repeat: 'keyed',
    work: 'long',
    summary: 'Deletes many contacts with their conversations; what takes longer goes on in the background',
    input: z.strictObject({ removalId: id, choice: contactChoice }),
    largestBody: CONTACT_LIST_BODY,
    output: contactRemoval,
    errors: ['segment_not_found', 'contact_removal_not_found'],
  }),
  listOpen: endpoint({
    method: 'GET',
    path: '/contacts/removals',
    access: 'contacts:delete',
    summary: 'Deletions, and their undoing, that go on now',
    input: z.object({}),
    output: page(contactRemoval),
  }),
  get: endpoint({
    method: 'GET',
    path: '/contacts/removals/{removalId}',
    access: 'contacts:delete',
    summary: 'How far a deletion is',
    input: one,
    output: contactRemoval,
    errors: ['contact_removal_not_found'],
  }),
  undo: endpoint({
    method: 'POST',
    path: '/contacts/removals/{removalId}/undo',
    access: 'contacts:delete',
    repeat: 'keyed',
    work: 'long',
    summary: 'Brings back all contacts of a deletion of the last hour; one that still goes on stops',
    input: one,
    output: contactRemoval,
    errors: ['contact_removal_not_found', 'contact_removal_not_undoable'],
  }),
};
