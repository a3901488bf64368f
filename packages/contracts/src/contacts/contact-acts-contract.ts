import { cleanText, contactLimits } from '@app/domain/contacts/contact';
import { z } from 'zod';
import { CONTACT_LIST_BODY, endpoint, instant, readsOnly } from '../endpoint.ts';
import { longAct } from '../long-acts/long-acts-contract.ts';
import { segment } from '../segments/segments-contract.ts';
import { consentWords, contactChoice } from './contacts-contract.ts';

export const contactActsContract = {
  countOptedOut: endpoint({
    method: 'POST',
    path: '/contacts/choices/count-opted-out',
    access: 'contacts:read',
    repeat: readsOnly,
    summary: 'How many contacts a choice means, and how many of them opted out of marketing',
    input: z.strictObject({ choice: contactChoice }),
    largestBody: CONTACT_LIST_BODY,
    output: z.object({ chosen: z.number(), optedOut: z.number() }),
    errors: ['segment_not_found'],
  }),
  recordConsents: endpoint({
    method: 'POST',
    path: '/contacts/consents',
    access: 'contacts:update',
    repeat: 'keyed',
    work: 'long',
    summary:
      'Records an opt-in or opt-out of many contacts, as a long act; an opt-in leaves out whoever opted out',
    input: z.strictObject({
      choice: contactChoice,
      kind: z.enum(['opt_in', 'opt_out']),
      text: consentWords,
      occurredAt: instant.optional(),
    }),
    largestBody: CONTACT_LIST_BODY,
    output: longAct,
    errors: ['segment_not_found', 'contact_consent_future'],
  }),
  saveAsSegment: endpoint({
    method: 'POST',
    path: '/contacts/choices/segments',
    access: ['contacts:create', 'contacts:update'],
    repeat: 'keyed',
    work: 'long',
    summary: 'Gives the chosen contacts a tag that nobody has, and saves the segment of who has it',
    input: z.strictObject({
      choice: contactChoice,
      name: z.string().max(1000).transform(cleanText).pipe(z.string().min(1).max(contactLimits.tag)),
    }),
    largestBody: CONTACT_LIST_BODY,
    output: z.object({
      segment,
      tag: z.string(),
      /** How many were chosen, and how many of them the segment holds: the others have as many tags as there can be. */
      chosen: z.number(),
      tagged: z.number(),
    }),
    errors: ['segment_not_found', 'segment_name_taken'],
  }),
};
