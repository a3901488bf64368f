import { consumePage, findDueConsumers } from './consume-facts.ts';
import { adoptCursors, registerConsumers } from './fact-cursors.ts';
import type { FactConsumer, FactLogParts } from './fact-consumer.ts';

/** Who waits with their eyes on it hears at once; what is told within this time is announced together. */
const PROMPT_GATHER_MS = 2;
/** Other consumers begin a moment later, so that they do not take connections and processor time from what people wait for. */
const GATHER_MS = 25;
/** From one reading of a consumer to its next: a row of facts is handled in pages and not one by one. The first fact after a pause does not wait. */
const REST_MS = 150;
/** Behind the waking: what a process told and then died, and what another process told. */
const POLL_MS = 1_000;
/** Another process reads for this consumer at the moment; it may just have looked for the last time. */
const TAKEN_MS = 25;

export type FactLog = {
  /** Facts of these types were emitted and committed: the consumers that want one of them look in a moment. Without types, all consumers do. */
  wake(types?: Iterable<string>): void;
  /** Resolves when everything that was committed before the call is handled, and what its handling told. */
  catchUp(): Promise<void>;
  close(): Promise<void>;
};

/** Reads the facts for each consumer; any number of processes may, and one at a time does. */
export async function openFactLog(parts: FactLogParts, consumers: readonly FactConsumer[]): Promise<FactLog> {
  const { db, logger } = parts;
  await registerConsumers(db, consumers);
  if (await adoptCursors(db))
    logger.warn({}, 'the facts are of another cluster: their readers were set anew');
  const readers = consumers.map((consumer) => createReader(parts, consumer));
  const gatherings = [
    createGathering(
      readers.filter((reader) => reader.consumer.isPrompt),
      PROMPT_GATHER_MS,
    ),
    createGathering(
      readers.filter((reader) => !reader.consumer.isPrompt),
      GATHER_MS,
    ),
  ];
  let looking: Promise<void> | undefined;
  /** One statement for all consumers, without a lock; most of the time nothing is due. */
  const look = async (): Promise<void> => {
    const resting = readers.filter((reader) => !reader.isReading());
    try {
      const due = await findDueConsumers(
        db,
        resting.map(({ consumer }) => consumer),
        { lately: true },
      );
      for (const reader of resting) if (due.has(reader.consumer.name)) void reader.run();
    } catch {
      // The next look says it again, if it lasts; reading says what is wrong.
    }
  };
  const timer = setInterval(() => (looking ??= look().finally(() => (looking = undefined))), POLL_MS);
  return {
    wake(types) {
      for (const gathering of gatherings) gathering.add(types);
    },
    async catchUp() {
      // One consumer's fact may be news to the next, and no chain of them is longer than they are many.
      for (const _ of consumers) {
        const due = await findDueConsumers(db, consumers, { lately: false });
        // What a reader does behind its transaction belongs to what is waited for.
        const wanted = readers.filter((reader) => due.has(reader.consumer.name) || reader.isReading());
        if (wanted.length === 0) return;
        await Promise.all(wanted.map((reader) => reader.run()));
      }
    },
    async close() {
      clearInterval(timer);
      for (const gathering of gatherings) gathering.end();
      await looking;
      await Promise.all(readers.map((reader) => reader.close()));
    },
  };
}

/** Gathers which facts were emitted, and then wakes the readers that want one of them. */
function createGathering(readers: readonly ReturnType<typeof createReader>[], gatherMs: number) {
  let timer: ReturnType<typeof setTimeout> | undefined;
  let emitted: Set<string> | 'any' = new Set();
  const wake = () => {
    timer = undefined;
    const wanted = emitted;
    emitted = new Set();
    for (const reader of readers) if (reader.wants(wanted)) reader.wake();
  };
  return {
    add(types?: Iterable<string>): void {
      if (!types) emitted = 'any';
      else if (emitted !== 'any') for (const type of types) emitted.add(type);
      timer ??= setTimeout(wake, gatherMs);
    },
    end: (): void => clearTimeout(timer),
  };
}

function createReader(parts: FactLogParts, consumer: FactConsumer) {
  let isClosed = false;
  let running: Promise<void> | undefined;
  let isWanted = false;
  let resting: ReturnType<typeof setTimeout> | undefined;
  let beganAt = -Infinity;

  /** Page after page, until there is none that was committed before the last call. */
  async function readOn(): Promise<void> {
    while (isWanted && !isClosed) {
      isWanted = false;
      let outcome = await consumePage(parts, consumer);
      while (outcome === 'more' && !isClosed) outcome = await consumePage(parts, consumer);
      if (outcome === 'taken') {
        isWanted = true;
        await new Promise((resolve) => setTimeout(resolve, TAKEN_MS));
      }
    }
  }

  const run = (): Promise<void> => {
    isWanted = true;
    if (!running) beganAt = performance.now();
    running ??= readOn()
      // The next poll tries again; the cursor stands where it stood.
      .catch((error: unknown) =>
        parts.logger.warn({ err: error, consumer: consumer.name }, 'facts could not be read'),
      )
      .finally(() => (running = undefined));
    return running;
  };
  /** Reads in a moment: at once after a pause, else when it has rested. */
  const wake = (): void => {
    const restMs = consumer.isPrompt === 'each' ? 0 : beganAt + REST_MS - performance.now();
    if (restMs <= 0) return void run();
    resting ??= setTimeout(() => {
      resting = undefined;
      void run();
    }, restMs);
  };
  return {
    ...{ consumer, run, wake },
    isReading: (): boolean => running !== undefined,
    wants: (emitted: ReadonlySet<string> | 'any'): boolean =>
      emitted === 'any' || consumer.types === null || consumer.types.some((type) => emitted.has(type)),
    async close(): Promise<void> {
      isClosed = true;
      clearTimeout(resting);
      await running;
    },
  };
}
