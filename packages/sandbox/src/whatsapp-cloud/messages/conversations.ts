import type { JsonObject } from '../../core/json.ts';
import { RecentList } from '../../core/recent-list.ts';
import type { Template } from '../store.ts';

export interface ChatEntry {
  at: number;
  direction: 'out' | 'in' | 'note';
  numberId: string;
  user: string;
  /** Ledger index of an outgoing message, whose state the page shows. */
  index: number | null;
  messageId: string | null;
  message: JsonObject;
  /** As it was when the message was sent. */
  template: Pick<Template, 'components' | 'category'> | null;
}

/** What the phones on the page show, and when each 24-hour window was opened. */
export class Conversations {
  readonly entries = new RecentList<ChatEntry>(3000);
  readonly names = new Map<string, string>();
  /** Marketing stopped by the person, inside the app. */
  readonly optedOut = new Set<string>();
  #lastInbound = new Map<string, number>();

  noteInbound(numberId: string, user: string, at: number): void {
    this.#lastInbound.set(`${numberId}/${user}`, at);
    if (this.#lastInbound.size > 200_000) this.#forgetClosed();
  }

  isWindowOpen(numberId: string, user: string, now = Date.now()): boolean {
    return now - (this.#lastInbound.get(`${numberId}/${user}`) ?? Number.NEGATIVE_INFINITY) < DAY_MS;
  }

  closeWindow(numberId: string, user: string): void {
    this.#lastInbound.delete(`${numberId}/${user}`);
  }

  clear(): void {
    this.entries.clear();
    this.names.clear();
    this.optedOut.clear();
    this.#lastInbound.clear();
  }

  #forgetClosed(): void {
    const now = Date.now();
    for (const [key, at] of this.#lastInbound) if (now - at >= DAY_MS) this.#lastInbound.delete(key);
  }
}

const DAY_MS = 24 * 3_600_000;
