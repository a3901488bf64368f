import { profileContract } from '@app/contracts/profile/profile-contract';
import {
  checkEmail,
  checkPassword,
  normaliseEmail,
  type SignUpProblem,
} from '@app/domain/auth/sign-up-rules';
import { endSessions, findSessionOwner } from '../auth/sessions/end-sessions.ts';
import { listSessions } from '../auth/sessions/list-sessions.ts';
import { implementEndpoints } from '../platform/implement-endpoints.ts';
import { changeOwnAccount, readOwnAccount } from '../platform/account/own-account.ts';
import { changeEmail, withdrawEmail } from './change-email.ts';
import { keepProof, setPassword } from './change-password.ts';
import { removeAvatar } from './avatars.ts';
import { changeNotificationChoices, readNotificationChoices } from './notification-choices.ts';
import {
  changeHiddenStart,
  changePreferences,
  changeProfile,
  checkProfile,
  chooseOwnLanguage,
  readProfile,
  switchLoginAlerts,
} from './profile-queries.ts';

const os = implementEndpoints(profileContract);

export const profileApi = os.router({
  get: os.get.handler(({ context }) => readOwnAccount(context, ({ client }) => readProfile(client, context))),

  update: os.update.handler(({ input, context, errors }) => {
    const problems = checkProfile(input);
    if (problems.length > 0) throw errors.profile_invalid({ data: describeProblems(problems) });
    return changeOwnAccount(context, async (account) => {
      await changeProfile(account, input);
      return readProfile(account.client, context);
    });
  }),

  updatePreferences: os.updatePreferences.handler(({ input, context }) =>
    changeOwnAccount(context, async (account) => {
      await changePreferences(account, input);
      return input;
    }),
  ),

  setStartHidden: os.setStartHidden.handler(({ input, context }) =>
    changeOwnAccount(context, async (account) => {
      await changeHiddenStart(account, context.caller.workspaceId, input.isHidden);
      return input;
    }),
  ),

  getNotificationChoices: os.getNotificationChoices.handler(({ context }) =>
    readOwnAccount(context, (account) => readNotificationChoices(account, context.caller)),
  ),

  updateNotificationChoices: os.updateNotificationChoices.handler(({ input, context }) =>
    changeOwnAccount(context, async (account) => {
      await changeNotificationChoices(account, input);
      return readNotificationChoices(account, context.caller);
    }),
  ),

  setLanguage: os.setLanguage.handler(({ input: { language }, context }) =>
    changeOwnAccount(context, async (account) => {
      await chooseOwnLanguage(account, language);
      return { language };
    }),
  ),

  setTheme: os.setTheme.handler(({ input, context }) =>
    changeOwnAccount(context, async (account) => {
      await changePreferences(account, input);
      return input;
    }),
  ),

  setLoginAlerts: os.setLoginAlerts.handler(({ input: { isOn }, context }) =>
    changeOwnAccount(context, async (account) => {
      await switchLoginAlerts(account, isOn);
      return { isOn };
    }),
  ),

  removeAvatar: os.removeAvatar.handler(({ context }) =>
    changeOwnAccount(context, async (account) => {
      await removeAvatar(account);
      return {};
    }),
  ),

  changePassword: os.changePassword.handler(async ({ input, context, errors }) => {
    const { session, ownPassword } = context;
    const problem = checkPassword(input.newPassword);
    if (problem) throw errors.profile_invalid({ data: describeProblems([['newPassword', problem]]) });
    const verdict = await ownPassword.check(session, input.currentPassword);
    if (verdict.outcome === 'missing') throw errors.password_missing();
    if (verdict.outcome === 'locked') throw errors.account_locked({ data: waitingFor(verdict) });
    if (verdict.outcome === 'wrong') throw errors.password_wrong({ data: { field: 'currentPassword' } });
    const passwordHash = await ownPassword.hash(input.newPassword);
    return changeOwnAccount(context, async (account) => {
      const ended = await setPassword(account, {
        ...{ passwordHash, sessionId: session.id },
        endsOthers: input.endsOtherSessions,
      });
      return { ended };
    });
  }),

  confirmPassword: os.confirmPassword.handler(async ({ input, context, errors }) => {
    const { session, ownPassword } = context;
    const verdict = await ownPassword.check(session, input.password);
    if (verdict.outcome === 'missing') throw errors.password_missing();
    if (verdict.outcome === 'locked') throw errors.account_locked({ data: waitingFor(verdict) });
    if (verdict.outcome === 'wrong') throw errors.password_wrong({ data: { field: 'password' } });
    await changeOwnAccount(context, ({ client, now }) => keepProof(client, session.id, now));
    return {};
  }),

  changeEmail: os.changeEmail.handler(({ input, context, errors }) => {
    const problem = checkEmail(input.email);
    if (problem) throw errors.profile_invalid({ data: describeProblems([['email', problem]]) });
    return changeOwnAccount(context, async (account) => {
      const refusal = await changeEmail(account, context, normaliseEmail(input.email));
      if (refusal) throw errors[refusal]();
      return readProfile(account.client, context);
    });
  }),

  withdrawEmail: os.withdrawEmail.handler(({ context }) =>
    changeOwnAccount(context, async (account) => {
      await withdrawEmail(account);
      return readProfile(account.client, context);
    }),
  ),

  listSessions: os.listSessions.handler(({ input, context }) => {
    const { session, findPlace } = context;
    const filters = { ...input, userId: session.user.id };
    return context.read((scope) => listSessions(scope, filters, { currentId: session.id, findPlace }));
  }),

  endSession: os.endSession.handler(({ input: { sessionId }, context, errors }) =>
    context.change(async (scope) => {
      const { session } = context;
      if (sessionId === session.id) throw errors.session_is_current();
      const owner = await findSessionOwner(scope, sessionId);
      if (owner?.userId !== session.user.id) throw errors.session_not_found();
      return { ended: (await endSessions(scope, owner, { onlyOne: sessionId })) ?? 0 };
    }),
  ),

  endOtherSessions: os.endOtherSessions.handler(({ context }) =>
    context.change(async (scope) => {
      const { session, caller } = context;
      const owner = { userId: session.user.id, name: caller.kind === 'system' ? '' : caller.name };
      return { ended: (await endSessions(scope, owner, { butOne: session.id })) ?? 0 };
    }),
  ),
});

function waitingFor({ retryAfterSeconds }: { retryAfterSeconds: number }) {
  return { values: { retryAfterSeconds } };
}

/** The code of what is wrong with each field; the web has a sentence for each. */
function describeProblems(problems: readonly [string, SignUpProblem][]) {
  return { issues: problems.map(([field, message]) => ({ field, message })) };
}
