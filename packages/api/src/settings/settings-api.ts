import { settingsContract } from '@app/contracts/settings/settings-contract';
import { implementEndpoints } from '../platform/implement-endpoints.ts';
import { changeGeneralSettings, findGeneralSettings, type GeneralChange } from './general-settings.ts';

const os = implementEndpoints(settingsContract);

export const settingsApi = os.router({
  getGeneral: os.getGeneral.handler(({ context }) => context.read(findGeneralSettings)),

  updateGeneral: os.updateGeneral.handler(({ input, context, errors }) =>
    context.change(async (scope) => {
      // What is left out stays: it is not in the input at all.
      const changed = await changeGeneralSettings(scope, input as GeneralChange);
      if (typeof changed === 'string') throw errors[changed]();
      return changed;
    }),
  ),
});
