import { settingsContract } from '@app/contracts/settings/settings-contract';
import { codeOfRejection } from '@app/domain/messaging/delivery-error-messages';
import { implementEndpoints } from '../platform/implement-endpoints.ts';
import { changeGeneralSettings, type GeneralChange } from './change-general-settings.ts';
import { findGeneralSettings } from './general-settings.ts';

import {
  changeMessagingSettings,
  findMessagingSettings,
  type MessagingChange,
} from './messaging-settings.ts';
import { takeLogo } from './logos.ts';
import { changeNoticeDefaults, findNoticeDefaults } from './notice-defaults.ts';
import { changeNumberProfile, findNumberProfile } from './number-profile.ts';
import {
  findAllProfileStates,
  findNumber,
  findProfileState,
  enqueueProfile,
  enqueueProfiles,
} from './push-profile.ts';
import { readProfiles } from './shown-profile.ts';
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

  getNoticeDefaults: os.getNoticeDefaults.handler(({ context }) => context.read(findNoticeDefaults)),

  updateNoticeDefaults: os.updateNoticeDefaults.handler(({ input, context, errors }) =>
    context.change(async (scope) => {
      const changed = await changeNoticeDefaults(scope, input);
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

  getProfileState: os.getProfileState.handler(({ input: { channelId }, context, errors }) =>
    context.read(async (scope) => {
      if (channelId !== undefined && !(await findNumber(scope, channelId))) throw errors.channel_not_found();
      return {
        ...(await findProfileState(scope, channelId)),
        numbers: await findAllProfileStates(scope),
      };
    }),
  ),

  pushProfile: os.pushProfile.handler(({ input: { channelId }, context, errors }) =>
    context.change(async (scope) => {
      if (channelId !== undefined && !(await findNumber(scope, channelId))) throw errors.channel_not_found();
      const { jobs } = context;
      const isLeft =
        channelId === undefined
          ? await enqueueProfiles(jobs, scope, (await findGeneralSettings(scope)).version, { isWhole: true })
          : await enqueueProfile(jobs, scope, (await readProfiles(scope)).version, {
              channelId,
              isWhole: true,
            });
      if (!isLeft) throw errors.channel_not_connected();
      return findProfileState(scope, channelId);
    }),
  ),

  readProfile: os.readProfile.handler(async ({ input: { channelId }, context, errors }) => {
    const channel = await context.read((scope) => findNumber(scope, channelId));
    if (!channel && channelId !== undefined) throw errors.channel_not_found();
    if (!channel?.isConnected) throw errors.channel_not_connected();
    const { profile } = await context.messageSender.open(channel.id);
    if (!profile) throw errors.channel_not_connected();
    const answer = await profile.read();
    if (answer.outcome === 'refused')
      return { outcome: answer.outcome, code: codeOfRejection(answer), reason: answer.reason };
    if (answer.outcome !== 'done') return answer;
    const { pictureAddress, ...shown } = answer.value;
    const logo = await takeLogo(context, profile, pictureAddress);
    return { outcome: answer.outcome, profile: { ...shown, logo } };
  }),

  getNumberProfile: os.getNumberProfile.handler(async ({ input, context, errors }) => {
    const found = await context.read((scope) => findNumberProfile(scope, input.channelId));
    if (!found) throw errors.channel_not_found();
    return found;
  }),

  updateNumberProfile: os.updateNumberProfile.handler(({ input, context, errors }) =>
    context.change(async (scope) => {
      const changed = await changeNumberProfile(scope, context.jobs, input);
      if (typeof changed === 'string') throw errors[changed]();
      return changed;
    }),
  ),
});
