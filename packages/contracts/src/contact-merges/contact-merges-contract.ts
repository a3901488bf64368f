import { mergeLimits } from '@app/domain/contact-merges/merge-rules';
import { z } from 'zod';
import { endpoint, id, page, pageInput } from '../endpoint.ts';
import { contact } from '../contacts/contacts-contract.ts';

export const duplicateKinds = ['phone', 'email'] as const;

/** Contacts that may be one person. */
export const duplicateGroup = z.object({
  kind: z.enum(duplicateKinds),
  /** The number or the address that they share, in one spelling. */
  key: z.string(),
  /** The first ones; so many can be merged at once. */
  contacts: z.array(contact),
  total: z.number(),
});

const version = z.number().int().min(1).max(2_000_000_000);

export const contactMergesContract = {
  listDuplicates: endpoint({
    method: 'GET',
    path: '/contacts/duplicates',
    access: 'contacts:read',
    summary:
      'Possible duplicates: one number in two spellings, one e-mail address upper and lower case alike',
    input: pageInput,
    output: page(duplicateGroup),
  }),
  setDistinct: endpoint({
    method: 'PUT',
    path: '/contacts/duplicates/distinct',
    access: 'contacts:update',
    repeat: { harmless: 'It sets a whole value, and tells of it only when that changed.' },
    summary:
      'Says that these contacts are different people, each from each other, who are not offered as duplicates again; or takes that back',
    input: z.strictObject({
      contactIds: z.array(id).min(2).max(mergeLimits.contacts),
      isDistinct: z.boolean(),
    }),
    output: z.object({ isDistinct: z.boolean() }),
    errors: ['contact_not_found'],
  }),
  merge: endpoint({
    method: 'POST',
    path: '/contacts/merges',
    access: ['contacts:update', 'contacts:delete'],
    repeat: 'keyed',
    summary: 'Makes one contact of several, unless somebody changed one of them since `version`',
    input: z.strictObject({
      /** Of this act, chosen by the caller: the same id again merges nothing twice. */
      mergeId: id,
      /** Keeps its id. */
      survivorId: id,
      contacts: z
        .array(z.strictObject({ contactId: id, version }))
        .min(2)
        .max(mergeLimits.contacts)
        .refine(
          (contacts) => new Set(contacts.map(({ contactId }) => contactId)).size === contacts.length,
          'A contact is named twice.',
        ),
      /** Whose value stays; without a pick the survivor's, or the first there is. */
      picks: z
        .strictObject({
          name: id.optional(),
          phone: id.optional(),
          email: id.optional(),
          language: id.optional(),
        })
        .default({}),
      /** The same for custom fields, by their keys. */
      customPicks: z.record(z.string().max(100), id).default({}),
    }),
    output: z.object({ mergeId: id, contact }),
    errors: ['contact_not_found', 'contact_changed', 'contact_merge_not_found'],
  }),
  undo: endpoint({
    method: 'POST',
    path: '/contacts/merges/{mergeId}/undo',
    access: ['contacts:update', 'contacts:delete'],
    repeat: 'keyed',
    summary: 'Takes a merge of the last 30 days back; what somebody changed since stays and is named',
    input: z.object({ mergeId: id }),
    output: z.object({
      contact,
      /** How many contacts are back. */
      restored: z.number(),
      /** Fields of the survivor that somebody changed since; they stay as they are. */
      kept: z.array(z.string()),
    }),
    errors: [
      'contact_merge_not_found',
      'contact_merge_too_old',
      'contact_merge_survivor_gone',
      'contact_merge_merged_again',
      'contact_merge_number_taken',
      'contact_erased',
    ],
  }),
};
