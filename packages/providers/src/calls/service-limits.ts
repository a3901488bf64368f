import type { CancelSignal } from '@app/domain/messaging/channel-port';
import type { CallLimit } from '@app/domain/network/outgoing-calls';

export class CallCancelled extends Error {
  override name = 'CallCancelled';
}

/** Rejects with `CallCancelled` when the signal is aborted. */
export type Pause = (ms: number, signal?: CancelSignal) => Promise<void>;

export const waitFor: Pause = (ms, signal) =>
  new Promise((resolve, reject) => {
    const over = () => {
      clearTimeout(timer);
      signal?.removeEventListener('abort', giveUp);
    };
    const giveUp = () => {
      over();
      reject(new CallCancelled());
    };
    const timer = setTimeout(() => {
      over();
      resolve();
    }, ms);
    if (signal?.aborted) giveUp();
    else signal?.addEventListener('abort', giveUp);
  });

type Service = {
  /** Earliest start of the next call by the rate, in milliseconds of the clock. */
  nextAt: number;
  /** The service asked for a pause until then. */
  pausedUntil: number;
  open: number;
  waiting: (() => void)[];
  usedAt: number;
};

export type Turn = { outcome: 'begun'; end(): void } | { outcome: 'too_long'; waitMs: number };

const FORGET_AFTER_MS = 10 * 60_000;
const MOST_REMEMBERED = 10_000;

/** Rates, calls in flight and pauses by service, in the memory of this process. */
export class ServiceLimits {
  readonly #services = new Map<string, Service>();
  readonly #now: () => number;
  readonly #pause: Pause;

  constructor(now: () => number, pause: Pause) {
    this.#now = now;
    this.#pause = pause;
  }

  /** Waits for the turn of this call, at most so long. `too_long` takes no place. Rejects when the signal is aborted. */
  async take(
    name: string,
    limit: CallLimit | undefined,
    longestWaitMs: number,
    signal?: CancelSignal,
  ): Promise<Turn> {
    const service = this.#find(name);
    const now = this.#now();
    const startAt = Math.max(service.pausedUntil, limit?.perSecond ? service.nextAt : 0, now);
    if (startAt - now > longestWaitMs) return { outcome: 'too_long', waitMs: startAt - now };
    if (limit?.perSecond) service.nextAt = Math.max(startAt, service.nextAt) + 1000 / limit.perSecond;
    if (startAt > now) await this.#pause(startAt - now, signal);
    const isFree = await this.#enter(service, limit?.atOnce, longestWaitMs - (startAt - now), signal);
    if (!isFree) return { outcome: 'too_long', waitMs: 1000 };
    let hasEnded = false;
    return {
      outcome: 'begun',
      end: () => {
        if (hasEnded) return;
        hasEnded = true;
        const next = service.waiting.shift();
        if (next) next();
        else service.open -= 1;
      },
    };
  }

  /** No call of this service begins before. */
  pauseFor(name: string, ms: number): void {
    const service = this.#find(name);
    service.pausedUntil = Math.max(service.pausedUntil, this.#now() + ms);
  }

  /** A place among the calls in flight; false when none was free in time. Rejects when the signal is aborted. */
  #enter(
    service: Service,
    atOnce: number | undefined,
    longestWaitMs: number,
    signal?: CancelSignal,
  ): Promise<boolean> {
    if (atOnce === undefined || service.open < atOnce) {
      service.open += 1;
      return Promise.resolve(true);
    }
    return new Promise((resolve, reject) => {
      const leave = () => {
        clearTimeout(timer);
        signal?.removeEventListener('abort', onAbort);
        service.waiting = service.waiting.filter((other) => other !== enter);
      };
      const enter = () => {
        leave();
        resolve(true);
      };
      const onAbort = () => {
        leave();
        reject(new CallCancelled());
      };
      const timer = setTimeout(
        () => {
          leave();
          resolve(false);
        },
        Math.max(0, longestWaitMs),
      );
      signal?.addEventListener('abort', onAbort);
      service.waiting.push(enter);
    });
  }

  #find(name: string): Service {
    const now = this.#now();
    let service = this.#services.get(name);
    if (!service) {
      if (this.#services.size >= MOST_REMEMBERED) this.#forget(now);
      service = { nextAt: 0, pausedUntil: 0, open: 0, waiting: [], usedAt: now };
      this.#services.set(name, service);
    }
    service.usedAt = now;
    return service;
  }

  #forget(now: number): void {
    for (const [name, { open, waiting, pausedUntil, usedAt }] of this.#services)
      if (open === 0 && waiting.length === 0 && pausedUntil < now && now - usedAt > FORGET_AFTER_MS)
        this.#services.delete(name);
  }
}
