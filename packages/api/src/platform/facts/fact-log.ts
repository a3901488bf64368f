import { consumePage, findDueConsumers } from './consume-facts.ts';
import { adoptCursors, registerConsumers } from './fact-cursors.ts';
import type { FactConsumer, FactLogParts } from './fact-consumer.ts';

/** What is told within this time is announced together. */
const GATHER_MS = 10;
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
  let gathering: ReturnType<typeof setTimeout> | undefined;
  let emitted: Set<string> | 'any' = new Set();
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
      if (!types) emitted = 'any';
      else if (emitted !== 'any') for (const type of types) emitted.add(type);
      gathering ??= setTimeout(() => {
        gathering = undefined;
        const wanted = emitted;
        emitted = new Set();
        for (const reader of readers) if (reader.wants(wanted)) void reader.run();
      }, GATHER_MS);
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
      clearTimeout(gathering);
      await looking;
      await Promise.all(readers.map((reader) => reader.close()));
    },
  };
}

function createReader(parts: FactLogParts, consumer: FactConsumer) {
  let isClosed = false;
  let running: Promise<void> | undefined;
  let isWanted = false;

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
    running ??= readOn()
      // The next poll tries again; the cursor stands where it stood.
      .catch((error: unknown) =>
        parts.logger.warn({ err: error, consumer: consumer.name }, 'facts could not be read'),
      )
      .finally(() => (running = undefined));
    return running;
  };
  return {
    ...{ consumer, run },
    isReading: (): boolean => running !== undefined,
    wants: (emitted: ReadonlySet<string> | 'any'): boolean =>
      emitted === 'any' || consumer.types === null || consumer.types.some((type) => emitted.has(type)),
    async close(): Promise<void> {
      isClosed = true;
      await running;
    },
  };
}
