import type { StopScope } from '../messaging/rejection.ts';
import type { PlatformAnswer } from './platform-answer.ts';

/** How far an agent is let to people, by one carrier or over all of them. */
export const launchStates = ['unlaunched', 'pending', 'launched', 'rejected', 'suspended'] as const;
export type LaunchState = (typeof launchStates)[number];

export const testDeviceStatuses = ['pending', 'accepted', 'declined'] as const;
export type TestDevice = { phone: string; status: (typeof testDeviceStatuses)[number] };

/** An agent as its platform describes it; null for what the platform does not say. */
export type AgentReport = {
  displayName: string | null;
  brand: string | null;
  description: string | null;
  /** In the platform's words, small letters. */
  useCase: string | null;
  region: string | null;
  billing: string | null;
  launches: readonly { carrier: string; state: LaunchState }[];
  /** What the first test device that accepted can show, in the platform's words; null where there is none. */
  features: readonly string[] | null;
};

/** An agent as its owner looks after it. No call throws for what the platform says. */
export type AgentDesk = {
  describe(): Promise<PlatformAnswer<AgentReport>>;
  testDevices(): Promise<PlatformAnswer<readonly TestDevice[]>>;
  /** Asks a phone to become a test device. A person accepts or declines on the phone. Harmless for one that was asked before. */
  invite(phone: string): Promise<PlatformAnswer<TestDevice>>;
  /** One that is not there any more counts as removed. */
  remove(phone: string): Promise<PlatformAnswer<null>>;
  close(): Promise<void>;
};

/** One state for all carriers: people of one carrier that launched the agent get its messages. */
export function launchStateOf(launches: AgentReport['launches']): LaunchState {
  const order = ['launched', 'suspended', 'pending', 'rejected'] as const;
  return order.find((state) => launches.some((one) => one.state === state)) ?? 'unlaunched';
}

/** Whether an agent may send now, and what stops where it may not. */
export type AgentState = { maySend: true } | { maySend: false; code: string; blocks: StopScope };
