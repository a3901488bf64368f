import { contactFields } from '@app/domain/delivery/run-message';
import { z } from 'zod';
import { id } from '../endpoint.ts';
import { kindContent } from './kind-content.ts';

/** Stands in for people without a value. */
const fallback = z.string().max(1024).optional();

/**
 * What fills a placeholder of the message: a field of the contact or the business, a custom field by its id, or one text
 * for everybody. A placeholder that is missing here is filled from the custom field whose key it is.
 */
const variableSource = z.union([
  z.strictObject({ field: z.enum(contactFields), fallback }),
  z.strictObject({ customField: id, fallback }),
  z.strictObject({ text: z.string().max(1024) }),
]);

export const messageText = z.string().trim().min(1).max(4096);

/** A template, or a text of one's own; a text clears the template and the other way round. */
export const messageChoice = z.union([
  z.strictObject({
    templateId: id,
    /** Whoever speaks another language that a template of this name is approved in gets that one; off unless it is said. */
    inContactLanguage: z.boolean().optional(),
  }),
  z.strictObject({ customMessage: messageText }),
]);

/** An explicit yes: who has no value for a placeholder gets the message with the placeholder as it is written. Otherwise it is not sent to them. */
export const allowMissingValues = z.boolean().default(false);

/** What a campaign carries: also a stored content of the kind of its channel, such as an RCS message. */
export const campaignMessage = z.union([...messageChoice.options, z.strictObject({ contentId: id })]);

/** Also a form of message that the kind of the channel adds. */
export const messageOrContent = z.union([
  ...campaignMessage.options,
  z.strictObject({ content: kindContent }),
]);

export const variables = z.record(z.string().max(100), variableSource);
