import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { root } from '../child-process.ts';

const SOURCES = 'packages/api/src';
const HANDLERS = /-(?:api|files|routes)\.ts$/;
const EMITS = /\bemit(?:Facts?)?\(/;

const handlers = readdirSync(join(root, SOURCES), { recursive: true, encoding: 'utf8' })
  .filter((path) => HANDLERS.test(path))
  .map((path) => ({ path, text: readFileSync(join(root, SOURCES, path), 'utf8') }));

test('no handler emits a fact: the named function that makes the change does, for every caller', () => {
  expect(handlers.length).toBeGreaterThan(40);
  expect(handlers.filter(({ text }) => EMITS.test(text)).map(({ path }) => path)).toEqual([]);
});

test.each(["await scope.emit({ type: 'campaign.created' })", 'await emit(fact)', 'emitFacts(tx, facts)'])(
  'a handler that emits is found: %s',
  (text) => {
    expect(text).toMatch(EMITS);
  },
);
