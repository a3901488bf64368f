import { contactLanguages } from '@app/domain/contacts/contact-language';
import { cleanText } from '@app/domain/contacts/contact';
import {
  rcsMessageCategories,
  rcsMessageLimits,
  rcsMessageStatuses,
  rcsMessageTypes,
} from '@app/domain/rcs/rcs-message';
import { z } from 'zod';
import { endpoint, id, instant, versioned } from '../endpoint.ts';

/** Above what the platform takes of one message, in characters of JSON. */
const LONGEST_CONTENT = 250_000;

export const rcsMessage = z.object({
  id,
  name: z.string(),
  type: z.enum(rcsMessageTypes),
  /** In the form of its type; of a draft as far as it was written. */
  content: z.record(z.string(), z.unknown()),
  /** That of `content`, which everybody gets whose language is none of `translations`. */
  language: z.string(),
  /** Content in other languages, by the codes of languages of contacts. */
  translations: z.record(z.string(), z.record(z.string(), z.unknown())),
  status: z.enum(rcsMessageStatuses),
  category: z.enum(rcsMessageCategories),
  /** Of all its campaigns so far, in recipients. */
  metrics: z.object({
    sent: z.number(),
    delivered: z.number(),
    read: z.number(),
    /** Who clicked a counted link. */
    clicked: z.number(),
    /** Who has a conversion within the attribution window. */
    conversions: z.number(),
  }),
  createdAt: instant,
  updatedAt: instant,
  version: z.number(),
});

const content = z
  .record(z.string(), z.unknown())
  .refine((value) => JSON.stringify(value).length <= LONGEST_CONTENT, 'This content is too long.');

const parts = {
  name: z.string().max(1000).transform(cleanText).pipe(z.string().min(1).max(rcsMessageLimits.name)),
  type: z.enum(rcsMessageTypes),
  content,
  language: z.enum(contactLanguages).default('en'),
  translations: z.partialRecord(z.enum(contactLanguages), content).default({}),
  status: z.enum(rcsMessageStatuses).default('draft'),
  category: z.enum(rcsMessageCategories).default('marketing'),
};
const one = z.object({ rcsMessageId: id });

export const rcsContract = {
  list: endpoint({
    method: 'GET',
    path: '/rcs/messages',
    access: 'campaigns:read',
    forKeys: true,
    summary: 'RCS messages, the newest first',
    input: z.object({
      search: z.string().max(200).optional(),
      status: z.enum(rcsMessageStatuses).optional(),
      type: z.enum(rcsMessageTypes).optional(),
      limit: z.coerce.number().int().min(1).max(100).default(50),
      cursor: z.string().max(200).optional(),
    }),
    output: z.object({ items: z.array(rcsMessage), total: z.number(), nextCursor: z.string().nullable() }),
  }),
  get: endpoint({
    method: 'GET',
    path: '/rcs/messages/{rcsMessageId}',
    access: 'campaigns:read',
    forKeys: true,
    summary: 'One RCS message',
    input: one,
    output: rcsMessage,
    errors: ['rcs_message_not_found'],
  }),
  create: endpoint({
    method: 'POST',
    path: '/rcs/messages',
    access: 'campaigns:create',
    forKeys: true,
    repeat: 'keyed',
    summary: 'Stores an RCS message; one that is not a draft has to be complete',
    input: z.strictObject(parts),
    output: rcsMessage,
    errors: ['rcs_message_taken', 'rcs_message_limit', 'rcs_message_invalid'],
  }),
  update: endpoint({
    method: 'PUT',
    path: '/rcs/messages/{rcsMessageId}',
    access: 'campaigns:update',
    forKeys: true,
    repeat: versioned,
    summary: 'Sets all of it, unless someone else changed it since `version`',
    input: z.strictObject({
      ...{ ...parts, rcsMessageId: id, version: z.number().int().min(1).max(2_000_000_000) },
    }),
    output: rcsMessage,
    errors: ['rcs_message_taken', 'rcs_message_invalid', 'rcs_message_not_found', 'rcs_message_changed'],
  }),
  remove: endpoint({
    method: 'DELETE',
    path: '/rcs/messages/{rcsMessageId}',
    access: 'campaigns:delete',
    forKeys: true,
    repeat: 'keyed',
    summary: 'Deletes an RCS message; what was sent with it stays',
    input: one,
    output: z.object({}),
    errors: ['rcs_message_not_found'],
  }),
};
