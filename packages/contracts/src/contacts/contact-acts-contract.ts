import { cleanText, contactLimits } from '@app/domain/contacts/contact';
import { z } from 'zod';
import { CONTACT_LIST_BODY, endpoint, instant, readsOnly } from '../endpoint.ts';
import { operation } from '../operations/operations-contract.ts';
import { segment } from '../segments/segments-contract.ts';
import { consentWords, contactChoice, manyEdit } from './contacts-contract.ts';

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
    errors: ['segment_not_found', 'campaign_not_found'],
  }),
  recordConsents: endpoint({
    method: 'POST',
    path: '/contacts/consents',
    access: 'contacts:update',
    repeat: 'keyed',
    work: 'long',
    summary:
      'Records an opt-in or opt-out of many contacts, as an operation; an opt-in leaves out whoever opted out',
    input: z.strictObject({
      choice: contactChoice,
      kind: z.enum(['opt_in', 'opt_out']),
      text: consentWords,
      occurredAt: instant.optional(),
    }),
    largestBody: CONTACT_LIST_BODY,
    output: operation,
    errors: ['segment_not_found', 'campaign_not_found', 'contact_consent_future'],
  }),
  edit: endpoint({
    method: 'POST',
    path: '/contacts/edits',
    access: 'contacts:update',
    repeat: 'keyed',
    work: 'long',
    summary:
      'Changes tags, status, language and custom fields of many contacts, as an operation; `changed` of its result says how many were not so before',
    input: manyEdit,
    largestBody: CONTACT_LIST_BODY,
    output: operation,
    errors: ['segment_not_found', 'campaign_not_found', 'custom_field_unknown', 'custom_field_invalid'],
  }),
  saveAsSegment: endpoint({
    method: 'POST',
    path: '/contacts/choices/segments',
    access: ['contacts:create', 'contacts:update'],
    repeat: 'keyed',
    work: 'long',
    summary:
      'Saves the segment of who has a tag that nobody has, and gives it to the chosen contacts, as an operation',
    input: z.strictObject({
      choice: contactChoice,
      name: z.string().max(1000).transform(cleanText).pipe(z.string().min(1).max(contactLimits.tag)),
    }),
    largestBody: CONTACT_LIST_BODY,
    output: z.object({
      segment,
      tag: z.string(),
      /** `changed` of its result are in the segment; the others have as many tags as there can be. */
      operation: operation,
    }),
    errors: ['segment_not_found', 'campaign_not_found', 'segment_name_taken'],
  }),
};
