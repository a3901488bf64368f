import { inboxSettingsContract } from '@app/contracts/conversations/inbox-settings-contract';
import { implementEndpoints } from '../../platform/implement-endpoints.ts';
import { changeInboxSettings, findInboxSettings, type SettingsChange } from './inbox-settings.ts';

const os = implementEndpoints(inboxSettingsContract);

export const inboxSettingsApi = os.router({
  get: os.get.handler(({ context }) => context.read((scope) => findInboxSettings(scope))),

  update: os.update.handler(({ input, context, errors }) =>
    context.change(async (scope) => {
      // What is left out stays: it is not in the input at all.
      const changed = await changeInboxSettings(scope, input as SettingsChange);
      if (typeof changed === 'string') throw errors[changed]();
      return changed;
    }),
  ),
});
