import { hashText, seededRandom } from '../core/seeded-random.ts';
import { objectOf, type JsonObject } from '../core/json.ts';
import { RecentList } from '../core/recent-list.ts';
import { WebhookSender } from '../core/webhook-sender.ts';
import { RcsAccess, MESSAGING_SCOPE } from './access.ts';
import { inviteTester, plainId, RcsAgents, type Agent, type LaunchState } from './agents.ts';
import { defaultRcsBehaviour, type RcsBehaviour } from './rcs-behaviour.ts';
import type { CheckedMessage } from './message-rules.ts';
import { behaviourOf, type PhoneBehaviour } from './phones.ts';
import { RcsError } from './rcs-error.ts';
import { newEventId, signDelivery, wrapPayload } from './rcs-webhooks.ts';
import { createServiceAccount, emailOf, projects, type Project } from './seed.ts';

export type MessageState = 'queued' | 'delivered' | 'read' | 'revoked' | 'expired';

/** A message of an agent. */
export interface AgentMessage {
  messageId: string;
  agentId: string;
  phone: string;
  acceptedAt: number;
  trafficType: string;
  content: JsonObject;
  expiresAt: number | null;
  state: MessageState;
}

/** The messages that a phone and an agent exchanged, oldest first. */
export interface PhoneThread {
  phone: string;
  agentId: string;
  entries: PhoneEntry[];
}

export type PhoneEntry =
  | { direction: 'in'; at: number; message: AgentMessage }
  | { direction: 'out'; at: number; said: JsonObject };

/** A stand-in for the platform of RCS for Business: the agents of a partner, the phones of everybody, and webhooks. */
export class RcsPlatform {
  behaviour: RcsBehaviour = { ...defaultRcsBehaviour };
  readonly messages = new Map<string, AgentMessage>();
  /** What was handed over, or sent by customers, by the name of the file. */
  readonly files = new Map<string, { mimeType: string; bytes: Uint8Array<ArrayBuffer> }>();
  readonly events: { phone: string; eventType: string; messageId: string | null }[] = [];
  readonly calls = new RecentList<{ at: number; method: string; path: string; status: number }>(300);
  readonly stats = { accepted: 0, repeated: 0, delivered: 0, read: 0, revoked: 0, expired: 0 };
  readonly sender: WebhookSender;
  readonly access: RcsAccess;
  readonly agents: RcsAgents;
  /** Set when it listens: the token endpoint is named by its whole address. */
  origin = 'http://127.0.0.1';
  version = 0;
  readonly #threads = new Map<string, PhoneThread>();
  readonly #switched = new Map<string, PhoneBehaviour>();
  readonly #refusals = new Map<string, number>();
  readonly #usedIds = new Set<string>();
  readonly #timers = new Set<NodeJS.Timeout>();
  #batches: number[] = [];
  readonly #serviceAccounts = new Map<Project, ReturnType<typeof createServiceAccount>>();

  constructor({ webhookUrl }: { webhookUrl: string | null }) {
    this.agents = new RcsAgents(webhookUrl);
    this.access = new RcsAccess((email) => {
      const project = projects.find((one) => emailOf(one) === email);
      return project && this.#account(project).account;
    });
    this.sender = new WebhookSender(
      () => ({ ...this.behaviour, concurrency: 8, timeoutMs: 10_000, retryCapMs: 600_000 }),
      () => Math.random(),
    );
  }

  /** The key file that people download at the platform. */
  keyFile(project: Project): JsonObject {
    const { account, privateKey } = this.#account(project);
    return {
      ...{ type: 'service_account', project_id: project, private_key_id: account.keyId },
      ...{ private_key: privateKey, client_email: account.email, token_uri: this.tokenUrl },
    };
  }

  get tokenUrl(): string {
    return `${this.origin}/rcs/token`;
  }

  now(): number {
    return Date.now();
  }

  changed(): void {
    this.version += 1;
  }

  /** As its number says, unless a control said otherwise. */
  phoneBehaviour(phone: string): PhoneBehaviour {
    return this.#switched.get(phone) ?? behaviourOf(phone);
  }

  /** Switches a phone; one that comes online gets what waits for it. */
  switchPhone(phone: string, behaviour: PhoneBehaviour): void {
    this.#switched.set(phone, behaviour);
    if (behaviour !== 'offline')
      for (const message of this.messages.values())
        if (message.phone === phone && message.state === 'queued') this.#deliverLater(message);
    this.changed();
  }

  /** How often a phone of these refused already; adds one. */
  countRefusal(phone: string): number {
    const count = (this.#refusals.get(phone) ?? 0) + 1;
    this.#refusals.set(phone, count);
    return count;
  }

  /** The name of a file that lies here from now on. */
  keepFile(mimeType: string, bytes: Uint8Array<ArrayBuffer>): string {
    const name = `files/${newEventId().slice(3)}`;
    this.files.set(name, { mimeType, bytes });
    return name;
  }

  usesId(id: string): boolean {
    return this.#usedIds.has(id);
  }

  /** 600 calls a minute. */
  takesBatch(): boolean {
    const now = this.now();
    this.#batches = this.#batches.filter((at) => now - at < 60_000);
    this.#batches.push(now);
    return this.#batches.length <= 600;
  }

  /** The agent, where the bearer may use it; throws otherwise. */
  enter(authorization: string | undefined, agentId: string, scope = MESSAGING_SCOPE): Agent {
    this.access.check(authorization, this.now(), scope);
    const agent = this.agents.find(agentId);
    if (!agent || agent.isRevoked)
      throw new RcsError('PERMISSION_DENIED', 'The caller does not have permission.');
    return agent;
  }

  /** False where the quota of the agent is used up. */
  inviteTester(agent: Agent, phone: string): boolean {
    const isInvited = inviteTester(agent, phone, this.now());
    this.changed();
    return isInvited;
  }

  /** Whether an id was used before, by a message or an event of the agent. Uses it. */
  useId(id: string): boolean {
    const isUsed = this.#usedIds.has(id);
    this.#usedIds.add(id);
    return isUsed;
  }

  accept(
    { phone, messageId, agentId }: Pick<AgentMessage, 'phone' | 'messageId' | 'agentId'>,
    { content, trafficType, expiresAt }: CheckedMessage,
  ): AgentMessage {
    const message: AgentMessage = {
      ...{ messageId, agentId, phone, content, trafficType, expiresAt },
      ...{ acceptedAt: this.now(), state: 'queued' },
    };
    this.messages.set(messageId, message);
    this.stats.accepted += 1;
    if (this.phoneBehaviour(phone) === 'offline') this.#expireLater(message);
    else this.#deliverLater(message);
    this.changed();
    return message;
  }

  /** False where it is too late: the phone has it. */
  revoke(messageId: string): boolean {
    const message = this.messages.get(messageId);
    if (!message || message.state === 'revoked') return true;
    if (message.state !== 'queued') return false;
    message.state = 'revoked';
    this.stats.revoked += 1;
    this.changed();
    return true;
  }

  /** What a customer does on the phone. */
  say(agentId: string, phone: string, said: JsonObject): void {
    this.#threadOf(phone, agentId).entries.push({ direction: 'out', at: this.now(), said });
    const base = {
      senderPhoneNumber: phone,
      sendTime: new Date(this.now()).toISOString(),
      agentId: `${agentId}@rbm.goog`,
    };
    this.post(agentId, { ...base, ...said }, { type: 'message', message_type: 'TEXT' }, 'message');
    this.changed();
  }

  /** An event of a phone, such as that a message was read. */
  report(eventType: string, { phone, agentId, messageId }: Reported): void {
    const isOfPlatform = eventType.startsWith('TTL_');
    this.post(
      agentId,
      {
        ...(isOfPlatform ? { phoneNumber: phone } : { senderPhoneNumber: phone }),
        ...{ eventType, eventId: newEventId(), sendTime: new Date(this.now()).toISOString() },
        ...(messageId !== undefined && { messageId }),
        agentId: `${agentId}@rbm.goog`,
      },
      { type: 'event', event_type: eventType },
      eventType,
    );
  }

  post(agentId: string, payload: JsonObject, attributes: Record<string, string>, summary: string): void {
    const { id, webhookUrl, clientToken } = this.agents.find(agentId) ?? this.agents.first;
    if (webhookUrl === null) return;
    this.sender.send({
      target: { url: webhookUrl, appSecret: clientToken, sign: signDelivery },
      payload: wrapPayload(payload, id, attributes),
      summary,
    });
  }

  launch(agent: Agent, state: LaunchState): void {
    const { id, launch: old } = agent;
    agent.launch = state;
    this.post(
      id,
      {
        ...{
          eventId: newEventId(),
          agentId: `${id}@rbm.goog`,
          botDisplayName: 'Sandbox',
          regionId: 'sandbox',
        },
        ...{ oldLaunchState: old, newLaunchState: state, sendTime: new Date(this.now()).toISOString() },
      },
      { type: 'agent_launch_event', event_type: state },
      `launch: ${state}`,
    );
    this.changed();
  }

  threads(): readonly PhoneThread[] {
    return [...this.#threads.values()];
  }

  entriesOf(phone: string, agentId: string): readonly PhoneEntry[] {
    return this.#threads.get(keyOf(phone, agentId))?.entries ?? [];
  }

  reset(): void {
    for (const timer of this.#timers) clearTimeout(timer);
    for (const kept of [
      this.messages,
      this.files,
      this.#threads,
      this.#switched,
      this.#refusals,
      this.#usedIds,
      this.#timers,
    ])
      kept.clear();
    this.access.tokens.clear();
    this.events.length = 0;
    this.sender.clear();
    this.calls.clear();
    Object.assign(this.stats, { accepted: 0, repeated: 0, delivered: 0, read: 0, revoked: 0, expired: 0 });
    this.behaviour = { ...defaultRcsBehaviour };
    this.agents.reset();
    this.changed();
  }

  close(): void {
    for (const timer of this.#timers) clearTimeout(timer);
    this.sender.close();
  }

  /** Made when it is first needed: a key takes a while. */
  #account(project: Project) {
    const account = this.#serviceAccounts.get(project) ?? createServiceAccount(project);
    this.#serviceAccounts.set(project, account);
    return account;
  }

  #deliverLater(message: AgentMessage): void {
    const { statusDelayMs, deliveredRate, readRate, seed } = this.behaviour;
    const random = seededRandom(seed, hashText(message.messageId), 1);
    const [isDelivered, isRead] = [random() < deliveredRate, random() < readRate];
    if (!isDelivered) return this.#expireLater(message);
    this.#after(statusDelayMs, () => {
      if (message.state !== 'queued') return;
      message.state = 'delivered';
      this.stats.delivered += 1;
      this.#threadOf(message.phone, message.agentId).entries.push({
        ...{ direction: 'in', at: this.now(), message },
      });
      if (this.phoneBehaviour(message.phone) !== 'silent') this.report('DELIVERED', message);
      this.changed();
      if (isRead) this.#after(statusDelayMs, () => this.read(message));
    });
  }

  /** The customer looks at a message that the phone has. */
  read(message: AgentMessage): void {
    if (message.state !== 'delivered') return;
    message.state = 'read';
    this.stats.read += 1;
    if (this.phoneBehaviour(message.phone) !== 'silent') this.report('READ', message);
    this.changed();
  }

  #expireLater(message: AgentMessage): void {
    if (message.expiresAt === null) return;
    this.#after(message.expiresAt - this.now(), () => {
      if (message.state !== 'queued') return;
      message.state = 'expired';
      this.stats.expired += 1;
      const { expiry } = this.behaviour;
      if (expiry !== 'none')
        this.report(
          expiry === 'revoked' ? 'TTL_EXPIRATION_REVOKED' : 'TTL_EXPIRATION_REVOKE_FAILED',
          message,
        );
      this.changed();
    });
  }

  #threadOf(phone: string, agentId: string): PhoneThread {
    const key = keyOf(phone, agentId);
    const thread = this.#threads.get(key) ?? { phone, agentId, entries: [] };
    this.#threads.set(key, thread);
    return thread;
  }

  #after(ms: number, run: () => void): void {
    const timer = setTimeout(
      () => {
        this.#timers.delete(timer);
        run();
      },
      Math.max(0, Math.min(ms, 2 ** 31 - 1)),
    );
    timer.unref();
    this.#timers.add(timer);
  }
}

/** What an event is about; without a message, it is about the person. */
type Reported = { phone: string; agentId: string; messageId?: string };

const keyOf = (phone: string, agentId: string): string => `${phone} ${plainId(agentId)}`;

/** What a message offers to tap, in the order in which the phone shows it. */
export function suggestionsOf({ content }: AgentMessage): JsonObject[] {
  const card = objectOf(content['richCard']);
  const standalone = objectOf(objectOf(card['standaloneCard'])['cardContent']);
  const carousel = objectOf(card['carouselCard'])['cardContents'];
  const parts = [standalone, ...(Array.isArray(carousel) ? carousel.map(objectOf) : []), content];
  return parts.flatMap(({ suggestions }) => (Array.isArray(suggestions) ? suggestions.map(objectOf) : []));
}
