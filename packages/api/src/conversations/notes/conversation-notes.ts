import type { note } from '@app/contracts/conversations/conversation-notes-contract';
import type { Mention } from '@app/domain/conversations/note-rules';
import type { z } from 'zod';
import type { ReadScope } from '../../platform/workspace-scope.ts';

export type Note = z.infer<typeof note>;

export type NoteRow = {
  id: string;
  conversation_id: string;
  author_id: string | null;
  author_name: string;
  body: string;
  mentions: Mention[];
  at: Date;
  edited_at: Date | null;
  version: number;
};

/** Of `conversation_notes n`. Whoever reads a page of the chat takes rows by `(conversation_id, at, id)`, those without `deleted_at`. */
export const noteColumns = `n.id, n.conversation_id, n.author_id, n.author_name, n.body, n.mentions, n.at, n.edited_at, n.version`;

/** One note of the conversation. */
export async function findNote(
  scope: ReadScope,
  { conversationId, noteId }: { conversationId: string; noteId: string },
): Promise<Note | null> {
  const { rows } = await scope.query<NoteRow>(
    `SELECT ${noteColumns} FROM conversation_notes n
      WHERE n.workspace_id = $1 AND n.conversation_id = $2 AND n.id = $3 AND n.deleted_at IS NULL`,
    [scope.workspaceId, conversationId, noteId],
  );
  return rows[0] ? presentNote(rows[0]) : null;
}

/** What a note said before, the newest first; null where there is no such note. */
export async function listNoteVersions(
  scope: ReadScope,
  { conversationId, noteId }: { conversationId: string; noteId: string },
): Promise<{ body: string; at: string }[] | null> {
  const { rows } = await scope.query<{ earlier: { body: string; at: string }[] }>(
    `SELECT earlier FROM conversation_notes WHERE workspace_id = $1 AND conversation_id = $2 AND id = $3 AND deleted_at IS NULL`,
    [scope.workspaceId, conversationId, noteId],
  );
  return rows[0]?.earlier.toReversed() ?? null;
}

export function presentNote(row: NoteRow): Note {
  return {
    id: row.id,
    conversationId: row.conversation_id,
    author: { id: row.author_id, name: row.author_name },
    body: row.body,
    mentions: row.mentions,
    at: row.at.toISOString(),
    editedAt: row.edited_at?.toISOString() ?? null,
    version: row.version,
  };
}
