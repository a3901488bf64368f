import { newId } from '@app/database/new-id';
import { actorOf, findMissingPermission, personOf } from '@app/domain/auth/caller';
import { noteLimits } from '@app/domain/conversations/note-rules';
import type { WorkspaceScope } from '../../platform/workspace-scope.ts';
import { findNote, type Note } from './conversation-notes.ts';
import { findMentioned, type Mentioned } from './note-mentions.ts';

type Written = { body: string; mentions: Mentioned };
type Of = { conversationId: string; noteId: string };

/** Whoever is mentioned hears of it, in person or with their team. */
export async function addNote(
  scope: WorkspaceScope,
  { conversationId, body, mentions }: Written & { conversationId: string },
): Promise<Note | 'conversation_not_found' | 'note_mention_unknown'> {
  const contactId = await lockContactOf(scope, conversationId);
  if (contactId === null) return 'conversation_not_found';
  const mentioned = await findMentioned(scope, mentions);
  if (!mentioned) return 'note_mention_unknown';
  const noteId = newId();
  const { caller, workspaceId } = scope;
  await scope.query(
    `INSERT INTO conversation_notes (id, workspace_id, conversation_id, author_id, author_name, body, mentions, at)
     VALUES ($1, $2, $3, $4, $5, $6, $7, $8)`,
    [
      ...[noteId, workspaceId, conversationId, personOf(caller), actorOf(caller).name],
      ...[body, JSON.stringify(mentioned.mentions), scope.clock()],
    ],
  );
  await scope.emit({
    ...{ type: 'conversation.note_added', subject: conversationId },
    values: { noteId, contactIds: [contactId], userIds: mentioned.userIds },
  });
  return (await findNote(scope, { conversationId, noteId }))!; // made above
}

/** Only its author puts words into it; what it said before is kept. Who is mentioned anew hears of it. */
export async function editNote(
  scope: WorkspaceScope,
  { body, mentions, version, ...of }: Written & Of & { version: number },
): Promise<Note | 'note_not_found' | 'note_changed' | 'note_not_yours' | 'note_mention_unknown'> {
  const found = await lockNote(scope, of);
  if (!found) return 'note_not_found';
  if (!isOwn(scope, found)) return 'note_not_yours';
  if (found.version !== version) return 'note_changed';
  const [mentioned, before] = [
    await findMentioned(scope, mentions),
    await findMentioned(scope, found.mentioned),
  ];
  if (!mentioned) return 'note_mention_unknown';
  const earlier =
    found.body === body ? found.earlier : [...found.earlier, { body: found.body, at: found.since }];
  await scope.query(
    `UPDATE conversation_notes SET body = $3, mentions = $4, earlier = $5, edited_at = $6, version = version + 1
      WHERE workspace_id = $1 AND id = $2`,
    [
      ...[scope.workspaceId, of.noteId, body, JSON.stringify(mentioned.mentions)],
      ...[JSON.stringify(earlier.slice(-noteLimits.earlier)), scope.clock()],
    ],
  );
  const knew = new Set(before?.userIds ?? found.mentioned.userIds);
  await scope.emit({
    ...{ type: 'conversation.note_edited', subject: of.conversationId },
    values: {
      noteId: of.noteId,
      contactIds: [found.contact_id],
      userIds: mentioned.userIds.filter((id) => !knew.has(id)),
    },
  });
  return (await findNote(scope, of))!; // locked above
}

/** Takes its words away, and those that it had before; one's own, or anybody's for those who may delete messages. */
export async function deleteNote(
  scope: WorkspaceScope,
  of: Of,
): Promise<{ id: string } | 'note_not_found' | 'note_not_yours'> {
  const found = await lockNote(scope, of);
  if (!found) return 'note_not_found';
  if (!isOwn(scope, found) && findMissingPermission(scope.caller, ['messages:delete']))
    return 'note_not_yours';
  await scope.query(
    `UPDATE conversation_notes SET body = '', mentions = '[]', earlier = '[]', deleted_at = $3, version = version + 1
      WHERE workspace_id = $1 AND id = $2`,
    [scope.workspaceId, of.noteId, scope.clock()],
  );
  await scope.emit({
    ...{ type: 'conversation.note_deleted', subject: of.conversationId },
    values: { noteId: of.noteId, contactIds: [found.contact_id] },
  });
  return { id: of.noteId };
}

function isOwn({ caller }: WorkspaceScope, { author_id: authorId }: Locked): boolean {
  return authorId !== null && authorId === personOf(caller);
}

/** Held, so that no merge takes the conversation away meanwhile. */
async function lockContactOf(scope: WorkspaceScope, conversationId: string): Promise<string | null> {
  const { rows } = await scope.query<{ contact_id: string }>(
    'SELECT contact_id FROM conversations WHERE workspace_id = $1 AND id = $2 FOR KEY SHARE',
    [scope.workspaceId, conversationId],
  );
  return rows[0]?.contact_id ?? null;
}

type Locked = {
  author_id: string | null;
  version: number;
  body: string;
  earlier: { body: string; at: string }[];
  since: string;
  mentioned: Mentioned;
  contact_id: string;
};

async function lockNote(scope: WorkspaceScope, { conversationId, noteId }: Of): Promise<Locked | undefined> {
  const contactId = await lockContactOf(scope, conversationId);
  if (contactId === null) return undefined;
  const { rows } = await scope.query<Omit<Locked, 'contact_id'>>(
    `SELECT author_id, version, body, earlier, to_json(coalesce(edited_at, at)) AS since,
            json_build_object('userIds', ARRAY(SELECT m->>'id' FROM jsonb_array_elements(mentions) AS m WHERE m->>'kind' = 'user'),
                              'teamIds', ARRAY(SELECT m->>'id' FROM jsonb_array_elements(mentions) AS m WHERE m->>'kind' = 'team')) AS mentioned
       FROM conversation_notes WHERE workspace_id = $1 AND conversation_id = $2 AND id = $3 AND deleted_at IS NULL FOR NO KEY UPDATE`,
    [scope.workspaceId, conversationId, noteId],
  );
  return rows[0] && { ...rows[0], contact_id: contactId };
}
