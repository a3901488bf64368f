import { randomUUID } from 'node:crypto';
import { mkdirSync, writeFileSync } from 'node:fs';
import { join, relative } from 'node:path';
import { fileURLToPath } from 'node:url';
import pg from 'pg';
import { afterAll, expect } from 'vitest';

/**
 * Set-up of test files in a run that measures (`tools/measure-statements.ts`): keeps which SQL statements the product sends
 * during each file. What the test itself asks or writes is no statement of the product.
 */

type Query = (this: pg.Client | pg.Pool, ...given: unknown[]) => unknown;
type Recorder = {
  statements: Set<string>;
  /** What was asked of a pool: it asks its connection later, when nobody can be seen behind the call. */
  ofPools: Set<string>;
};

const ROOT = fileURLToPath(new URL('../../../..', import.meta.url));
const OF_A_TEST = /\/test\/|\.test\.ts|\/src\/testing\//;
/** Every statement passes through these; who wanted it stands behind them. */
const ON_THE_WAY = /node_modules|record-statements|open-queries|query-error/;
const DEPTH = 40;
const SHARED = Symbol.for('statements of the product');

// Modules are loaded once per worker, set-up once per file: what is wrapped must be wrapped once.
const shared = globalThis as { [SHARED]?: Recorder };
const recorder = (shared[SHARED] ??= startRecording());
recorder.statements = new Set();
recorder.ofPools = new Set();

afterAll(() => {
  const folder = process.env.STATEMENTS_FOLDER ?? '';
  const file = relative(ROOT, expect.getState().testPath ?? '');
  mkdirSync(folder, { recursive: true });
  writeFileSync(
    join(folder, `${randomUUID()}.json`),
    JSON.stringify({ file, statements: [...recorder.statements] }),
  );
});

function startRecording(): Recorder {
  const started: Recorder = { statements: new Set(), ofPools: new Set() };
  wrap(pg.Pool.prototype, (_, text) => {
    started.ofPools.add(text);
    if (findCaller() !== 'test') started.statements.add(text);
  });
  wrap(pg.Client.prototype, (client, text) => {
    // The schema is made once, before any test, and on both servers.
    if (client instanceof pg.Client && client.database?.startsWith('template_')) return;
    const caller = findCaller();
    if (caller === 'product' || (!caller && !started.ofPools.has(text))) started.statements.add(text);
  });
  return started;
}

function wrap(
  prototype: pg.Client | pg.Pool,
  note: (target: pg.Client | pg.Pool, text: string) => void,
): void {
  const query = prototype.query as Query;
  Object.assign(prototype, {
    query(this: pg.Client | pg.Pool, ...given: unknown[]) {
      const text = readText(given[0]);
      if (text) note(this, text);
      return query.apply(this, given);
    },
  });
}

/** A statement is a text, or what holds one: a named statement, a cursor, a copy. */
function readText(given: unknown): string | undefined {
  if (typeof given === 'string') return given;
  const { text, cursor } = (given ?? {}) as { text?: string; cursor?: { text?: string } };
  return text ?? cursor?.text;
}

/** Whose the nearest code of the project behind this call is, where any can be seen. */
function findCaller(): 'test' | 'product' | undefined {
  const nearest = listCallers().find((file) => file.includes(ROOT) && !ON_THE_WAY.test(file));
  if (nearest === undefined) return undefined;
  return OF_A_TEST.test(nearest) ? 'test' : 'product';
}

/** The files of the calls that led here, the nearest first; their lines are not looked up. */
function listCallers(): string[] {
  const { stackTraceLimit, prepareStackTrace } = Error;
  Error.stackTraceLimit = DEPTH;
  Error.prepareStackTrace = (_, calls) => calls.map((call) => call.getFileName() ?? '');
  const { stack } = new Error('where') as { stack?: unknown };
  Object.assign(Error, { stackTraceLimit, prepareStackTrace });
  return stack as string[]; // what was prepared above
}
