import { exportFormats } from './export-format.ts';
import { defineFact, type LiveSign } from '../events/fact-definition.ts';
import { fieldChange, listOf, oneOf, text, whole } from '../events/fact-values.ts';

const ofContact: LiveSign = { topic: 'contacts', payload: ({ subject }) => ({ contactId: subject }) };

const one = {
  version: 1,
  subject: 'contact',
  personal: ['name'],
  live: [ofContact],
  forWebhooks: true,
} as const;

export const contactFacts = {
  'contact.created': defineFact({
    ...one,
    values: { name: text },
    audit: { type: 'create', resource: 'contacts' },
  }),
  /**
   * `fields` names every field that changed, except tags: those are in `contacts.tags_changed`. `changes` has the values of language, status and
   * custom fields. Name, phone number and e-mail address have no values here, because a number may later belong to another person.
   */
  'contact.updated': defineFact({
    ...one,
    version: 2,
    values: { name: text, fields: listOf(text), changes: listOf(fieldChange) },
    personal: ['name', 'changes'],
    notInLog: ['fields', 'changes'],
    audit: { type: 'update', resource: 'contacts' },
  }),
  /** People who wrote, or said something of marketing, and were not known: one fact for a whole group. */
  'contacts.created': defineFact({
    ...one,
    personal: [],
    values: { contactIds: listOf(text) },
    lists: { kind: 'contact', values: ['contactIds'] },
    audit: null,
    live: [{ topic: 'contacts' }],
  }),
  'contact.deleted': defineFact({
    ...one,
    values: { name: text },
    audit: { type: 'delete', resource: 'contacts' },
  }),
  'contact.restored': defineFact({
    ...one,
    values: { name: text },
    audit: { type: 'create', resource: 'contacts' },
  }),
  'contact.consent_recorded': defineFact({
    ...one,
    values: { name: text, kind: oneOf(['opt_in', 'opt_out']) },
    audit: { type: 'update', resource: 'contacts' },
  }),
  /** Something happened to the person at a connected service; `itemId` is the order or booking. */
  'contact.service_event': defineFact({
    ...one,
    personal: [],
    values: { kind: text, event: text, itemId: text },
    audit: null,
    forWebhooks: false,
  }),
  // About nobody: not even the id of who was erased is kept.
  'contact.erased': defineFact({
    ...one,
    personal: [],
    values: {},
    audit: { type: 'delete', resource: 'contacts' },
    live: [{ topic: 'contacts' }],
  }),
  'contacts.edited': defineFact({
    ...one,
    personal: [],
    values: { changed: whole },
    audit: { type: 'update', resource: 'contacts' },
    live: [{ topic: 'contacts' }],
  }),
  'contacts.consent_recorded': defineFact({
    ...one,
    personal: [],
    values: { kind: oneOf(['opt_in', 'opt_out']), count: whole },
    audit: { type: 'update', resource: 'contacts' },
    live: [{ topic: 'contacts' }],
  }),
  /** Which tags contacts got and lost, however that came about; the change itself is told beside it. One fact for all whose tags changed alike. */
  'contacts.tags_changed': defineFact({
    ...one,
    personal: [],
    values: { contactIds: listOf(text), added: listOf(text), removed: listOf(text) },
    lists: { kind: 'contact', values: ['contactIds'] },
    audit: null,
    live: [{ topic: 'contacts' }],
  }),
  // What is held about one person, for that person.
  'contact.data_exported': defineFact({
    ...one,
    values: { name: text },
    audit: { type: 'download', resource: 'contacts' },
    live: [],
    forWebhooks: false,
  }),
  'contacts.exported': defineFact({
    ...one,
    personal: [],
    values: { format: oneOf(exportFormats) },
    audit: { type: 'download', resource: 'contacts' },
    live: [],
    forWebhooks: false,
  }),
};
