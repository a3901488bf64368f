import type { JsonObject } from '../../core/json.ts';
import { seededRandom } from '../../core/seeded-random.ts';
import type { OutgoingWebhook } from '../../core/webhook-sender.ts';
import type { Behaviour } from '../behaviour.ts';
import { statusError } from '../errors.ts';
import { userIdOf, type MessageIds } from '../ids.ts';
import { magicEffectOf, type MagicEffect } from '../magic-numbers.ts';
import { messageStates, recipientKey, type LedgerEntry, type MessageLedger } from './message-ledger.ts';
import type { Store } from '../store.ts';
import { wrapMessagesChange } from '../webhook-payloads.ts';

const SENT = 1;
const DELIVERED = 2;
const READ = 3;
const PLAYED = 4;
const FAILED = 5;
// State and a mark for "first status after sent", which alone carries the price besides `sent`.
const PRICED = 8;
const SLOTS = 16;
const TICK_MS = 10;

export interface StatusPlan {
  index: number;
  turn: number;
  recipient: string;
  effect: MagicEffect | undefined;
  /** 0: it does not fail. */
  failCode: number;
  isVoice: boolean;
}

interface StatusParts {
  ledger: MessageLedger;
  messageIds: MessageIds;
  store: Store;
  behaviour: () => Behaviour;
  profileName: (digits: string) => string | undefined;
  onStateChange: () => void;
  pump: () => void;
}

/**
 * Plans what becomes of each accepted message and hands the statuses out in webhooks as they fall due. A waiting
 * status is two numbers; nothing is rendered before there is room to send it.
 */
export class StatusEngine {
  readonly counts = { sent: 0, delivered: 0, read: 0, played: 0, failed: 0, acknowledged: 0, discarded: 0 };
  readonly #parts: StatusParts;
  #wheel = new Map<number, number[]>();
  #nextTick = 0;
  #scheduled = 0;
  #due: number[] = [];
  #dueHead = 0;
  #timer: NodeJS.Timeout | undefined;
  #offline = new Map<string, [event: number, delay: number][]>();

  constructor(parts: StatusParts) {
    this.#parts = parts;
  }

  /** Statuses that have not left yet. */
  get pending(): number {
    return this.#scheduled + (this.#due.length - this.#dueHead) / 2;
  }

  plan(plan: StatusPlan): void {
    const behaviour = this.#parts.behaviour();
    const key = Math.abs(recipientKey(plan.recipient));
    const random = seededRandom(behaviour.seed, key, plan.turn);
    const steps = stepsOf(plan, behaviour, random);
    if (steps.length === 0) return;
    this.#parts.ledger.openStatuses(plan.index, steps.length);
    const waiting = this.#offline.get(plan.recipient);
    const start = Date.now();
    for (const [kind, delay, logicalDelay = delay] of steps) {
      const event = plan.index * SLOTS + kind;
      if (waiting && kind % PRICED !== SENT) waiting.push([event, delay]);
      else this.#schedule(event, start + delay, start + logicalDelay);
    }
    this.#run();
  }

  /** A person without network: messages stay at `sent` until they are back. */
  setOnline(digits: string, isOnline: boolean): void {
    const waiting = this.#offline.get(digits);
    if (!isOnline) {
      if (!waiting) this.#offline.set(digits, []);
      return;
    }
    this.#offline.delete(digits);
    const now = Date.now();
    for (const [event, delay] of waiting ?? []) this.#schedule(event, now + delay / 10, now + delay / 10);
    this.#run();
  }

  /** The next webhook of due statuses; those of one business number go together. */
  readonly takeWebhook = (): OutgoingWebhook | undefined => {
    const { ledger, store } = this.#parts;
    const batch = Math.max(1, this.#parts.behaviour().statusBatch);
    while (this.#dueHead < this.#due.length) {
      const first = ledger.get(this.#indexAt(this.#dueHead));
      const number = first && store.numbers.get(first.numberId);
      const account = number && store.accounts.get(number.accountId);
      const target = account && store.targetFor(account, 'messages', number);
      if (!first || !number || !target) {
        this.#discardFirst();
        continue;
      }
      const entries: [LedgerEntry, number, number][] = [];
      const indexes: number[] = [];
      while (this.#dueHead < this.#due.length && entries.length < batch) {
        const entry = ledger.get(this.#indexAt(this.#dueHead));
        if (entry && entry.numberId !== number.id) break;
        if (entry)
          entries.push([entry, (this.#due[this.#dueHead] ?? 0) % SLOTS, this.#due[this.#dueHead + 1] ?? 0]);
        indexes.push(this.#indexAt(this.#dueHead));
        this.#dueHead += 2;
      }
      this.#compactDue();
      const value = this.#valueOf(entries);
      for (const index of indexes) ledger.closeStatus(index);
      return {
        target,
        payload: wrapMessagesChange(number, 'messages', value),
        summary: `messages: ${entries.length} ${entries.length === 1 ? 'status' : 'statuses'}`,
        onDelivered: () => {
          this.counts.acknowledged += entries.length;
        },
      };
    }
    return undefined;
  };

  clear(): void {
    this.#wheel.clear();
    this.#offline.clear();
    this.#scheduled = 0;
    this.#due = [];
    this.#dueHead = 0;
    clearInterval(this.#timer);
    this.#timer = undefined;
    Object.assign(this.counts, {
      sent: 0,
      delivered: 0,
      read: 0,
      played: 0,
      failed: 0,
      acknowledged: 0,
      discarded: 0,
    });
  }

  #schedule(event: number, dueAt: number, timestamp: number): void {
    const tick = Math.max(Math.ceil(dueAt / TICK_MS), this.#nextTick);
    const slot = this.#wheel.get(tick);
    if (slot) slot.push(event, timestamp);
    else this.#wheel.set(tick, [event, timestamp]);
    this.#scheduled++;
  }

  #run(): void {
    if (this.#timer) return;
    this.#nextTick = Math.floor(Date.now() / TICK_MS);
    this.#timer = setInterval(() => this.#advance(), TICK_MS);
  }

  #advance(): void {
    const until = Math.floor(Date.now() / TICK_MS);
    const behaviour = this.#parts.behaviour();
    let hasNews = false;
    for (; this.#nextTick <= until; this.#nextTick++) {
      const slot = this.#wheel.get(this.#nextTick);
      if (!slot) continue;
      this.#wheel.delete(this.#nextTick);
      this.#scheduled -= slot.length / 2;
      if (behaviour.reorder > 0) shufflePairs(slot, behaviour.reorder);
      for (let i = 0; i < slot.length; i += 2) {
        const event = slot[i] ?? 0;
        const state = (event % SLOTS) % PRICED;
        this.#parts.ledger.raiseState(Math.floor(event / SLOTS), state);
        this.counts[messageStates[state] as keyof typeof this.counts]++;
        this.#due.push(event, slot[i + 1] ?? 0);
      }
      hasNews = true;
    }
    if (hasNews) {
      this.#parts.onStateChange();
      this.#parts.pump();
    }
    if (this.#scheduled === 0) {
      clearInterval(this.#timer);
      this.#timer = undefined;
    }
  }

  #indexAt(position: number): number {
    return Math.floor((this.#due[position] ?? 0) / SLOTS);
  }

  #discardFirst(): void {
    this.#parts.ledger.closeStatus(this.#indexAt(this.#dueHead));
    this.counts.discarded++;
    this.#dueHead += 2;
    this.#compactDue();
  }

  #compactDue(): void {
    if (this.#dueHead < 65_536 && this.#dueHead < this.#due.length) return;
    this.#due.splice(0, this.#dueHead);
    this.#dueHead = 0;
  }

  #valueOf(entries: [LedgerEntry, number, number][]): JsonObject {
    const contacts = new Map<string, JsonObject>();
    const statuses = entries.map(([entry, kind, timestamp]) => {
      if (kind % PRICED !== FAILED && !contacts.has(entry.recipient)) {
        contacts.set(entry.recipient, this.#contactOf(entry.recipient));
      }
      return this.#statusOf(entry, kind, timestamp);
    });
    return { ...(contacts.size > 0 ? { contacts: [...contacts.values()] } : {}), statuses };
  }

  #contactOf(recipient: string): JsonObject {
    const name = this.#parts.profileName(recipient);
    const hidesNumber = isUserId(recipient) || magicEffectOf(recipient)?.hidesNumber;
    return {
      ...(name === undefined ? {} : { profile: { name } }),
      ...(hidesNumber ? {} : { wa_id: recipient }),
      user_id: isUserId(recipient) ? recipient : userIdOf(recipient),
    };
  }

  #statusOf(entry: LedgerEntry, kind: number, timestamp: number): JsonObject {
    const state = kind % PRICED;
    const hidesNumber = isUserId(entry.recipient) || magicEffectOf(entry.recipient)?.hidesNumber;
    const [, category = 'service', pricing = 'regular'] = entry.kind.split('|');
    const behaviour = this.#parts.behaviour();
    const userId = isUserId(entry.recipient) ? entry.recipient : userIdOf(entry.recipient);
    const hasUserId = state !== FAILED || hidesNumber;
    return {
      id: this.#parts.messageIds.idOf(entry.index, entry.recipient),
      status: messageStates[state],
      timestamp: String(Math.floor(timestamp / 1000)),
      ...(hidesNumber ? {} : { recipient_id: entry.recipient }),
      ...(hasUserId ? { recipient_user_id: userId } : {}),
      ...(entry.tag === '' ? {} : { biz_opaque_callback_data: entry.tag }),
      ...(kind >= PRICED && behaviour.webhookVersion < 24
        ? { conversation: conversationOf(entry, category, state) }
        : {}),
      ...(kind >= PRICED
        ? { pricing: { billable: pricing === 'regular', pricing_model: 'PMP', type: pricing, category } }
        : {}),
      ...(state === FAILED ? { errors: [statusError(entry.failCode)] } : {}),
    };
  }
}

/** `logicalDelay` is what the timestamp says when the webhook leaves out of order. */
type Step = [kind: number, delay: number, logicalDelay?: number];

function stepsOf(plan: StatusPlan, behaviour: Behaviour, random: () => number): Step[] {
  const scale = behaviour.statusDelayMs === null ? 1 : behaviour.statusDelayMs / 500;
  const sentAt = (200 + random() * 600) * scale;
  const deliveredAt = sentAt + (500 + random() * 2500) * scale;
  const readAt = deliveredAt + (2000 + random() * 4000) * scale;
  const isDelivered = random() < behaviour.deliveredRate;
  const isRead = random() < behaviour.readRate;
  const pattern = plan.effect?.statuses;
  if (plan.failCode !== 0) return [[FAILED, sentAt]];
  if (pattern === 'none') return [];
  const sent: Step = [SENT + PRICED, sentAt];
  const delivered: Step = [DELIVERED + PRICED, deliveredAt];
  if (pattern === 'sent-only') return [sent];
  if (pattern === 'read-without-delivered') return [sent, [READ + PRICED, deliveredAt]];
  if (pattern === 'reversed-and-doubled') {
    const reversed: Step[] = [
      [READ, sentAt, readAt],
      [DELIVERED + PRICED, sentAt + 600 * scale, deliveredAt],
      [SENT + PRICED, sentAt + 1200 * scale, sentAt],
    ];
    return reversed.flatMap(([kind, delay, at = delay]): Step[] => [
      [kind, delay, at],
      [kind, delay + 300 * scale, at],
    ]);
  }
  const steps: Step[] = isDelivered || plan.effect ? [sent, delivered] : [sent];
  if (steps.length > 1 && isRead) {
    steps.push([READ, readAt]);
    if (plan.isVoice) steps.push([PLAYED, readAt + 1000 * scale]);
  }
  if (behaviour.reorder > 0 && random() < behaviour.reorder) {
    const delays = steps.map(([, delay]) => delay).reverse();
    return steps.map(([kind, delay], position) => [kind, delays[position] ?? 0, delay]);
  }
  return steps;
}

/** Fisher–Yates over (event, timestamp) pairs, for a share of them. */
function shufflePairs(slot: number[], share: number): void {
  for (let i = slot.length - 2; i > 0; i -= 2) {
    if (Math.random() >= share) continue;
    const j = 2 * Math.floor((Math.random() * (i + 2)) / 2);
    for (const offset of [0, 1]) {
      const kept = slot[i + offset] ?? 0;
      slot[i + offset] = slot[j + offset] ?? 0;
      slot[j + offset] = kept;
    }
  }
}

function conversationOf(entry: LedgerEntry, category: string, state: number): JsonObject {
  return {
    id: `${recipientKey(entry.recipient).toString(16)}${Math.floor(entry.acceptedAt / 86_400_000).toString(16)}`,
    ...(state === SENT ? { expiration_timestamp: String(Math.floor(entry.acceptedAt / 1000) + 86_400) } : {}),
    origin: { type: category },
  };
}

function isUserId(recipient: string): boolean {
  return !/^\d+$/.test(recipient);
}
