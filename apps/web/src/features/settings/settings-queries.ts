import { orpc, type api } from '../../shared/api.ts';

export type GeneralSettings = Awaited<ReturnType<typeof api.settings.getGeneral>>;

/** What the workspace says of itself. */
export function generalOptions() {
  return orpc.settings.getGeneral.queryOptions({ input: {} });
}
