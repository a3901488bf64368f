import { databaseCode } from '@app/database/query-error';
import type { Fence } from './claim-recipients.ts';
import type { DeliveryClock, DeliveryLogger } from '../delivery-host.ts';
import { settleRecipients, type SettledRecipient } from './settle-recipients.ts';
import type { Slice } from './run-work.ts';
import type { SqlClient } from '../sql-client.ts';

export type TrackedResult = SettledRecipient & { slice: Slice | null };

export type ResultBufferOptions = {
  client: SqlClient;
  fence: Fence;
  clock: DeliveryClock;
  logger: DeliveryLogger;
  /** Called after the commit. */
  onSettled(runNo: number, settled: readonly TrackedResult[]): void;
};

const flushAtCount = 1_000;
const flushAfterMs = 100;
const longestRetryMs = 2_000;

/** Collects results and writes them in batches; what could not be written is kept and tried again, and what the database refuses is taken apart. */
export class ResultBuffer {
  readonly #options: ResultBufferOptions;
  #byRun = new Map<number, TrackedResult[]>();
  #count = 0;
  #waiting = 0;
  #writing = 0;
  #cancelTimer: (() => void) | undefined;
  #isDropped = false;
  #lastWrite: Promise<void> = Promise.resolve();

  constructor(options: ResultBufferOptions) {
    this.#options = options;
  }

  /** Two batches wait: no more recipients should be claimed. */
  get isFull(): boolean {
    return this.#waiting + this.#count >= 2 * flushAtCount;
  }

  get isEmpty(): boolean {
    return this.#waiting + this.#writing + this.#count === 0;
  }

  add(runNo: number, settled: TrackedResult): void {
    if (this.#isDropped) return;
    const results = this.#byRun.get(runNo);
    if (results) results.push(settled);
    else this.#byRun.set(runNo, [settled]);
    this.#count += 1;
    if (this.#count >= flushAtCount) void this.flush();
    else this.#cancelTimer ??= this.#options.clock.after(flushAfterMs, () => void this.flush());
  }

  /** Writes all that was added before; resolves when it is committed or the buffer was dropped. */
  flush(): Promise<void> {
    this.#cancelTimer?.();
    this.#cancelTimer = undefined;
    const batch = this.#byRun;
    this.#byRun = new Map();
    this.#waiting += this.#count;
    this.#count = 0;
    const previous = this.#lastWrite;
    this.#lastWrite = (async () => {
      await previous;
      for (const [runNo, settled] of batch) await this.#write(runNo, settled);
    })();
    return this.#lastWrite;
  }

  /** Another sender took over: nothing of ours may be written any more. */
  drop(): void {
    this.#isDropped = true;
    this.#cancelTimer?.();
    this.#byRun.clear();
    this.#count = 0;
  }

  async #write(runNo: number, settled: readonly TrackedResult[]): Promise<void> {
    this.#waiting -= settled.length;
    this.#writing += settled.length;
    await this.#store(runNo, settled);
    this.#writing -= settled.length;
  }

  /**
   * Tries again for as long as the database has trouble of its own. A batch whose values it refuses is stored in halves, so that one result
   * keeps no other from being stored. A single refused result is stored as in doubt: a member decides, as with an answer that cannot be read.
   */
  async #store(runNo: number, settled: readonly TrackedResult[]): Promise<void> {
    const { client, fence, clock, logger, onSettled } = this.#options;
    for (let waitMs = 50; !this.#isDropped; waitMs = Math.min(waitMs * 2, longestRetryMs)) {
      try {
        await settleRecipients(client, runNo, fence, settled);
        if (!this.#isDropped) onSettled(runNo, settled);
        return;
      } catch (error) {
        const [first] = settled;
        const details = { runNo, count: settled.length, error: String(error) };
        if (isRefused(error) && settled.length > 1) {
          logger.warn('Results were refused and are stored in halves', details);
          const half = Math.ceil(settled.length / 2);
          await this.#store(runNo, settled.slice(0, half));
          return this.#store(runNo, settled.slice(half));
        }
        if (isRefused(error) && first && first.settlement !== unreadable) {
          logger.error('A result was refused and is in doubt', { ...details, seq: first.seq });
          return this.#store(runNo, [{ ...first, settlement: unreadable, giveBack: null }]);
        }
        logger.warn('Results could not be written and are kept', details);
        await new Promise<void>((resolve) => clock.after(waitMs, resolve));
      }
    }
  }
}

const unreadable = { to: 'unknown', code: 'response_unreadable', detail: null } as const;

/** Twice the same row (21), a value that no column takes (22) or a rule of the tables (23): the same again would be refused again. */
function isRefused(error: unknown): boolean {
  return /^2[123]/.test(databaseCode(error) ?? '');
}
