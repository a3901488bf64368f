import { invitationsContract } from '@app/contracts/users/invitations-contract';
import { checkEmail } from '@app/domain/auth/sign-up-rules';
import { implementEndpoints } from '../platform/implement-endpoints.ts';
import {
  addInvitation,
  findInvitation,
  listInvitations,
  renewInvitation,
  revokeInvitation,
} from './invitations-queries.ts';
import { beforeGiving, beginMemberChange } from './member-change.ts';

const os = implementEndpoints(invitationsContract);

const atEmail = { data: { field: 'email' } };

export const invitationsApi = os.router({
  list: os.list.handler(({ input, context }) => context.read((scope) => listInvitations(scope, input))),

  create: os.create.handler(({ input, context, errors }) =>
    context.change(async (scope) => {
      if (checkEmail(input.email)) throw errors.email_invalid(atEmail);
      const act = await beginMemberChange(scope, 'users:create');
      beforeGiving(context)(input.role);
      const added = await addInvitation(scope, context.jobs, act, input);
      if (added === 'role_too_high') throw errors.role_too_high({ data: { field: 'role' } });
      if (added === 'team_not_found') throw errors.team_not_found({ data: { field: 'teamId' } });
      if (typeof added === 'string') throw errors[added](atEmail);
      const invitation = await findInvitation(scope, added.id);
      if (!invitation) throw new Error('An invitation that was just added is there.');
      return invitation;
    }),
  ),

  sendAgain: os.sendAgain.handler(({ input, context, errors }) =>
    context.change(async (scope) => {
      const { invitationId } = input;
      const act = await beginMemberChange(scope, 'users:create');
      const refusal = await renewInvitation(scope, context.jobs, act, invitationId);
      if (refusal) throw errors[refusal]();
      const invitation = await findInvitation(scope, invitationId);
      if (!invitation) throw errors.invitation_not_found();
      return invitation;
    }),
  ),

  revoke: os.revoke.handler(({ input, context, errors }) =>
    context.change(async (scope) => {
      const { invitationId } = input;
      await beginMemberChange(scope, 'users:create');
      if (!(await revokeInvitation(scope, invitationId))) throw errors.invitation_not_found();
      return {};
    }),
  ),
});
