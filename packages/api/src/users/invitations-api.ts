import { invitationsContract } from '@app/contracts/users/invitations-contract';
import { checkEmail } from '@app/domain/auth/sign-up-rules';
import { invitationMail } from '../auth/invitations/invitation-mail.ts';
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
      const added = await addInvitation(scope, act, input);
      if (added === 'role_too_high') throw errors.role_too_high({ data: { field: 'role' } });
      if (added === 'team_not_found') throw errors.team_not_found({ data: { field: 'teamId' } });
      if (typeof added === 'string') throw errors[added](atEmail);
      const invitation = await findInvitation(scope, added.id);
      if (!invitation) throw new Error('An invitation that was just added is there.');
      const { email, role } = invitation;
      await context.jobs.enqueue(scope, invitationMail, `${added.id}/1`, { invitationId: added.id });
      await scope.emit({ type: 'user.invited', subject: added.id, values: { email, role } });
      return invitation;
    }),
  ),

  sendAgain: os.sendAgain.handler(({ input, context, errors }) =>
    context.change(async (scope) => {
      const { invitationId } = input;
      const act = await beginMemberChange(scope, 'users:create');
      const renewed = await renewInvitation(scope, act, invitationId);
      if (typeof renewed === 'string') throw errors[renewed]();
      const { email, timesSent } = renewed;
      await context.jobs.enqueue(scope, invitationMail, `${invitationId}/${timesSent}`, { invitationId });
      await scope.emit({ type: 'invitation.sent_again', subject: invitationId, values: { email } });
      const invitation = await findInvitation(scope, invitationId);
      if (!invitation) throw errors.invitation_not_found();
      return invitation;
    }),
  ),

  revoke: os.revoke.handler(({ input, context, errors }) =>
    context.change(async (scope) => {
      const { invitationId } = input;
      await beginMemberChange(scope, 'users:create');
      const revoked = await revokeInvitation(scope, invitationId);
      if (!revoked) throw errors.invitation_not_found();
      await scope.emit({ type: 'invitation.revoked', subject: invitationId, values: revoked });
      return {};
    }),
  ),
});
