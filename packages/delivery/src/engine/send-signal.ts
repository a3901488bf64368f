import type { CancelSignal } from '@app/domain/messaging/channel-port';

/** One signal for every call of a sender; lighter than an AbortSignal with thousands of listeners. */
export class SendSignal implements CancelSignal {
  aborted = false;
  readonly #listeners = new Set<() => void>();

  addEventListener(_type: 'abort', listener: () => void): void {
    this.#listeners.add(listener);
  }

  removeEventListener(_type: 'abort', listener: () => void): void {
    this.#listeners.delete(listener);
  }

  abort(): void {
    this.aborted = true;
    for (const listener of [...this.#listeners]) listener();
    this.#listeners.clear();
  }
}
