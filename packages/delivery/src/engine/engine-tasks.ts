import type { DeliveryClock, DeliveryLogger } from '../delivery-host.ts';

/**
 * What an engine does by and by. Every asynchronous act of it begins here, so that after `close` none begins any more and those under
 * way can be waited for. An act that fails is logged and ends nothing else.
 */
export class EngineTasks {
  readonly #clock: DeliveryClock;
  readonly #logger: DeliveryLogger;
  readonly #running = new Set<Promise<void>>();
  readonly #timers = new Set<() => void>();
  #isClosed = false;

  constructor(clock: DeliveryClock, logger: DeliveryLogger) {
    this.#clock = clock;
    this.#logger = logger;
  }

  get isClosed(): boolean {
    return this.#isClosed;
  }

  /** Resolves when the act ended, well or not; at once when nothing may begin any more. */
  async begin(failure: string, act: () => Promise<void>): Promise<void> {
    if (this.#isClosed) return;
    const running = act().catch((error: unknown) => this.#logger.warn(failure, { error: String(error) }));
    this.#running.add(running);
    await running;
    this.#running.delete(running);
  }

  beginAfter(ms: number, failure: string, act: () => Promise<void>): void {
    if (this.#isClosed) return;
    const cancel = this.#clock.after(ms, () => {
      this.#timers.delete(cancel);
      void this.begin(failure, act);
    });
    this.#timers.add(cancel);
  }

  /** Again and again, `ms` after the last time ended. */
  repeat(ms: number, failure: string, act: () => Promise<void>): void {
    this.beginAfter(ms, failure, async () => {
      try {
        await act();
      } finally {
        this.repeat(ms, failure, act);
      }
    });
  }

  /** From now on nothing begins. */
  close(): void {
    this.#isClosed = true;
    for (const cancel of this.#timers) cancel();
    this.#timers.clear();
  }

  /** Waits for what is under way, for `ms` at most: a database that does not answer must not keep the process. */
  async settle(ms: number): Promise<void> {
    let cancel = (): void => undefined;
    const tooLong = new Promise<void>((resolve) => {
      cancel = this.#clock.after(ms, resolve);
    });
    await Promise.race([Promise.allSettled(this.#running), tooLong]);
    cancel();
  }
}
