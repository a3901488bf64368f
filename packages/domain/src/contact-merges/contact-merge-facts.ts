import { defineFact } from '../events/fact-definition.ts';
import { flag, listOf, text, whole } from '../events/fact-values.ts';

/** About the contact that stays; pages of each of the others show it too. */
const merge = {
  version: 1,
  subject: 'contact',
  audit: { type: 'update', resource: 'contacts' },
  live: [{ topic: 'contacts' }],
  forWebhooks: true,
} as const;

export const contactMergeFacts = {
  'contact.merged': defineFact({
    ...merge,
    // `names` are those of the others.
    values: { name: text, names: listOf(text), otherIds: listOf(text) },
    personal: ['name', 'names', 'otherIds'],
  }),
  // Of whom somebody said that they are different people, or took that back.
  'contacts.told_apart': defineFact({
    ...merge,
    values: { count: whole, isDistinct: flag },
    personal: [],
    forWebhooks: false,
  }),
  'contact.unmerged': defineFact({
    ...merge,
    values: { name: text, otherIds: listOf(text) },
    personal: ['name', 'otherIds'],
  }),
};
