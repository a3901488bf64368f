import { orpc, type api } from '../../shared/api.ts';

export type MessagingSettings = Awaited<ReturnType<typeof api.settings.getMessaging>>;
export type GeneralSettings = Awaited<ReturnType<typeof api.settings.getGeneral>>;

/** What the workspace says of itself. */
export function generalOptions() {
  return orpc.settings.getGeneral.queryOptions({ input: {} });
}

/** How the workspace sends and answers. */
export function messagingOptions() {
  return orpc.settings.getMessaging.queryOptions({ input: {} });
}

/** What is used of plan and budget; warned of on every page. */
export function usageOptions() {
  return orpc.settings.getUsage.queryOptions({ input: {} });
}

/** Whether the platform shows what the workspace says of itself. */
export function profileStateOptions() {
  return orpc.settings.getProfileState.queryOptions({ input: {} });
}
