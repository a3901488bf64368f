import type { AskedEffect, RunEffect } from '@app/flows/flow-host';
import type { EffectOutcome } from '@app/domain/flows/run-state';
import { openConversation } from '../../../conversations/conversation-actions.ts';
import { addNote as writeNote } from '../../../conversations/notes/note-actions.ts';
import { assignConversation as assign } from '../../../conversations/teamwork/assign-conversation.ts';
import type { WorkspaceScope } from '../../../platform/workspace-scope.ts';

const textOr = (value: unknown) => (typeof value === 'string' && value !== '' ? value : null);

/** Gives the conversation to a member or a team; an empty assignment takes it from both. */
export const assignConversation: RunEffect<WorkspaceScope> = async (scope, asked) => {
  const conversation = await open(scope, asked);
  if ('status' in conversation) return conversation;
  const [userId, teamId] = [textOr(asked.request['userId']), textOr(asked.request['teamId'])];
  const isForUser = userId !== null;
  const { rows } = await scope.query<{ version: number }>(
    'SELECT version FROM conversations WHERE workspace_id = $1 AND id = $2 FOR NO KEY UPDATE',
    [scope.workspaceId, conversation.id],
  );
  const assigned = await assign(scope, {
    ...{ conversationId: conversation.id, version: rows[0]?.version ?? 0, assigneeId: userId },
    ...(!isForUser && { teamId }),
  });
  return typeof assigned === 'string' ? { status: 'failed', code: assigned } : { status: 'done' };
};

/** A note in the name of the workflow. */
export const addNote: RunEffect<WorkspaceScope> = async (scope, asked) => {
  const conversation = await open(scope, asked);
  if ('status' in conversation) return conversation;
  const note = await writeNote(scope, {
    ...{ conversationId: conversation.id, body: String(asked.request['body']) },
    mentions: { userIds: [], teamIds: [] },
  });
  return typeof note === 'string' ? { status: 'failed', code: note } : { status: 'done' };
};

/** The conversation by the channel that is named, or by the one that was used last; opened where there is none. */
async function open(
  scope: WorkspaceScope,
  { contactId, request }: AskedEffect,
): Promise<{ id: string } | (EffectOutcome & { status: 'failed' })> {
  if (contactId === null) return { status: 'failed', code: 'contact_missing' };
  const channelId = textOr(request['channelId']);
  if (channelId === null) {
    const { rows } = await scope.query<{ id: string }>(
      'SELECT id FROM conversations WHERE workspace_id = $1 AND contact_id = $2 ORDER BY last_activity_at DESC, id LIMIT 1',
      [scope.workspaceId, contactId],
    );
    if (rows[0]) return rows[0];
  } else {
    const { rows } = await scope.query<{ id: string }>(
      'SELECT id FROM conversations WHERE workspace_id = $1 AND contact_id = $2 AND channel_id = $3',
      [scope.workspaceId, contactId, channelId],
    );
    if (rows[0]) return rows[0];
  }
  const opened = await openConversation(scope, { contactId, ...(channelId !== null && { channelId }) });
  return typeof opened === 'string' ? { status: 'failed', code: opened } : { id: opened.id };
}
