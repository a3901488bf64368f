import { conversationNotesContract } from '@app/contracts/conversations/conversation-notes-contract';
import { endDraft } from '../../drafts/drafts-queries.ts';
import { implementEndpoints } from '../../platform/implement-endpoints.ts';
import { listNoteVersions } from './conversation-notes.ts';
import { addNote, deleteNote, editNote } from './note-actions.ts';
import { listMentionable } from './note-mentions.ts';

const os = implementEndpoints(conversationNotesContract);

export const conversationNotesApi = {
  listMentionable: os.listMentionable.handler(({ context }) => context.read(listMentionable)),

  addNote: os.addNote.handler(({ input, context, errors }) =>
    context.change(async (scope) => {
      const added = await addNote(scope, input);
      if (added === 'note_mention_unknown') throw errors[added]({ data: { field: 'mentions' } });
      if (typeof added === 'string') throw errors[added]();
      const { conversationId, writingId } = input;
      if (writingId) await endDraft(scope, { conversationId, kind: 'note', writingId });
      return added;
    }),
  ),

  editNote: os.editNote.handler(({ input, context, errors }) =>
    context.change(async (scope) => {
      const edited = await editNote(scope, input);
      if (edited === 'note_mention_unknown') throw errors[edited]({ data: { field: 'mentions' } });
      if (typeof edited === 'string') throw errors[edited]();
      return edited;
    }),
  ),

  deleteNote: os.deleteNote.handler(({ input, context, errors }) =>
    context.change(async (scope) => {
      const deleted = await deleteNote(scope, input);
      if (typeof deleted === 'string') throw errors[deleted]();
      return deleted;
    }),
  ),

  listNoteVersions: os.listNoteVersions.handler(async ({ input, context, errors }) => {
    const items = await context.read((scope) => listNoteVersions(scope, input));
    if (!items) throw errors.note_not_found();
    return { items };
  }),
};
