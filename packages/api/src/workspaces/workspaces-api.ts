import { ORPCError } from '@orpc/server';
import { errorTable } from '@app/contracts/errors';
import { workspacesContract } from '@app/contracts/workspaces/workspaces-contract';
import { chooseLanguage } from '@app/domain/text/interface-language';
import { isSampleAddress } from '../auth/leave-sample.ts';
import { listOwnWorkspaces, openWorkspace } from '../auth/open-workspace.ts';
import { readOwnAccount } from '../platform/account/own-account.ts';
import { implementEndpoints } from '../platform/implement-endpoints.ts';
import { leaveWorkspace } from './leave-workspace.ts';

const os = implementEndpoints(workspacesContract);

export const workspacesApi = os.router({
  list: os.list.handler(({ context }) =>
    readOwnAccount(context, async ({ client, userId }) => {
      const workspaces = await listOwnWorkspaces(client, userId, context.isLocalOnly);
      const isAdmin = workspaces.some(({ role }) => role === 'admin');
      return { workspaces, mayCreate: isAdmin && !isSampleAddress(context.session.user.email) };
    }),
  ),

  create: os.create.handler(({ input, context, errors }) =>
    context.change(async (scope) => {
      const { user } = context.session;
      if (isSampleAddress(user.email)) throw errors.sample_account();
      const opened = await openWorkspace(scope, user.id, {
        name: input.name,
        timeZone: input.timeZone ?? user.timezone,
        language: chooseLanguage([input.language, user.language]),
      });
      if (opened === 'by_admins') throw errors.workspaces_by_admins();
      if (opened === 'gone') throw new ORPCError('signed_out', errorTable.signed_out);
      return opened;
    }),
  ),

  leave: os.leave.handler(({ input, context, errors }) =>
    // Refusals are thrown inside the transaction: what was written before them goes.
    context.change(async (scope) => {
      if (input.workspaceId !== scope.workspaceId) throw errors.workspace_not_found();
      const refusal = await leaveWorkspace(scope, context.session.user);
      if (refusal) throw errors[refusal]();
      return {};
    }),
  ),
});
