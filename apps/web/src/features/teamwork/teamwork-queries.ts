import { orpc, type api } from '../../shared/api.ts';

export type Assignees = Awaited<ReturnType<typeof api.conversations.listAssignees>>;
export type InboxSettings = Awaited<ReturnType<typeof api.inboxSettings.get>>;

/** Who may be given a conversation. */
export function assigneesOptions() {
  return orpc.conversations.listAssignees.queryOptions({ input: {}, staleTime: 30_000 });
}

/** How the workspace works in its inbox. */
export function inboxSettingsOptions() {
  return orpc.inboxSettings.get.queryOptions({ input: {} });
}
