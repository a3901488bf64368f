import { conversationViewersContract } from '@app/contracts/conversations/conversation-viewers-contract';
import { databaseTrouble } from '@app/database/query-error';
import { findMissingPermission } from '@app/domain/auth/caller';
import { implementEndpoints } from '../../platform/implement-endpoints.ts';
import type { SignedInContext } from '../../platform/request-context.ts';
import { enqueueTyping, turnOf } from '../receipts/show-read.ts';

const os = implementEndpoints(conversationViewersContract);

export const conversationViewersApi = {
  listViewers: os.listViewers.handler(({ context }) => ({
    items: context.viewers.list(context.caller.workspaceId),
  })),

  tellViewing: os.tellViewing.handler(async ({ input, context, errors }) => {
    const { workspaceId } = context.caller;
    const isThere = await isConversation(context, input.conversationId);
    if (isThere === false) throw errors.conversation_not_found();
    // Nobody knows whether it is there, and nobody is kept for a word that is said again in a moment.
    if (isThere === null) return {};
    // Who may not answer only looks, whatever their tab says.
    if (input.state === 'typing' && !findMissingPermission(context.caller, ['messages:create']))
      await showTyping(context, input.conversationId);
    const { id: userId, firstName, lastName } = context.session.user;
    await context.viewers.tell(workspaceId, { ...input, userId, name: `${firstName} ${lastName}`.trim() });
    return {};
  }),
};

/** Null while the database has no place for such a question. */
async function isConversation(context: SignedInContext, conversationId: string): Promise<boolean | null> {
  const { workspaceId } = context.caller;
  const { lately } = context.viewers;
  const word = `there ${workspaceId} ${conversationId}`;
  const now = context.clock().getTime();
  if (lately.has(word, now)) return true;
  return unlessInTrouble(async () => {
    const { rowCount } = await context.read((scope) =>
      scope.query('SELECT FROM conversations WHERE workspace_id = $1 AND id = $2', [
        workspaceId,
        conversationId,
      ]),
    );
    if (rowCount) lately.hear(word, now);
    return rowCount !== 0;
  });
}

/** The contact is shown it every twenty seconds at most: in between there is nothing to leave. */
async function showTyping(context: SignedInContext, conversationId: string): Promise<void> {
  const { lately } = context.viewers;
  const now = context.clock().getTime();
  const word = `typing ${context.caller.workspaceId} ${conversationId} ${turnOf(now)}`;
  if (lately.has(word, now)) return;
  lately.hear(word, now);
  const left = await unlessInTrouble(async () => {
    await context.change((scope) => enqueueTyping(context.jobs, scope, conversationId));
    return true;
  });
  if (left === null) lately.forget(word);
}

/** Null where the database is busy or away: what shows that somebody types is dropped then, and never refused. */
async function unlessInTrouble<Result>(work: () => Promise<Result>): Promise<Result | null> {
  try {
    return await work();
  } catch (error) {
    if (databaseTrouble(error) === undefined) throw error;
    return null;
  }
}
