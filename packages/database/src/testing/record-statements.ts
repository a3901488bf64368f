import { randomUUID } from 'node:crypto';
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import pg from 'pg';
import { afterAll, expect } from 'vitest';

/** Set-up of test files: keeps which SQL statements are sent, for `tools/compare-servers.ts`. */

type Query = (this: pg.Client, ...given: unknown[]) => unknown;
type Recorder = { all: Set<string>; unsaved: string[] };

/** They ask the embedded server for what only its own version has, or the product by its addresses as the tests of the API do. */
const NOT_KEPT = /embedded-postgres\.test\.ts$|apps\/server\//;
const SHARED = Symbol.for('statements of the tests');

// Modules are loaded once per worker, set-up once per file: what is wrapped must be wrapped once.
const shared = globalThis as { [SHARED]?: Recorder };
const recorder = (shared[SHARED] ??= startRecording());

afterAll(() => {
  const sent = recorder.unsaved.splice(0);
  const folder = process.env.STATEMENTS_FOLDER;
  const { testPath } = expect.getState();
  if (!folder || sent.length === 0) return;
  if (NOT_KEPT.test(testPath ?? '')) {
    // Another file of this worker keeps it when it sends it.
    for (const text of sent) recorder.all.delete(text);
    return;
  }
  mkdirSync(folder, { recursive: true });
  writeFileSync(join(folder, `${randomUUID()}.json`), JSON.stringify(sent));
});

function startRecording(): Recorder {
  const started: Recorder = { all: new Set(), unsaved: [] };
  // A pool asks its connections, so that every statement passes here.
  const query = pg.Client.prototype.query as Query;
  Object.assign(pg.Client.prototype, {
    query(this: pg.Client, ...given: unknown[]) {
      const text = readText(given[0]);
      if (text && !started.all.has(text)) {
        started.all.add(text);
        started.unsaved.push(text);
      }
      return query.apply(this, given);
    },
  });
  return started;
}

/** A statement is a text, or what holds one: a named statement, a cursor, a copy. */
function readText(given: unknown): string | undefined {
  if (typeof given === 'string') return given;
  const { text, cursor } = (given ?? {}) as { text?: string; cursor?: { text?: string } };
  return text ?? cursor?.text;
}
