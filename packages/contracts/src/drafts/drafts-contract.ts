import { draftKinds, draftLimits } from '@app/domain/drafts/draft';
import { fileKinds } from '@app/domain/message-files/file-state';
import { z } from 'zod';
import { endpoint, id, instant } from '../endpoint.ts';

const files = z
  .array(
    z.strictObject({
      /** Uploaded by the same person. */
      fileId: id,
      name: z.string().max(300),
      kind: z.enum(fileKinds),
      size: z.number().int().min(0),
      caption: z.string().max(draftLimits.text),
    }),
  )
  .max(draftLimits.files);
const buttons = z.array(z.string().max(draftLimits.buttonTitle)).max(draftLimits.buttons);

export const draft = z.object({
  /** Drawn by the device that began it; what is sent names it, and ends it. */
  writingId: id,
  text: z.string(),
  /** The message that is answered. */
  replyTo: id.nullable(),
  files,
  /** Titles, to be pressed in place of an answer. */
  buttons,
  savedAt: instant,
  version: z.number(),
});

export const draftsContract = {
  get: endpoint({
    method: 'GET',
    path: '/conversations/{conversationId}/drafts',
    access: ['messages:create', 'contacts:read'],
    summary: 'What the person who asks has begun to write there',
    input: z.object({ conversationId: id }),
    output: z.object({ reply: draft.nullable(), note: draft.nullable() }),
    errors: ['conversation_not_found'],
  }),
  save: endpoint({
    method: 'PUT',
    path: '/conversations/{conversationId}/drafts',
    access: ['messages:create', 'contacts:read'],
    repeat: { harmless: 'It names the version that it follows; the same text again is the same draft.' },
    summary:
      'Keeps what was typed since `seen`, the version that this device knows, or 0; without text, quote, files and buttons it ends',
    input: z.strictObject({
      conversationId: id,
      kind: z.enum(draftKinds),
      writingId: id,
      seen: z.number().int().min(0).max(2_000_000_000),
      text: z.string().max(draftLimits.text),
      replyTo: id.nullable().default(null),
      files: files.default([]),
      buttons: buttons.default([]),
    }),
    // What races with another device or with the act that sends is an outcome, not a fault.
    output: z.union([
      z.object({ outcome: z.literal('saved'), version: z.number() }),
      z.object({ outcome: z.enum(['changed', 'ended']) }),
    ]),
    errors: ['conversation_not_found'],
  }),
};
