import { importObstacles, templateParts } from '@app/domain/templates/account-templates';
import { rejectionReasons, sendObstacles } from '@app/domain/templates/platform-status';
import { readTemplateLanguage } from '@app/domain/templates/platform-name';
import { headerFormats, templateCategories, templateStatuses } from '@app/domain/templates/template';
import { templateLimits } from '@app/domain/templates/template-rules';
import { z } from 'zod';
import { endpoint, id, instant, page, pageInput } from '../endpoint.ts';
import { kindContent } from '../sending/kind-content.ts';

const text = (most: number) => z.string().max(most);
// Longer than any limit that a form reports in its own words, so that those words are what people read.
const LONGEST_TEXT = 20_000;

export const templateButton = z.discriminatedUnion('type', [
  z.strictObject({ type: z.literal('quick_reply'), text: text(LONGEST_TEXT) }),
  z.strictObject({ type: z.literal('url'), text: text(LONGEST_TEXT), url: text(LONGEST_TEXT) }),
  z.strictObject({
    type: z.literal('phone_number'),
    text: text(LONGEST_TEXT),
    phone_number: text(LONGEST_TEXT),
  }),
]);

const headerMedia = z.strictObject({ id, name: text(300), size: z.number().int().nonnegative() });

const bodyExample = z.strictObject({
  body_text: z.array(z.array(text(templateLimits.sample)).max(100)).max(1),
});

/** One part of a message; each type stands at most once in a template. */
export const templateComponent = z.union([
  z.strictObject({ type: z.literal('header'), format: z.literal('text'), text: text(LONGEST_TEXT) }),
  z.strictObject({
    type: z.literal('header'),
    format: z.enum(headerFormats).exclude(['text']),
    media: headerMedia.nullable(),
  }),
  z.strictObject({ type: z.literal('body'), text: text(LONGEST_TEXT), example: bodyExample.optional() }),
  z.strictObject({ type: z.literal('footer'), text: text(LONGEST_TEXT) }),
  z.strictObject({ type: z.literal('button'), buttons: z.array(templateButton).max(50) }),
  /** Sent in place of the other parts through channels of this kind. */
  z.strictObject({ type: z.literal('content'), ...kindContent.shape }),
]);

/** As templates here have it: `pt-BR` is `pt`. */
export const templateLanguage = z
  .string()
  .max(10)
  .transform((locale, check) => {
    const language = readTemplateLanguage(locale);
    if (language !== undefined) return language;
    check.addIssue({
      code: 'custom',
      message: 'Please enter a language of the platform, such as de or en_US',
    });
    return z.NEVER;
  })
  .describe('A language of the platform, such as `de` or `en_US`; `pt` is that of Brazil.');

export const template = z.object({
  id,
  name: z.string(),
  category: z.enum(templateCategories),
  language: z.string(),
  status: z.enum(templateStatuses),
  /** The body's text. */
  content: z.string(),
  /** Names of the `{{word}}` placeholders of the body, each once. */
  variables: z.array(z.string()),
  components: z.array(templateComponent),
  /** What lists and figures count it for: its status, and what the platform says of an approved one. */
  standing: z.enum(templateStatuses),
  /** May be picked for sending now. */
  isSendable: z.boolean(),
  /** What keeps it from being sent now; null where nothing does. */
  whyNotSendable: z.enum(sendObstacles).nullable(),
  /** Its life on the messaging platform; null until it was submitted. */
  platform: z
    .object({
      name: z.string(),
      /** The platform's own word in upper case, for example `APPROVED` or `PAUSED`. */
      status: z.string().nullable(),
      category: z.string().nullable(),
      quality: z.string().nullable(),
    })
    .nullable(),
  /** Why the platform refused it, in plain words. */
  rejectionReason: z.string().nullable(),
  /** The same as the platform said it: its reason, the code with which it refused the submission itself, and the text that it wrote beside or in place of them. */
  rejection: z
    .object({
      reason: z.enum(rejectionReasons).nullable(),
      code: z.string().nullable(),
      text: z.string().nullable(),
    })
    .nullable(),
  createdAt: instant,
  updatedAt: instant.nullable(),
  version: z.number().int(),
});

const one = z.object({ templateId: id });
const draft = {
  name: z.string().trim().max(LONGEST_TEXT),
  category: z.enum(templateCategories),
  language: templateLanguage,
  status: z.enum(templateStatuses),
  components: z.array(templateComponent).max(20),
};
const version = z.number().int().describe('The version that was read; a change in between is refused.');
const refusals = ['template_invalid', 'template_status_by_platform', 'media_not_found'] as const;

/** What list and counts leave out: columns by their names, and a filter needs no more. */
export const templateColumns = z.object({
  category: z.enum(templateCategories).optional(),
  language: templateLanguage.optional(),
  name: z
    .string()
    .max(200)
    .optional()
    .describe('The whole name, to find a template in all of its languages.'),
});

/** What the list can be asked for. */
export const templatesList = pageInput.extend({
  ...templateColumns.shape,
  search: z.string().max(200).optional().describe('Part of name or content.'),
  status: z.enum(templateStatuses).optional().describe('The standing, as in the answer.'),
  sort: z.enum(['newest', 'oldest', 'name']).default('newest'),
  together: z
    .enum(['yes', 'no'])
    .default('no')
    .transform((word) => word === 'yes')
    .describe('`yes`: those of one name stand together, and a page holds up to `limit` names.'),
});

export const templatesContract = {
  list: endpoint({
    method: 'GET',
    path: '/templates',
    access: 'templates:read',
    forKeys: {
      example: { status: 'approved' },
    },
    summary: 'Templates, newest first',
    input: templatesList,
    output: page(template),
  }),
  summarize: endpoint({
    method: 'GET',
    path: '/templates/summary',
    access: 'templates:read',
    forKeys: true,
    summary: 'Counts by standing, for the summary cards',
    input: templateColumns,
    output: z.object({
      total: z.number(),
      approved: z.number(),
      pending: z.number(),
      draft: z.number(),
      rejected: z.number(),
    }),
  }),
  get: endpoint({
    method: 'GET',
    path: '/templates/{templateId}',
    access: 'templates:read',
    forKeys: true,
    summary: 'One template',
    input: one,
    output: template,
    errors: ['template_not_found'],
  }),
  create: endpoint({
    method: 'POST',
    path: '/templates',
    access: 'templates:create',
    forKeys: {
      example: {
        name: 'Order on its way',
        category: 'utility',
        components: [{ type: 'body', text: 'Hello {{name}}, your order is on its way to you.' }],
      },
    },
    repeat: 'keyed-outside',
    summary: 'Adds a template; empty parts are dropped',
    input: z.strictObject({
      ...draft,
      category: draft.category.default('general'),
      language: draft.language.default('en'),
      status: draft.status.default('draft'),
    }),
    output: template,
    errors: refusals,
  }),
  update: endpoint({
    method: 'PATCH',
    path: '/templates/{templateId}',
    access: 'templates:update',
    forKeys: true,
    repeat: 'keyed-outside',
    summary: 'Changes the fields that are given and no others',
    input: z.strictObject({
      templateId: id,
      version,
      name: draft.name.optional(),
      category: draft.category.optional(),
      language: draft.language.optional(),
      status: draft.status.optional(),
      components: draft.components.optional(),
    }),
    output: template,
    errors: ['template_not_found', 'template_changed', 'template_language_fixed', ...refusals],
  }),
  remove: endpoint({
    method: 'DELETE',
    path: '/templates/{templateId}',
    access: 'templates:delete',
    forKeys: true,
    repeat: 'keyed-outside',
    summary: 'Deletes a template, on the platform too',
    input: one,
    output: z.object({}),
    errors: ['template_not_found', 'template_in_use'],
  }),
  submit: endpoint({
    method: 'POST',
    path: '/templates/{templateId}/submit',
    access: 'templates:update',
    forKeys: true,
    repeat: 'keyed-outside',
    summary: 'Hands the template to the platform for review',
    input: z.strictObject({ templateId: id, version }),
    output: template,
    errors: [
      'template_not_found',
      'template_changed',
      'template_invalid',
      'template_refused',
      'channel_not_connected',
      'platform_unreachable',
    ],
  }),
  sync: endpoint({
    method: 'POST',
    path: '/templates/sync',
    access: 'templates:update',
    repeat: 'keyed-outside',
    summary: 'Reads status, category and quality of every template from the platform',
    input: z.object({}),
    output: z.object({ checked: z.number(), changed: z.number(), submitted: z.number() }),
    errors: ['channel_not_connected', 'platform_unreachable', 'template_refused'],
  }),
  getSync: endpoint({
    method: 'GET',
    path: '/templates/sync',
    access: ['templates:read', 'settings:read'],
    summary: 'How the last synchronisation with the platform went',
    input: z.object({}),
    output: z.object({
      state: z.enum(['none', 'running', 'done', 'failed']),
      /** Why it failed: the platform's code, and a sentence beside it; null when it could not be reached. */
      code: z.string().nullable(),
      reason: z.string().nullable(),
      at: instant.nullable(),
    }),
  }),
  listAccount: endpoint({
    method: 'GET',
    path: '/templates/account',
    access: ['templates:read', 'settings:read'],
    summary: 'Asks the platform for the templates of the account, and says how ours differ',
    input: z.object({}),
    output: z.object({
      number: z.string(),
      accountName: z.string(),
      items: z.array(
        z.object({
          templateId: id.nullable(),
          platformId: z.string().nullable(),
          name: z.string(),
          language: z.string(),
          status: z.string().nullable(),
          difference: z.enum(['none', 'missing_there', 'missing_here', 'changed']),
          parts: z.array(z.enum(templateParts)),
          /** Its header shows a file, which the account does not give out: one is chosen here afterwards. */
          needsFile: z.boolean(),
          /** Why it cannot be taken over. */
          obstacle: z.enum(importObstacles).nullable(),
        }),
      ),
    }),
    errors: ['channel_not_connected', 'platform_unreachable', 'template_refused'],
  }),
  importFromAccount: endpoint({
    method: 'POST',
    path: '/templates/account/imports',
    access: ['templates:create', 'settings:read'],
    repeat: { harmless: 'What is here already is left out: a second one takes over nothing.' },
    summary: 'Takes over templates of the account that are not here: those that are named, or all',
    input: z.strictObject({ platformIds: z.array(z.string().min(1).max(64)).max(10_000).optional() }),
    output: z.object({ imported: z.number(), skipped: z.number() }),
    errors: ['channel_not_connected', 'platform_unreachable', 'template_refused'],
  }),
};
