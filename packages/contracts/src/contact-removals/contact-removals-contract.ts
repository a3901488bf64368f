import { z } from 'zod';
import { contactChoice } from '../contacts/contacts-contract.ts';
import { CONTACT_LIST_BODY, endpoint, id } from '../endpoint.ts';
import { operation } from '../operations/operations-contract.ts';

export const contactRemovalsContract = {
  start: endpoint({
    method: 'POST',
    path: '/contacts/removals',
    access: 'contacts:delete',
    repeat: 'keyed',
    work: 'long',
    summary:
      'Deletes many contacts with their conversations; what takes longer goes on in the background, as an operation',
    input: z.strictObject({ removalId: id, choice: contactChoice }),
    largestBody: CONTACT_LIST_BODY,
    output: operation,
    errors: ['segment_not_found', 'campaign_not_found', 'contact_removal_not_found'],
  }),
  undo: endpoint({
    method: 'POST',
    path: '/contacts/removals/{removalId}/undo',
    access: 'contacts:delete',
    repeat: 'keyed',
    work: 'long',
    summary:
      'Brings back all contacts of a deletion of the last hour, as an operation of its own; one that still goes on stops first',
    input: z.object({ removalId: id }),
    output: operation,
    errors: ['contact_removal_not_found', 'contact_removal_not_undoable'],
  }),
};
