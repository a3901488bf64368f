import { settingsContract } from '@app/contracts/settings/settings-contract';
import { findSendingChannel } from '@app/database/channels/find-channel';
import { implementEndpoints } from '../platform/implement-endpoints.ts';
import { changeGeneralSettings, type GeneralChange } from './change-general-settings.ts';
import { findGeneralSettings } from './general-settings.ts';

import {
  changeMessagingSettings,
  findMessagingSettings,
  type MessagingChange,
} from './messaging-settings.ts';
import { findProfileState, leaveProfile } from './push-profile.ts';
import { changePlan, readUsage } from './usage.ts';

const os = implementEndpoints(settingsContract);

export const settingsApi = os.router({
  getGeneral: os.getGeneral.handler(({ context }) => context.read(findGeneralSettings)),

  updateGeneral: os.updateGeneral.handler(({ input, context, errors }) =>
    context.change(async (scope) => {
      // What is left out stays: it is not in the input at all.
      const changed = await changeGeneralSettings(scope, context.jobs, input as GeneralChange);
      if (typeof changed === 'string') throw errors[changed]();
      return changed;
    }),
  ),

  getMessaging: os.getMessaging.handler(({ context }) => context.read(findMessagingSettings)),

  updateMessaging: os.updateMessaging.handler(({ input, context, errors }) =>
    context.change(async (scope) => {
      const changed = await changeMessagingSettings(scope, input as MessagingChange);
      if (typeof changed === 'string') throw errors[changed]();
      return changed;
    }),
  ),

  getUsage: os.getUsage.handler(({ context }) => context.read(readUsage)),

  updatePlan: os.updatePlan.handler(({ input, context }) =>
    context.change(async (scope) => {
      await changePlan(scope, input.plan);
      return readUsage(scope);
    }),
  ),

  getProfileState: os.getProfileState.handler(({ context }) => context.read(findProfileState)),

  pushProfile: os.pushProfile.handler(({ context, errors }) =>
    context.change(async (scope) => {
      const { version } = await findGeneralSettings(scope);
      if (!(await leaveProfile(context.jobs, scope, version))) throw errors.channel_not_connected();
      return findProfileState(scope);
    }),
  ),

  readProfile: os.readProfile.handler(async ({ context, errors }) => {
    const channel = await context.read(({ tx, workspaceId }) => findSendingChannel(tx, workspaceId));
    if (!channel?.isConnected) throw errors.channel_not_connected();
    const { profile } = await context.messageSender.open(channel.id);
    if (!profile) throw errors.channel_not_connected();
    const answer = await profile.read();
    return answer.outcome === 'done' ? { outcome: answer.outcome, profile: answer.value } : answer;
  }),
});
