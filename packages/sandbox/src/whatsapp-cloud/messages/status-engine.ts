import type { JsonObject } from '../../core/json.ts';
import { seededRandom } from '../../core/seeded-random.ts';
import type { OutgoingWebhook } from '../../core/webhook-sender.ts';
import type { Behaviour } from '../behaviour.ts';
import { statusError } from '../errors.ts';
import type { MessageIds } from '../ids.ts';
import { messageStates, recipientKey, type LedgerEntry, type MessageLedger } from './message-ledger.ts';
import {
  DELIVERED,
  FAILED,
  PLAYED,
  PRICED,
  READ,
  SENT,
  shufflePairs,
  stepsOf,
  type StatusPlan,
} from './status-steps.ts';
import type { People } from '../people.ts';
import type { Store } from '../store.ts';
import { wrapMessagesChange } from '../webhook-payloads.ts';

const SLOTS = 16;
const TICK_MS = 10;

interface StatusParts {
  ledger: MessageLedger;
  messageIds: MessageIds;
  store: Store;
  behaviour: () => Behaviour;
  people: People;
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
  /** People who tell no business that they read. */
  #silent = new Set<string>();
  /** Messages that were read by hand: what was planned for them is over. */
  #readByHand = new Set<number>();

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

  isOnline(digits: string): boolean {
    return !this.#offline.has(digits);
  }

  /** Phones that keep for themselves what was read tell none of it. */
  tellsReading(digits: string): boolean {
    return !this.#silent.has(digits);
  }

  setTellsReading(digits: string, tells: boolean): void {
    if (tells) this.#silent.delete(digits);
    else this.#silent.add(digits);
  }

  /** The person opened the chat, or played a voice message. Tells it at once; false when nothing was left to tell. */
  seeNow(index: number, state: 'read' | 'played'): boolean {
    const { ledger } = this.#parts;
    const entry = ledger.get(index);
    const next = state === 'read' ? READ : PLAYED;
    const reached = entry ? messageStates.indexOf(entry.state) : FAILED;
    if (!entry || reached >= next || reached < DELIVERED) return false;
    if (!this.tellsReading(this.#parts.people.phoneOf(entry.recipient))) return false;
    this.#readByHand.add(index);
    const now = Date.now();
    for (const step of reached < READ ? [READ, PLAYED] : [PLAYED]) {
      if (step > next) break;
      ledger.raiseState(index, step);
      ledger.openStatuses(index, 1);
      this.counts[messageStates[step] as keyof typeof this.counts]++;
      this.#due.push(index * SLOTS + step, now);
    }
    this.#parts.onStateChange();
    this.#parts.pump();
    return true;
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
    this.#silent.clear();
    this.#readByHand.clear();
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
        if (this.#isOver(Math.floor(event / SLOTS), state)) {
          this.#parts.ledger.closeStatus(Math.floor(event / SLOTS));
          continue;
        }
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

  /** Nobody hears of it: the person tells no reading, or it was told by hand. */
  #isOver(index: number, state: number): boolean {
    if (state !== READ && state !== PLAYED) return false;
    if (this.#readByHand.has(index)) return true;
    if (this.#silent.size === 0) return false;
    const entry = this.#parts.ledger.get(index);
    return entry !== undefined && !this.tellsReading(this.#parts.people.phoneOf(entry.recipient));
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
    const { people } = this.#parts;
    const name = people.nameOf(people.phoneOf(recipient));
    return {
      ...(name === undefined ? {} : { profile: { name } }),
      ...(this.#isHidden(recipient) ? {} : { wa_id: people.waIdOf(recipient) }),
      user_id: this.#userIdOf(recipient),
    };
  }

  #isHidden(recipient: string): boolean {
    return isUserId(recipient) || this.#parts.people.hidesNumber(recipient);
  }

  #userIdOf(recipient: string): string {
    return isUserId(recipient) ? recipient : this.#parts.people.userIdOf(recipient);
  }

  #statusOf(entry: LedgerEntry, kind: number, timestamp: number): JsonObject {
    const state = kind % PRICED;
    const hidesNumber = this.#isHidden(entry.recipient);
    const [, category = 'service', pricing = 'regular'] = entry.kind.split('|');
    const behaviour = this.#parts.behaviour();
    const userId = this.#userIdOf(entry.recipient);
    const hasUserId = state !== FAILED || hidesNumber;
    return {
      id: this.#parts.messageIds.idOf(entry.index, entry.recipient),
      status: messageStates[state],
      timestamp: String(Math.floor(timestamp / 1000)),
      ...(hidesNumber ? {} : { recipient_id: this.#parts.people.waIdOf(entry.recipient) }),
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
