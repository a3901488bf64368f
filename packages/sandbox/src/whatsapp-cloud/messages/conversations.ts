import type { JsonObject } from '../../core/json.ts';
import { RecentList } from '../../core/recent-list.ts';
import type { Template } from '../store.ts';

export interface ChatEntry {
  at: number;
  direction: 'out' | 'in' | 'note';
  numberId: string;
  /** Digits of the phone, or a user id that no phone is known of. */
  user: string;
  /** Ledger index of an outgoing message, whose state the page shows. */
  index: number | null;
  messageId: string | null;
  message: JsonObject;
  /** As it was when the message was sent. */
  template: Pick<Template, 'components' | 'category'> | null;
  /** How far a message of the customer came: on its way, taken by the business, or read there. */
  state?: 'sent' | 'delivered' | 'read';
}

/** What the phones on the page show, and when each 24-hour window was opened. */
export class Conversations {
  readonly entries = new RecentList<ChatEntry>(3000);
  /** Marketing stopped by the person, inside the app. */
  readonly optedOut = new Set<string>();
  #blocked = new Set<string>();
  #lastInbound = new Map<string, number>();
  #typingUntil = new Map<string, number>();

  noteInbound(numberId: string, user: string, at: number): void {
    this.#lastInbound.set(keyOf(numberId, user), at);
    if (this.#lastInbound.size > 200_000) this.#deleteClosed();
  }

  isWindowOpen(numberId: string, user: string, now = Date.now()): boolean {
    return this.windowEnd(numberId, user) > now;
  }

  /** When the window of this chat closes or closed; 0 when nobody wrote. */
  windowEnd(numberId: string, user: string): number {
    const opened = this.#lastInbound.get(keyOf(numberId, user));
    return opened === undefined ? 0 : opened + DAY_MS;
  }

  closeWindow(numberId: string, user: string): void {
    this.#lastInbound.delete(keyOf(numberId, user));
  }

  /** A line within the chat that no message is. */
  note(numberId: string, user: string, text: string): void {
    this.entries.add({
      at: Date.now(),
      direction: 'note',
      numberId,
      user,
      index: null,
      messageId: null,
      message: { note: text },
      template: null,
    });
  }

  /** The business read this message of the customer, and with it all before. */
  markRead(read: ChatEntry): void {
    let isReached = false;
    for (const entry of this.entries.newestFirst()) {
      if (entry === read) isReached = true;
      const isOfChat = entry.numberId === read.numberId && entry.user === read.user;
      if (!isReached || !isOfChat || entry.direction !== 'in') continue;
      if (entry !== read && entry.state === 'read') return;
      entry.state = 'read';
    }
  }

  /** The indicator goes with the next message, or after 25 seconds. */
  showTyping(numberId: string, user: string, now = Date.now()): void {
    this.#typingUntil.set(keyOf(numberId, user), now + TYPING_MS);
  }

  hideTyping(numberId: string, user: string): void {
    this.#typingUntil.delete(keyOf(numberId, user));
  }

  /** 0 when the business does not type. */
  typingUntil(numberId: string, user: string): number {
    return this.#typingUntil.get(keyOf(numberId, user)) ?? 0;
  }

  block(numberId: string, user: string, isBlocked: boolean): void {
    if (isBlocked) this.#blocked.add(keyOf(numberId, user));
    else this.#blocked.delete(keyOf(numberId, user));
  }

  /** Has the person blocked this business? */
  isBlocked(numberId: string, user: string): boolean {
    return this.#blocked.size > 0 && this.#blocked.has(keyOf(numberId, user));
  }

  /** The chats of a person whose number is another from now on. */
  moveTo(from: string, to: string): void {
    for (const entry of this.entries.newestFirst()) if (entry.user === from) entry.user = to;
    for (const kept of [this.#lastInbound, this.#typingUntil]) {
      for (const [key, value] of kept) {
        if (!key.endsWith(`/${from}`)) continue;
        kept.delete(key);
        kept.set(key.replace(`/${from}`, `/${to}`), value);
      }
    }
    for (const key of this.#blocked) {
      if (!key.endsWith(`/${from}`)) continue;
      this.#blocked.delete(key);
      this.#blocked.add(key.replace(`/${from}`, `/${to}`));
    }
    if (this.optedOut.delete(from)) this.optedOut.add(to);
  }

  clear(): void {
    this.entries.clear();
    this.optedOut.clear();
    this.#blocked.clear();
    this.#lastInbound.clear();
    this.#typingUntil.clear();
  }

  #deleteClosed(): void {
    const now = Date.now();
    for (const [key, at] of this.#lastInbound) if (now - at >= DAY_MS) this.#lastInbound.delete(key);
  }
}

const DAY_MS = 24 * 3_600_000;
const TYPING_MS = 25_000;

function keyOf(numberId: string, user: string): string {
  return `${numberId}/${user}`;
}
