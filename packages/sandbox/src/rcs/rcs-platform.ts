import { hashText, seededRandom } from '../core/seeded-random.ts';
import { objectOf, type JsonObject } from '../core/json.ts';
import { RecentList } from '../core/recent-list.ts';
import { WebhookSender } from '../core/webhook-sender.ts';
import { RcsAccess } from './access.ts';
import { defaultRcsBehaviour, type RcsBehaviour } from './rcs-behaviour.ts';
import type { CheckedMessage } from './message-rules.ts';
import { behaviourOf, type PhoneBehaviour } from './phones.ts';
import { newEventId, signDelivery, wrapPayload } from './rcs-webhooks.ts';
import { createServiceAccount, sandboxAgent } from './seed.ts';

export type MessageState = 'queued' | 'delivered' | 'read' | 'revoked' | 'expired';
export type LaunchState = 'PENDING' | 'LAUNCHED' | 'REJECTED' | 'SUSPENDED' | 'UNLAUNCHED';

/** A message of the agent. */
export interface AgentMessage {
  messageId: string;
  phone: string;
  acceptedAt: number;
  trafficType: string;
  content: JsonObject;
  expiresAt: number | null;
  state: MessageState;
}

/** What a phone shows, oldest first. */
export type PhoneEntry =
  | { direction: 'in'; at: number; message: AgentMessage }
  | { direction: 'out'; at: number; said: JsonObject };

interface Agent {
  id: string;
  launch: LaunchState;
  clientToken: string;
  webhookUrl: string | null;
  /** The service account may not use it any more. */
  isRevoked: boolean;
  /** The service account may read its record, and manage its test devices. */
  mayManage: boolean;
}

/** A stand-in for the platform of RCS for Business: one agent, the phones of everybody, and its webhooks. */
export class RcsPlatform {
  behaviour: RcsBehaviour = { ...defaultRcsBehaviour };
  readonly messages = new Map<string, AgentMessage>();
  /** By phone, those that were invited and what they answered. */
  readonly testers = new Map<string, 'PENDING' | 'ACCEPTED' | 'DECLINED'>();
  /** What was handed over, or sent by customers, by the name of the file. */
  readonly files = new Map<string, { mimeType: string; bytes: Uint8Array<ArrayBuffer> }>();
  readonly events: { phone: string; eventType: string; messageId: string | null }[] = [];
  readonly calls = new RecentList<{ at: number; method: string; path: string; status: number }>(300);
  readonly stats = { accepted: 0, repeated: 0, delivered: 0, read: 0, revoked: 0, expired: 0 };
  readonly sender: WebhookSender;
  readonly access: RcsAccess;
  agent: Agent;
  /** Set when it listens: the token endpoint is named by its whole address. */
  origin = 'http://127.0.0.1';
  version = 0;
  readonly #phones = new Map<string, PhoneEntry[]>();
  readonly #switched = new Map<string, PhoneBehaviour>();
  readonly #refusals = new Map<string, number>();
  readonly #usedIds = new Set<string>();
  readonly #timers = new Set<NodeJS.Timeout>();
  readonly #initialUrl: string | null;
  #batches: number[] = [];
  #invitations: number[] = [];
  #serviceAccount: ReturnType<typeof createServiceAccount> | undefined;

  constructor({ webhookUrl }: { webhookUrl: string | null }) {
    this.#initialUrl = webhookUrl;
    this.agent = { ...sandboxAgent, webhookUrl, isRevoked: false, mayManage: true };
    this.access = new RcsAccess(() => [this.#account().account]);
    this.sender = new WebhookSender(
      () => ({ ...this.behaviour, concurrency: 8, timeoutMs: 10_000, retryCapMs: 600_000 }),
      () => Math.random(),
    );
  }

  /** The key file that people download at the platform. */
  keyFile(): JsonObject {
    const { account, privateKey } = this.#account();
    return {
      ...{ type: 'service_account', project_id: 'sandbox-partner', private_key_id: account.keyId },
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

  /**
   * Invites a phone to become a test device: 20 in a day, and 200 of an agent. An accepted one stays so; a declined one is removed first.
   * False where the quota is used up.
   */
  inviteTester(phone: string): boolean {
    if (this.testers.has(phone)) return true;
    const now = this.now();
    this.#invitations = this.#invitations.filter((at) => now - at < 86_400_000);
    if (this.#invitations.length >= 20 || this.testers.size >= 200) return false;
    this.#invitations.push(now);
    this.testers.set(phone, 'PENDING');
    this.changed();
    return true;
  }

  /** Whether an id was used before, by a message or an event of the agent. Uses it. */
  useId(id: string): boolean {
    const isUsed = this.#usedIds.has(id);
    this.#usedIds.add(id);
    return isUsed;
  }

  accept(
    phone: string,
    messageId: string,
    { content, trafficType, expiresAt }: CheckedMessage,
  ): AgentMessage {
    const message: AgentMessage = {
      ...{ messageId, phone, content, trafficType, expiresAt },
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
  say(phone: string, said: JsonObject): void {
    const { agent } = this;
    this.#entriesOf(phone).push({ direction: 'out', at: this.now(), said });
    const base = {
      senderPhoneNumber: phone,
      sendTime: new Date(this.now()).toISOString(),
      agentId: `${agent.id}@rbm.goog`,
    };
    this.post({ ...base, ...said }, { type: 'message', message_type: 'TEXT' }, 'message');
    this.changed();
  }

  /** An event of a phone, such as that a message was read. */
  report(eventType: string, phone: string, messageId?: string): void {
    const isOfPlatform = eventType.startsWith('TTL_');
    this.post(
      {
        ...(isOfPlatform ? { phoneNumber: phone } : { senderPhoneNumber: phone }),
        ...{ eventType, eventId: newEventId(), sendTime: new Date(this.now()).toISOString() },
        ...(messageId !== undefined && { messageId }),
        agentId: `${this.agent.id}@rbm.goog`,
      },
      { type: 'event', event_type: eventType },
      eventType,
    );
  }

  post(payload: JsonObject, attributes: Record<string, string>, summary: string): void {
    const { id, webhookUrl, clientToken } = this.agent;
    if (webhookUrl === null) return;
    this.sender.send({
      target: { url: webhookUrl, appSecret: clientToken, sign: signDelivery },
      payload: wrapPayload(payload, id, attributes),
      summary,
    });
  }

  launch(state: LaunchState): void {
    const { id, launch: old } = this.agent;
    this.agent.launch = state;
    this.post(
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

  phones(): string[] {
    return [...this.#phones.keys()];
  }

  entriesOf(phone: string): readonly PhoneEntry[] {
    return this.#phones.get(phone) ?? [];
  }

  reset(): void {
    for (const timer of this.#timers) clearTimeout(timer);
    for (const kept of [
      this.messages,
      this.testers,
      this.files,
      this.#phones,
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
    this.agent = { ...sandboxAgent, webhookUrl: this.#initialUrl, isRevoked: false, mayManage: true };
    this.#invitations = [];
    this.changed();
  }

  close(): void {
    for (const timer of this.#timers) clearTimeout(timer);
    this.sender.close();
  }

  /** Made when it is first needed: a key takes a while. */
  #account() {
    return (this.#serviceAccount ??= createServiceAccount());
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
      this.#entriesOf(message.phone).push({ direction: 'in', at: this.now(), message });
      if (this.phoneBehaviour(message.phone) !== 'silent')
        this.report('DELIVERED', message.phone, message.messageId);
      this.changed();
      if (isRead) this.#after(statusDelayMs, () => this.read(message));
    });
  }

  /** The customer looks at a message that the phone has. */
  read(message: AgentMessage): void {
    if (message.state !== 'delivered') return;
    message.state = 'read';
    this.stats.read += 1;
    if (this.phoneBehaviour(message.phone) !== 'silent')
      this.report('READ', message.phone, message.messageId);
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
          message.phone,
          message.messageId,
        );
      this.changed();
    });
  }

  #entriesOf(phone: string): PhoneEntry[] {
    const entries = this.#phones.get(phone) ?? [];
    this.#phones.set(phone, entries);
    return entries;
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

/** What a message offers to tap, in the order in which the phone shows it. */
export function suggestionsOf({ content }: AgentMessage): JsonObject[] {
  const card = objectOf(content['richCard']);
  const standalone = objectOf(objectOf(card['standaloneCard'])['cardContent']);
  const carousel = objectOf(card['carouselCard'])['cardContents'];
  const parts = [standalone, ...(Array.isArray(carousel) ? carousel.map(objectOf) : []), content];
  return parts.flatMap(({ suggestions }) => (Array.isArray(suggestions) ? suggestions.map(objectOf) : []));
}
