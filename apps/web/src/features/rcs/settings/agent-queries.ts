import { orpc, readFailure, type api } from '../../../shared/api.ts';
import { errorMessageOf } from '../../../shared/error-message.ts';
import { refusalOf } from '../../../shared/languages/refusal-text.ts';
import { t } from '../../../shared/messages.ts';

export type TestDevice = Awaited<ReturnType<typeof api.channelAgents.listTestDevices>>['items'][number];
export type AgentReport = Awaited<ReturnType<typeof api.channelAgents.get>>;

// What the platform says is asked for anew at each visit and by the button, and not in between.
const asked = { staleTime: 60_000, retry: false } as const;
export const agentOptions = (channelId: string) => ({
  ...orpc.channelAgents.get.queryOptions({ input: { channelId } }),
  ...asked,
});
export const testDevicesOptions = (channelId: string) => ({
  ...orpc.channelAgents.listTestDevices.queryOptions({ input: { channelId } }),
  ...asked,
});

const explain = (byReason: Readonly<Record<string, 'noPermission' | 'quota' | 'noRcs'>>) =>
  errorMessageOf({
    platform_refused: (values) => {
      const own = byReason[String(values['reason'] ?? '')];
      return own ? t(`rcs-agent.${own}`) : refusalOf(values);
    },
  });
const ofManagement = { PERMISSION_DENIED: 'noPermission', UNAUTHENTICATED: 'noPermission' } as const;

/** Errors of reading the agent and its test devices. */
export const agentErrorMessage = explain(ofManagement);
/** Errors of an invitation: what the platform rejects is the phone, or one invitation too many. */
export const inviteErrorMessage = explain({
  ...ofManagement,
  RESOURCE_EXHAUSTED: 'quota',
  INVALID_ARGUMENT: 'noRcs',
  NOT_FOUND: 'noRcs',
});

/** Whether the key may not use the management API: one panel says it, not two. */
export function isWithoutPermission(error: unknown): boolean {
  return String(readFailure(error).values['reason'] ?? '') in ofManagement;
}
