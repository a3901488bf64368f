import { sandboxAgent } from './seed.ts';

export type LaunchState = 'PENDING' | 'LAUNCHED' | 'REJECTED' | 'SUSPENDED' | 'UNLAUNCHED';
export type InviteStatus = 'PENDING' | 'ACCEPTED' | 'DECLINED';

/** An agent as the platform keeps it. Each has its own webhook, client token and test devices. */
export interface Agent {
  id: string;
  displayName: string;
  launch: LaunchState;
  clientToken: string;
  webhookUrl: string | null;
  /** The service account may not use it any more. */
  isRevoked: boolean;
  /** The service account may read its record, and manage its test devices. */
  mayManage: boolean;
  /** By phone, those that were invited and what they answered. */
  testers: Map<string, InviteStatus>;
  /** When phones were invited. */
  invitations: number[];
}

const AGENT_ID = /^[a-z0-9][a-z0-9-]{0,62}$/;

/** The agents of the partner: one from the start, and those that a control adds. */
export class RcsAgents {
  readonly #agents = new Map<string, Agent>();
  readonly #initialUrl: string | null;

  constructor(initialUrl: string | null) {
    this.#initialUrl = initialUrl;
    this.reset();
  }

  /** The agent of the start. */
  get first(): Agent {
    return this.#agents.get(sandboxAgent.id)!; // `reset` adds it
  }

  /** With or without the ending that callbacks add to an id. */
  find(id: string): Agent | undefined {
    return this.#agents.get(plainId(id));
  }

  all(): Agent[] {
    return [...this.#agents.values()];
  }

  /** Null where the id cannot be one, or is taken. */
  add({ id, displayName }: Pick<Agent, 'id' | 'displayName'>): Agent | null {
    if (!AGENT_ID.test(id) || this.#agents.has(id)) return null;
    return this.#keep({ id, displayName, clientToken: `${id}-client-token`, webhookUrl: null });
  }

  reset(): void {
    this.#agents.clear();
    this.#keep({ ...sandboxAgent, webhookUrl: this.#initialUrl });
  }

  #keep(given: Pick<Agent, 'id' | 'displayName' | 'clientToken' | 'webhookUrl'>): Agent {
    const agent: Agent = {
      ...{ ...given, launch: 'LAUNCHED', isRevoked: false, mayManage: true },
      ...{ testers: new Map(), invitations: [] },
    };
    this.#agents.set(agent.id, agent);
    return agent;
  }
}

/**
 * Invites a phone to become a test device: 20 in a day, and 200 of an agent. An accepted one stays so; a declined one is removed first.
 * False where the quota is used up.
 */
export function inviteTester(agent: Agent, phone: string, now: number): boolean {
  if (agent.testers.has(phone)) return true;
  agent.invitations = agent.invitations.filter((at) => now - at < 86_400_000);
  if (agent.invitations.length >= 20 || agent.testers.size >= 200) return false;
  agent.invitations.push(now);
  agent.testers.set(phone, 'PENDING');
  return true;
}

export const plainId = (agentId: string): string => agentId.replace(/@rbm\.goog$/, '');
