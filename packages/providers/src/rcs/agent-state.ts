import { launchStateOf, type AgentState, type LaunchState } from '@app/domain/channels/agent-desk';
import type { StopScope } from '@app/domain/messaging/rejection';
import type { RcsClient } from './rcs-client.ts';
import { errorOf } from './rcs-errors.ts';
import type { RcsManagement } from './rcs-management.ts';

/** Stops of ours that the platform ends, with what they stop: an agent without a launch still answers its test devices. */
const stops = {
  agent_revoked: 'everything',
  agent_suspended: 'everything',
  agent_unlaunched: 'campaigns',
} as const;
type AgentStop = keyof typeof stops;

/** Codes of these stops, as channels store them. */
export const agentStopCodes: readonly string[] = Object.keys(stops).map((code) => errorOf(code).code);

export function stoppedBy(stop: AgentStop): { maySend: false; code: string; blocks: StopScope } {
  return { maySend: false, code: errorOf(stop).code, blocks: stops[stop] };
}

/** What an event with this launch state says; undefined for a state that changes nothing by itself. */
export function stateOfLaunch(state: LaunchState | undefined): AgentState | undefined {
  if (state === 'launched') return { maySend: true };
  if (state === 'suspended') return stoppedBy('agent_suspended');
  return state === 'unlaunched' ? stoppedBy('agent_unlaunched') : undefined;
}

/** Asks whether the key may use the agent, then about its launch; null where the platform does not say. */
export async function readAgentState(
  client: Pick<RcsClient, 'mayUseAgent'>,
  management: Pick<RcsManagement, 'launches'>,
): Promise<AgentState | null> {
  if (!(await client.mayUseAgent())) return stoppedBy('agent_revoked');
  const launches = await management.launches();
  if (launches === null) return null;
  const state = launchStateOf(launches);
  if (state === 'launched') return { maySend: true };
  return stoppedBy(state === 'suspended' ? 'agent_suspended' : 'agent_unlaunched');
}
