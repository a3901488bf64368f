import { sessionsContract } from '@app/contracts/users/sessions-contract';
import { endSessions, findSessionOwner } from '../auth/sessions/end-sessions.ts';
import { listSessions } from '../auth/sessions/list-sessions.ts';
import { implementEndpoints } from '../platform/implement-endpoints.ts';
import { beginMemberChange } from './member-change.ts';

const os = implementEndpoints(sessionsContract);

export const sessionsApi = os.router({
  list: os.list.handler(({ input, context }) =>
    context.read((scope) =>
      listSessions(scope, input, { currentId: context.session.id, findPlace: context.findPlace }),
    ),
  ),

  end: os.end.handler(({ input, context, errors }) =>
    context.change(async (scope) => {
      const { sessionId } = input;
      if (sessionId === context.session.id) throw errors.session_is_current();
      const act = await beginMemberChange(scope, 'users:update');
      const owner = await findSessionOwner(scope, sessionId);
      if (!owner) throw errors.session_not_found();
      const person = await act.findPerson(owner.userId);
      if (person === 'user_above') throw errors.user_above();
      const ended = await endSessions(scope, owner, { onlyOne: sessionId });
      if (ended === null) throw errors.session_not_found();
      return { ended };
    }),
  ),

  endAllOf: os.endAllOf.handler(({ input, context, errors }) =>
    context.change(async (scope) => {
      const { userId } = input;
      const act = await beginMemberChange(scope, 'users:update');
      const person = await act.findPerson(userId);
      // One's own may end too, but for the one in use.
      if (person === 'user_not_found' || person === 'user_above') throw errors[person]();
      const name = person === 'user_is_self' ? scope.caller : person;
      const owner = { userId, name: 'name' in name ? name.name : '' };
      const ended = await endSessions(scope, owner, { butOne: context.session.id });
      if (ended === null) throw errors.user_elsewhere();
      return { ended };
    }),
  ),
});
