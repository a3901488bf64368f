import { createHash } from 'node:crypto';
import type pg from 'pg';
import { QueryError } from '../query-error.ts';

/** What of the driver's connection copying needs; its types leave it out. */
type Wire = {
  query(text: string): void;
  sendCopyFromChunk(bytes: Uint8Array): boolean;
  endCopyFrom(): void;
  sendCopyFail(message: string): void;
  stream: {
    pause(): void;
    resume(): void;
    destroy(): void;
    writableNeedDrain: boolean;
    once(event: 'drain' | 'close', listener: () => void): void;
    off(event: 'drain' | 'close', listener: () => void): void;
  };
};

type Outcome = { resolve(count: number): void; reject(error: Error): void };

/** How many bytes are gathered before they are handed on. */
const GATHERED = 256 * 1024;

/** Rows in whichever order: tables of equal rows have equal sums. */
export type RowSum = { rows: number; sum: number };

/**
 * Reads rows as PostgreSQL's own text, and hands it on in pieces; the server waits while `onBytes` works. Answers with the rows, and with
 * a sum of them. When `onBytes` fails the connection is of no more use: the rows that are left are not waited for.
 */
export async function copyOut(
  client: pg.ClientBase,
  select: string,
  onBytes: (bytes: Uint8Array) => Promise<void>,
): Promise<RowSum> {
  const sum: RowSum = { rows: 0, sum: 0 };
  let held: Uint8Array[] = [];
  let size = 0;
  const turn: { working: Promise<void> | null } = { working: null };
  let failure: unknown;
  const handOn = (wire: Wire) => {
    if (turn.working) return;
    const bytes = Buffer.concat(held);
    held = [];
    size = 0;
    wire.stream.pause();
    turn.working = onBytes(bytes)
      .catch((error: unknown) => {
        failure = error;
        wire.stream.destroy();
      })
      .then(() => {
        turn.working = null;
        if (failure !== undefined) return;
        // What was on its way when the server was asked to wait.
        if (size >= GATHERED) handOn(wire);
        else wire.stream.resume();
      });
  };
  await new Promise<number>((resolve, reject) => {
    const copying = new Copying(`COPY (${select}) TO STDOUT`, {
      resolve,
      reject,
    });
    copying.onData = (row, wire) => {
      if (failure !== undefined) return;
      addRow(sum, row);
      // The driver reads the next piece into the same memory.
      held.push(Uint8Array.from(row));
      size += row.length;
      if (size >= GATHERED) handOn(wire);
    };
    client.query(copying);
  }).catch((error: unknown) => {
    throw failure ?? error;
  });
  while (turn.working) await turn.working;
  if (failure !== undefined) throw failure;
  if (size > 0) await onBytes(Buffer.concat(held));
  return sum;
}

/** Writes rows as `copyOut` read them; `next` answers with the next piece, and with null at the end. Answers with the rows written. */
export async function copyIn(
  client: pg.ClientBase,
  target: string,
  next: () => Promise<Uint8Array | null>,
): Promise<number> {
  let failure: unknown;
  const rows = new Promise<number>((resolve, reject) => {
    let hasEnded = false;
    const end = (outcome: () => void) => {
      hasEnded = true;
      outcome();
    };
    const copying = new Copying(`COPY ${target} FROM STDIN`, {
      resolve: (count) => end(() => resolve(count)),
      reject: (error) => end(() => reject(error)),
    });
    const send = async (wire: Wire) => {
      for (let bytes = await next(); bytes && !hasEnded; bytes = await next()) {
        wire.sendCopyFromChunk(bytes);
        if (wire.stream.writableNeedDrain) await drained(wire);
      }
    };
    copying.onReady = (wire) =>
      void send(wire).then(
        () => hasEnded || wire.endCopyFrom(),
        (error: unknown) => {
          failure = error;
          if (!hasEnded) wire.sendCopyFail('given up');
        },
      );
    client.query(copying);
  });
  return rows.catch((error: unknown) => {
    throw failure ?? error;
  });
}

function drained({ stream }: Wire): Promise<void> {
  return new Promise((resolve) => {
    const done = () => {
      stream.off('drain', done);
      stream.off('close', done);
      resolve();
    };
    stream.once('drain', done);
    stream.once('close', done);
  });
}

/** Six bytes of a hash of each row, added up without loss. */
function addRow(sum: RowSum, row: Uint8Array): void {
  const hash = createHash('md5').update(row).digest();
  sum.rows += 1;
  sum.sum = (sum.sum + hash.readUIntBE(0, 6)) % 2 ** 48;
}

/** One COPY, as the driver wants a query. */
class Copying {
  onData: (row: Uint8Array, wire: Wire) => void = () => undefined;
  onReady: (wire: Wire) => void = () => undefined;
  readonly #text: string;
  readonly #outcome: Outcome;
  #rows = 0;

  constructor(text: string, outcome: Outcome) {
    this.#text = text;
    this.#outcome = outcome;
  }

  submit(connection: unknown): void {
    (connection as Wire).query(this.#text); // the driver's own connection
  }
  handleCopyData({ chunk }: { chunk: Uint8Array }, connection: unknown): void {
    this.onData(chunk, connection as Wire); // the same
  }
  handleCopyInResponse(connection: unknown): void {
    this.onReady(connection as Wire); // the same
  }
  handleCommandComplete({ text }: { text: string }): void {
    this.#rows = Number(/(\d+)$/.exec(text)?.[1] ?? 0);
  }
  /** NOTE: the server repeats values of rows in its words; they are left out. */
  handleError(error: Error & { code?: string; constraint?: string }): void {
    const { code, constraint } = error;
    this.#outcome.reject(new QueryError({ code, constraint, statement: this.#text }));
  }
  handleReadyForQuery(): void {
    this.#outcome.resolve(this.#rows);
  }
  handleRowDescription(): void {}
  handleDataRow(): void {}
  handlePortalSuspended(): void {}
  handleEmptyQuery(): void {}
}
