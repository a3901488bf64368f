import { mentionKinds, noteLimits } from '@app/domain/conversations/note-rules';
import { z } from 'zod';
import { endpoint, id, versioned } from '../endpoint.ts';

/** What staff write to each other in a conversation, and the contact never sees. */
export const note = z.object({
  id,
  conversationId: id,
  author: z.object({ id: id.nullable(), name: z.string() }),
  body: z.string(),
  /** `@name` stands in the text. */
  mentions: z.array(z.object({ kind: z.enum(mentionKinds), id, name: z.string() })),
  at: z.string(),
  /** What it said before is asked for with `listNoteVersions`. */
  editedAt: z.string().nullable(),
  version: z.number(),
});

const one = z.strictObject({ conversationId: id, noteId: id });
const written = {
  body: z.string().trim().min(1).max(noteLimits.body),
  mentions: z
    .strictObject({
      userIds: z.array(id).max(noteLimits.mentions).default([]),
      teamIds: z.array(id).max(noteLimits.mentions).default([]),
    })
    .default({ userIds: [], teamIds: [] }),
};
const write = ['messages:create', 'contacts:read'] as const;

const named = z.object({ id, name: z.string() });

export const conversationNotesContract = {
  listMentionable: endpoint({
    method: 'GET',
    path: '/inbox/mentionable',
    access: write,
    summary: 'Whom a note can mention: people who may read messages, and teams',
    input: z.object({}),
    output: z.object({ people: z.array(named), teams: z.array(named) }),
  }),
  addNote: endpoint({
    method: 'POST',
    path: '/conversations/{conversationId}/notes',
    access: write,
    repeat: 'keyed',
    summary: 'Writes a note for staff; whoever is mentioned in it, in person or with their team, hears of it',
    input: z.strictObject({
      conversationId: id,
      /** The draft that it was, which ends with it. */
      writingId: id.optional(),
      ...written,
    }),
    output: note,
    errors: ['conversation_not_found', 'note_mention_unknown'],
  }),
  editNote: endpoint({
    method: 'PUT',
    path: '/conversations/{conversationId}/notes/{noteId}',
    access: write,
    repeat: versioned,
    summary: 'Changes a note of one’s own; what it said before is kept',
    input: one.extend({ version: z.number().int().min(1).max(2_000_000_000), ...written }),
    output: note,
    errors: ['note_not_found', 'note_changed', 'note_not_yours', 'note_mention_unknown'],
  }),
  deleteNote: endpoint({
    method: 'DELETE',
    path: '/conversations/{conversationId}/notes/{noteId}',
    access: write,
    repeat: 'keyed',
    summary:
      'Deletes a note with all that it said: one’s own, or anybody’s for those who may delete messages',
    input: one,
    output: z.object({ id }),
    errors: ['note_not_found', 'note_not_yours'],
  }),
  listNoteVersions: endpoint({
    method: 'GET',
    path: '/conversations/{conversationId}/notes/{noteId}/versions',
    access: ['messages:read', 'contacts:read'],
    summary: 'What a note said before it was changed, the newest first',
    input: one,
    output: z.object({ items: z.array(z.object({ body: z.string(), at: z.string() })) }),
    errors: ['note_not_found'],
  }),
};
