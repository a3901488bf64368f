import { RecentList } from '../core/recent-list.ts';
import type { JsonObject } from '../core/json.ts';
import { WebhookSender } from '../core/webhook-sender.ts';
import { defaultBehaviour, type Behaviour } from './behaviour.ts';
import { Conversations } from './messages/conversations.ts';
import { MessageIds } from './ids.ts';
import { HeldAnswers } from './messages/held-answers.ts';
import { MessageLedger } from './messages/message-ledger.ts';
import { People } from './people.ts';
import { spellAsPlatform } from './spellings.ts';
import { seedMedia } from './sample-files.ts';
import { sampleIds, seedStore } from './seed.ts';
import { SendLimits } from './messages/send-limits.ts';
import { StatusEngine } from './messages/status-engine.ts';
import { Store, type Account, type BusinessNumber } from './store.ts';
import { wrapAccountChange, wrapMessagesChange } from './webhook-payloads.ts';

export interface CallRecord {
  at: number;
  method: string;
  path: string;
  status: number;
  milliseconds: number;
  request: string;
  response: string;
}

/** An error waiting for the next calls to an endpoint. */
export interface QueuedError {
  code: number;
  remaining: number;
  /** `messages`, `media`, `message_templates`, … or `*`. */
  endpoint: string;
  /** Instead of an error of the platform: what a broken network or proxy does. */
  kind: 'error' | 'cut' | 'hang' | 'garbage' | 'accept-then-cut';
}

export interface PlatformOptions {
  callbackUrl: string | null;
  behaviour?: Partial<Behaviour> | undefined;
}

/** All state of the pretended WhatsApp Cloud API, wired together. */
export class Platform {
  readonly store = new Store();
  readonly messageIds = new MessageIds();
  readonly conversations = new Conversations();
  readonly people = new People((digits) => spellAsPlatform(digits, this.behaviour.otherSpellings));
  readonly ledger = new MessageLedger(() => this.behaviour.record);
  readonly calls = new RecentList<CallRecord>(300);
  readonly rejectedByCode: Record<string, number> = {};
  readonly magicTries = new Map<string, number>();
  readonly freeServiceUsed = new Map<string, number>();
  readonly answers = new HeldAnswers();
  readonly sender: WebhookSender;
  readonly statuses: StatusEngine;
  behaviour: Behaviour;
  queuedErrors: QueuedError[] = [];
  /** Where it listens, for addresses in webhooks; null while it has no port. */
  origin: string | null = null;
  /** Grows with every change that the page shows. */
  version = 1;
  readonly #limits = new Map<string, SendLimits>();
  readonly #timers = new Set<NodeJS.Timeout>();
  readonly #options: PlatformOptions;
  #isClosed = false;

  constructor(options: PlatformOptions) {
    this.#options = options;
    this.behaviour = { ...defaultBehaviour, ...options.behaviour };
    this.sender = new WebhookSender(
      () => ({
        concurrency: this.behaviour.webhookConcurrency,
        timeoutMs: this.behaviour.webhookTimeoutMs,
        retryBaseMs: this.behaviour.webhookRetryBaseMs,
        retryCapMs: this.behaviour.webhookRetryCapMs,
        duplicateRate: this.behaviour.duplicateRate,
        reorder: this.behaviour.reorder,
        signature: this.behaviour.appSecretChanged ? 'wrong' : this.behaviour.webhookSignature,
      }),
      Math.random,
    );
    this.statuses = new StatusEngine({
      ledger: this.ledger,
      messageIds: this.messageIds,
      store: this.store,
      behaviour: () => this.behaviour,
      people: this.people,
      onStateChange: () => this.changed(),
      pump: () => this.sender.pump(),
    });
    this.sender.addSource(this.statuses.takeWebhook);
    seedStore(this.store, options.callbackUrl);
    seedMedia(this.store, sampleIds.number);
  }

  changed(): void {
    this.version++;
  }

  limitsOf(numberId: string): SendLimits {
    let limits = this.#limits.get(numberId);
    if (!limits) {
      limits = new SendLimits();
      this.#limits.set(numberId, limits);
    }
    return limits;
  }

  get maxInAnySecond(): number {
    return Math.max(0, ...[...this.#limits.values()].map((limits) => limits.arrivals.max));
  }

  countRejected(code: number): void {
    this.rejectedByCode[code] = (this.rejectedByCode[code] ?? 0) + 1;
    this.changed();
  }

  /** Takes one queued error that concerns this endpoint. */
  takeQueuedError(endpoint: string): QueuedError | undefined {
    if (this.queuedErrors.length === 0) return undefined;
    const queued = this.queuedErrors.find((item) => item.endpoint === '*' || item.endpoint === endpoint);
    if (!queued) return undefined;
    queued.remaining--;
    if (queued.remaining <= 0) this.queuedErrors = this.queuedErrors.filter((item) => item !== queued);
    this.changed();
    return queued;
  }

  /** `onDelivered` is called when the product took it. */
  sendNumberWebhook(
    number: BusinessNumber,
    field: string,
    value: JsonObject,
    summary: string,
    onDelivered?: () => void,
  ): void {
    const account = this.store.accounts.get(number.accountId);
    const target = account && this.store.targetFor(account, field, number);
    const payload = wrapMessagesChange(number, field, value);
    if (target) this.sender.send({ target, payload, summary, ...(onDelivered ? { onDelivered } : {}) });
    this.changed();
  }

  sendAccountWebhook(account: Account, field: string, value: JsonObject, summary: string): void {
    const target = this.store.targetFor(account, field);
    if (target) this.sender.send({ target, payload: wrapAccountChange(account, field, value), summary });
    this.changed();
  }

  /** Runs later unless the sandbox is reset or closed before. */
  later(delayMs: number, act: () => void): void {
    const timer = setTimeout(() => {
      this.#timers.delete(timer);
      if (!this.#isClosed) act();
    }, delayMs);
    this.#timers.add(timer);
  }

  /** Back to the seeded state. The webhook addresses of the apps stay, as the product is still there. */
  reset(): void {
    const apps = [...this.store.apps.values()];
    this.#stopTimers();
    this.store.clear();
    seedStore(this.store, this.#options.callbackUrl);
    seedMedia(this.store, sampleIds.number);
    for (const before of apps) {
      const app = this.store.apps.get(before.id);
      if (app) Object.assign(app, before);
    }
    this.behaviour = { ...defaultBehaviour, ...this.#options.behaviour };
    this.queuedErrors = [];
    this.statuses.clear();
    this.sender.clear();
    this.ledger.clear();
    this.conversations.clear();
    this.people.clear();
    this.calls.clear();
    this.magicTries.clear();
    this.freeServiceUsed.clear();
    this.#limits.clear();
    for (const code of Object.keys(this.rejectedByCode)) delete this.rejectedByCode[code];
    this.changed();
  }

  close(): void {
    this.#isClosed = true;
    this.#stopTimers();
    this.statuses.clear();
    this.sender.close();
  }

  #stopTimers(): void {
    for (const timer of this.#timers) clearTimeout(timer);
    this.#timers.clear();
  }
}
