import { exportFormats } from '@app/domain/contacts/export-format';
import { operation } from '../operations/operations-contract.ts';
import { activityFact } from '../activity/activity-contract.ts';
import {
  cleanTags,
  cleanName,
  cleanText,
  contactLimits,
  contactSorts,
  contactStatuses,
  readEmailAddress,
} from '@app/domain/contacts/contact';
import { recipientOutcomes } from '@app/domain/campaigns/recipient-outcome';
import { consentSources } from '@app/domain/contacts/opt-out/consent-source';
import { readLanguage } from '@app/domain/contacts/contact-language';
import { phoneCountries } from '@app/domain/contacts/phone-country';
import { z } from 'zod';
import {
  CONTACT_LIST_BODY,
  endpoint,
  EXAMPLE_ID,
  guardInput,
  id,
  instant,
  page,
  pageInput,
  versioned,
} from '../endpoint.ts';
import { reportPeople } from '../sending/report-people.ts';
import { isOfCampaign, noCampaign } from '../sending/campaign-people.ts';
import { contactLanguage } from '../sending/contact-language.ts';
import { customValues, customValuesInput } from '../custom-fields/custom-fields-contract.ts';
import { listColumns } from './contact-layout-contract.ts';

export const contact = z.object({
  id,
  name: z.string(),
  /** E.164 with the plus; null for people who hide their number. */
  phone: z.string().nullable(),
  email: z.string().nullable(),
  /** A code such as `de` or `pt_BR`; null when nobody said it. */
  language: z.string().nullable(),
  tags: z.array(z.string()),
  status: z.enum(contactStatuses),
  lastMessage: z.string().nullable(),
  lastMessageTime: instant.nullable(),
  optedOutAt: instant.nullable(),
  customFields: customValues,
  createdAt: instant,
  updatedAt: instant,
  version: z.number(),
});

/** One moment in the life of a contact. */
export const timelineEvent = z.object({
  id: z.string(),
  /** `changed` is told by its fact alone. */
  kind: z.enum([
    ...['added', 'imported', 'changed', 'merged'],
    ...['message_in', 'message_out', 'note', 'campaign', 'opt_in', 'opt_out'],
  ] as const),
  at: instant,
  /** What somebody of the workspace did, for the reader's language to say; null for what came from elsewhere. */
  fact: activityFact.nullable(),
  /** What was written or noted; the name of the campaign, of the imported file or of merged contacts. */
  text: z.string(),
  /** Who did it, or what became of the campaign's message. */
  detail: z.string().nullable(),
  campaignId: id.nullable(),
  /** Of a message that a workflow sent: its id, which tells the run (`/workflow-messages/{messageId}`). */
  workflowMessageId: id.nullable(),
  /** Of a merge that can still be undone. */
  mergeId: id.nullable(),
});

export const consent = z.object({
  id,
  kind: z.enum(['opt_in', 'opt_out']),
  source: z.enum(consentSources),
  /** What the person wrote or agreed to, or what staff noted. */
  text: z.string(),
  /** The member who noted it, or the workflow or bot flow in which the person agreed. */
  recordedBy: z.string().nullable(),
  occurredAt: instant,
});

/** Which contacts: every part that is there must hold. Empty text means that the part is not there. */
export const contactFilter = z.object({
  search: z.string().max(200).optional(),
  tag: z.string().max(contactLimits.tag).optional(),
  status: z.enum(['', ...contactStatuses]).optional(),
  /** With all of its regions unless one is named; `none` for people of whom nobody said it. */
  language: z.union([z.literal(''), contactLanguage]).optional(),
  segment: z.union([z.literal(''), id]).optional(),
  /** Whom an import added, or found here. */
  importId: z.union([z.literal(''), id]).optional(),
  /** Recipients of a campaign, for which one must be allowed to see campaigns; of one outcome, and for one reason (`none` where it has no code). */
  campaignId: z.union([z.literal(''), id]).optional(),
  outcome: z.enum(['', ...recipientOutcomes]).optional(),
  reason: z.string().max(100).optional(),
  /** The people behind a number of a report, for which one must be allowed to read analytics: `read;2026-11-01;2026-11-30;Europe/Berlin`. */
  report: z.union([z.literal(''), reportPeople]).optional(),
});

/** Contacts that were picked one by one, or everybody who matches but for some. */
export const contactChoice = z.union([
  z.strictObject({ contactIds: z.array(id).min(1).max(100_000) }),
  z.strictObject({
    filter: z.strictObject(contactFilter.shape).refine(isOfCampaign, noCampaign),
    excludedIds: z.array(id).max(10_000).optional(),
  }),
]);

/** How and in which words consent was given or taken back. */
export const consentWords = z.string().max(2000).transform(cleanText).pipe(z.string().min(1).max(1000));

/** Which contacts a downloaded file holds, in which order and with what of them: what the list on the screen shows. */
const exportWish = z.strictObject({
  format: z.enum(exportFormats),
  sort: z.enum(contactSorts).default('newest'),
  /** Behind the name, in this order; without them everything that an import reads back. */
  columns: listColumns.optional(),
  choice: contactChoice.default({ filter: {} }),
});
export const contactExport = guardInput('POST', exportWish);

const name = z.string().max(1000).transform(cleanName).pipe(z.string().min(1).max(contactLimits.name));
const phone = z.string().trim().min(1).max(contactLimits.phone);
const email = z
  .string()
  .max(1000)
  .transform((text, check) => {
    const address = readEmailAddress(text);
    if (address !== undefined) return address;
    check.addIssue({ code: 'custom', message: 'Please enter a valid email address' });
    return z.NEVER;
  })
  .pipe(z.string().max(contactLimits.email).nullable());
const tags = z
  .array(z.string().max(1000))
  .max(1000)
  .transform(cleanTags)
  .pipe(z.array(z.string().max(contactLimits.tag)).max(contactLimits.tags));
/** By code or name, such as "de-AT" or "German"; nothing for people of whom nobody said it. */
const language = z
  .string()
  .max(100)
  .transform((text, check) => {
    const code = readLanguage(text);
    if (code !== undefined) return code;
    check.addIssue({ code: 'custom', message: 'Please enter a language such as de or German' });
    return z.NEVER;
  });
/** Of a number without a country code; without it the number must have one. */
const country = z.enum(phoneCountries).optional();
const status = z.enum(contactStatuses);
const one = z.object({ contactId: id });

/** What is changed of many contacts. */
export const manyEdit = z.strictObject({
  choice: contactChoice,
  addTags: tags.default([]),
  removeTags: tags.default([]),
  status: status.optional(),
  /** Null takes it away. */
  language: language.nullable().optional(),
  /** The same value for all; null takes it away. */
  customFields: customValuesInput.default({}),
});

export const contactsContract = {
  list: endpoint({
    method: 'GET',
    path: '/contacts',
    access: 'contacts:read',
    forKeys: {
      example: { search: '', limit: 2 },
    },
    summary: 'Contacts that match a search, a tag and a status',
    input: pageInput.extend(contactFilter.shape).extend({ sort: z.enum(contactSorts).default('newest') }),
    output: page(contact),
    errors: ['segment_not_found', 'campaign_not_found'],
  }),
  summarize: endpoint({
    method: 'GET',
    path: '/contacts/summary',
    access: 'contacts:read',
    forKeys: true,
    summary: 'Figures of the summary cards',
    input: z.object({}),
    output: z.object({
      total: z.number(),
      /** Without those who opted out. */
      active: z.number(),
      optedOut: z.number(),
      blocked: z.number(),
      tags: z.number(),
    }),
  }),
  count: endpoint({
    method: 'GET',
    path: '/contacts/count',
    access: 'contacts:read',
    forKeys: true,
    summary: 'How many contacts match',
    input: contactFilter,
    output: z.object({ count: z.number() }),
    errors: ['segment_not_found', 'campaign_not_found'],
  }),
  listTags: endpoint({
    method: 'GET',
    path: '/contacts/tags',
    access: 'contacts:read',
    forKeys: true,
    summary: 'Every tag with the number of its contacts, by name; at most 1,000',
    input: z.object({ search: z.string().max(contactLimits.tag).optional() }),
    output: page(z.object({ tag: z.string(), contacts: z.number() })),
  }),
  getHomeCountry: endpoint({
    method: 'GET',
    path: '/contacts/home-country',
    access: 'contacts:read',
    forKeys: true,
    summary:
      'Of which country numbers without a code mostly are: as the settings say, else that of the number that sends',
    input: z.object({}),
    output: z.object({ country: z.enum(phoneCountries).nullable() }),
  }),
  get: endpoint({
    method: 'GET',
    path: '/contacts/{contactId}',
    access: 'contacts:read',
    forKeys: true,
    summary: 'One contact',
    input: one,
    output: contact,
    errors: ['contact_not_found'],
  }),
  create: endpoint({
    method: 'POST',
    path: '/contacts',
    access: 'contacts:create',
    forKeys: {
      example: { name: 'Ana Silva', phone: '+351912345678', tags: ['newsletter'] },
    },
    repeat: 'keyed',
    summary: 'Adds a contact; where its number is taken, `values.contactId` says whose it is',
    input: z.strictObject({
      name,
      phone,
      country,
      email: email.nullable().default(null),
      language: language.nullable().default(null),
      tags: tags.default([]),
      status: status.default('active'),
      customFields: customValuesInput.default({}),
    }),
    output: contact,
    errors: [
      'contact_phone_invalid',
      'contact_phone_taken',
      'contact_erased',
      'custom_field_unknown',
      'custom_field_invalid',
    ],
  }),
  update: endpoint({
    method: 'PATCH',
    path: '/contacts/{contactId}',
    access: 'contacts:update',
    forKeys: { example: { contactId: EXAMPLE_ID, version: 1, tags: ['vip'] } },
    repeat: versioned,
    summary: 'Changes the fields that are given, unless someone else changed the contact since `version`',
    input: z.strictObject({
      contactId: id,
      version: z.number().int(),
      name: name.optional(),
      phone: phone.optional(),
      country,
      email: email.nullable().optional(),
      language: language.nullable().optional(),
      tags: tags.optional(),
      status: status.optional(),
      customFields: customValuesInput.optional(),
    }),
    output: contact,
    errors: [
      'contact_not_found',
      'contact_changed',
      'contact_phone_invalid',
      'contact_phone_taken',
      'contact_erased',
      'custom_field_unknown',
      'custom_field_invalid',
    ],
  }),
  bulkEdit: endpoint({
    method: 'POST',
    path: '/contacts/bulk-edit',
    access: 'contacts:update',
    forKeys: {
      example: { choice: { filter: { tag: 'newsletter' } }, addTags: ['spring'] },
    },
    repeat: 'keyed',
    work: 'long',
    summary:
      'Adds and takes away tags, and sets the status, language and custom fields of up to 10,000 contacts at once: all of them or none',
    input: manyEdit,
    largestBody: CONTACT_LIST_BODY,
    output: z.object({ chosen: z.number(), changed: z.number() }),
    errors: [
      ...(['segment_not_found', 'campaign_not_found', 'contact_choice_too_large'] as const),
      ...(['custom_field_unknown', 'custom_field_invalid'] as const),
    ],
  }),
  remove: endpoint({
    method: 'DELETE',
    path: '/contacts/{contactId}',
    access: 'contacts:delete',
    forKeys: true,
    repeat: 'keyed',
    summary: 'Deletes a contact with its conversation',
    input: one,
    output: z.object({}),
    errors: ['contact_not_found'],
  }),
  restore: endpoint({
    method: 'POST',
    path: '/contacts/{contactId}/restore',
    access: 'contacts:delete',
    forKeys: true,
    repeat: 'keyed',
    summary: 'Takes back a deletion of the last hour',
    input: one,
    output: contact,
    errors: ['contact_not_found', 'contact_phone_taken', 'contact_erased'],
  }),
  startExport: endpoint({
    method: 'POST',
    path: '/contacts/exports',
    access: ['contacts:read', 'contacts:export'],
    needsReauthentication: true,
    repeat: 'keyed',
    work: 'long',
    summary:
      'Writes the chosen contacts into a file, as an operation: what is small is ready with the answer, and kept for a day',
    input: exportWish,
    largestBody: CONTACT_LIST_BODY,
    output: operation,
    errors: ['segment_not_found', 'campaign_not_found'],
  }),
  erase: endpoint({
    method: 'POST',
    path: '/contacts/{contactId}/erase',
    access: 'contacts:delete',
    forKeys: true,
    repeat: 'keyed',
    summary: 'Erases a person without trace, for good; the number is not added or written to again',
    input: one,
    output: z.object({}),
    errors: ['contact_not_found'],
  }),
  listTimeline: endpoint({
    method: 'GET',
    path: '/contacts/{contactId}/timeline',
    access: ['contacts:read', 'messages:read'],
    forKeys: true,
    summary: 'What happened with a contact, newest first',
    input: pageInput.extend({ contactId: id }),
    output: page(timelineEvent),
    errors: ['contact_not_found'],
  }),
  listConsents: endpoint({
    method: 'GET',
    path: '/contacts/{contactId}/consents',
    access: 'contacts:read',
    forKeys: true,
    summary: 'When the person agreed to get messages or took it back; the newest 200',
    input: one,
    output: page(consent),
    errors: ['contact_not_found'],
  }),
  recordConsent: endpoint({
    method: 'POST',
    path: '/contacts/{contactId}/consents',
    access: 'contacts:update',
    forKeys: { example: { contactId: EXAMPLE_ID, kind: 'opt_in', text: 'Ticked at the checkout' } },
    repeat: 'keyed',
    summary: 'Records an opt-in or opt-out that was given elsewhere',
    input: z.strictObject({
      contactId: id,
      kind: z.enum(['opt_in', 'opt_out']),
      text: consentWords,
      occurredAt: instant.optional(),
    }),
    output: contact,
    errors: ['contact_not_found', 'contact_consent_future'],
  }),
};
