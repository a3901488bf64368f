import { conversationViewersContract } from '@app/contracts/conversations/conversation-viewers-contract';
import { findMissingPermission } from '@app/domain/auth/caller';
import { implementEndpoints } from '../../platform/implement-endpoints.ts';
import { leaveTyping } from '../receipts/show-read.ts';

const os = implementEndpoints(conversationViewersContract);

export const conversationViewersApi = {
  listViewers: os.listViewers.handler(({ context }) => ({
    items: context.viewers.list(context.caller.workspaceId),
  })),

  tellViewing: os.tellViewing.handler(async ({ input, context, errors }) => {
    const { workspaceId } = context.caller;
    const { rowCount } = await context.read((scope) =>
      scope.query('SELECT FROM conversations WHERE workspace_id = $1 AND id = $2', [
        workspaceId,
        input.conversationId,
      ]),
    );
    if (!rowCount) throw errors.conversation_not_found();
    // Who may not answer only looks, whatever their tab says.
    if (input.state === 'typing' && !findMissingPermission(context.caller, ['messages:create']))
      await context.change((scope) => leaveTyping(context.jobs, scope, input.conversationId));
    const { id: userId, firstName, lastName } = context.session.user;
    await context.viewers.tell(workspaceId, { ...input, userId, name: `${firstName} ${lastName}`.trim() });
    return {};
  }),
};
