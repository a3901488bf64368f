import { cleanText } from '@app/domain/contacts/contact';
import { longestText, quickReplyLimits, readShortcut } from '@app/domain/quick-replies/quick-reply';
import { interfaceLanguages } from '@app/domain/text/interface-language';
import { z } from 'zod';
import { endpoint, id, instant, page, versioned } from '../endpoint.ts';
import { media } from '../media/media-contract.ts';

export const quickReply = z.object({
  id,
  /** What is typed behind the slash. */
  shortcut: z.string(),
  title: z.string(),
  /** With `{{name}}` and its like, which the composer fills. */
  text: z.string(),
  media: media.nullable(),
  buttons: z.array(z.string()),
  folder: z.string().nullable(),
  language: z.enum(interfaceLanguages).nullable(),
  /** Everybody's, or of the person who asks alone. */
  isShared: z.boolean(),
  used: z.number(),
  createdAt: instant,
  updatedAt: instant,
  version: z.number(),
});

const line = (longest: number) =>
  z.string().max(1000).transform(cleanText).pipe(z.string().min(1).max(longest));
const shortcut = z
  .string()
  .max(1000)
  .transform((typed) => readShortcut(typed) ?? '')
  .pipe(z.string().min(1, 'Letters, digits, - and _ alone.'));
const parts = {
  shortcut,
  title: line(quickReplyLimits.title),
  text: z.string().trim().max(quickReplyLimits.text),
  mediaId: id.nullable().default(null),
  buttons: z.array(line(quickReplyLimits.button)).max(quickReplyLimits.buttons).default([]),
  folder: line(quickReplyLimits.folder).nullable().default(null),
  language: z.enum(interfaceLanguages).nullable().default(null),
  isShared: z.boolean().default(false),
};

type Parts = { text: string; mediaId: string | null; buttons: string[] };
const isWhole = ({ text, mediaId, buttons }: Parts) =>
  (text !== '' || (mediaId !== null && buttons.length === 0)) &&
  text.length <= longestText({ hasMedia: mediaId !== null, buttons });
const areButtonsApart = ({ buttons }: Parts) =>
  new Set(buttons.map((button) => button.toLowerCase())).size === buttons.length;
const atText = {
  path: ['text'],
  message: 'A text is needed, of at most 1,024 characters beside a file or buttons.',
};
const atButtons = { path: ['buttons'], message: 'Two buttons have the same words.' };

const one = z.object({ quickReplyId: id });
const refusals = ['quick_reply_taken', 'quick_reply_shared', 'media_not_found'] as const;

export const quickRepliesContract = {
  list: endpoint({
    method: 'GET',
    path: '/quick-replies',
    access: 'messages:read',
    summary: 'Quick replies of everybody and of the person who asks, those that are used most first',
    input: z.object({
      search: z.string().max(200).optional(),
      whose: z.enum(['everybody', 'own']).optional(),
      folder: z.string().max(quickReplyLimits.folder).optional(),
    }),
    output: page(quickReply),
  }),
  get: endpoint({
    method: 'GET',
    path: '/quick-replies/{quickReplyId}',
    access: 'messages:read',
    summary: 'One quick reply',
    input: one,
    output: quickReply,
    errors: ['quick_reply_not_found'],
  }),
  create: endpoint({
    method: 'POST',
    path: '/quick-replies',
    access: 'messages:create',
    repeat: 'keyed',
    summary: 'Keeps a text; one for everybody asks for messages:manage',
    input: z.strictObject(parts).refine(isWhole, atText).refine(areButtonsApart, atButtons),
    output: quickReply,
    errors: [...refusals, 'quick_reply_limit'],
  }),
  update: endpoint({
    method: 'PUT',
    path: '/quick-replies/{quickReplyId}',
    access: 'messages:create',
    repeat: versioned,
    summary: 'Sets all of it, unless someone else changed it since `version`',
    input: z
      .strictObject({ ...parts, quickReplyId: id, version: z.number().int().min(1).max(2_000_000_000) })
      .refine(isWhole, atText)
      .refine(areButtonsApart, atButtons),
    output: quickReply,
    errors: [...refusals, 'quick_reply_not_found', 'quick_reply_changed'],
  }),
  remove: endpoint({
    method: 'DELETE',
    path: '/quick-replies/{quickReplyId}',
    access: 'messages:create',
    repeat: 'keyed',
    summary: 'Deletes a quick reply; what was sent with it stays',
    input: one,
    output: z.object({}),
    errors: ['quick_reply_not_found', 'quick_reply_shared'],
  }),
  countUse: endpoint({
    method: 'POST',
    path: '/quick-replies/{quickReplyId}/uses',
    access: 'messages:create',
    repeat: { harmless: 'It is a count that orders a list, and nothing more.' },
    summary: 'Says that somebody took it, so that it stands further up',
    input: one,
    output: z.object({}),
    errors: ['quick_reply_not_found'],
  }),
};
