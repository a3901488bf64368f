import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { advisoryLocks } from '@app/database/advisory-locks';
import { root } from '../child-process.ts';

const REGISTRY = 'packages/database/src/advisory-locks.ts';
const LITERAL_LOCK = /pg_(?:try_)?advisory_\w+\((?:hashtextextended\([^)]*,\s*)?'?(\d[\d_]*)/g;
const LITERAL_KEY = /\b7_?302_?1\d\d\b/g;

const keys = new Set<number>(Object.values(advisoryLocks));

test('no two locks share a key', () => {
  expect(keys.size).toBe(Object.keys(advisoryLocks).length);
});

test('no file but the registry says a key; migrations say those of the registry', () => {
  const literals = readSources().flatMap(({ path, text }) =>
    [...text.matchAll(LITERAL_LOCK), ...text.matchAll(LITERAL_KEY)].map(([found, key = found]) => ({
      path,
      key: Number(key.replaceAll('_', '')),
    })),
  );
  expect(literals.filter(({ path, key }) => !path.endsWith('.sql') || !keys.has(key))).toEqual([]);
  // The pattern finds what it is to find.
  expect(literals.map(({ key }) => key)).toContain(advisoryLocks.partition);
});

function readSources(): { path: string; text: string }[] {
  return ['packages', 'apps']
    .flatMap((folder) =>
      readdirSync(join(root, folder), { recursive: true, encoding: 'utf8' }).map((path) =>
        join(folder, path),
      ),
    )
    .filter(
      (path) => /(?<!\.test)\.(ts|sql)$/.test(path) && !path.includes('node_modules') && path !== REGISTRY,
    )
    .map((path) => ({ path, text: readFileSync(join(root, path), 'utf8') }));
}
