import { globSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { expect, test } from 'vitest';
import { root } from '../child-process.ts';

const MOST_FILES = 25;
const MOST_LINES = 400;

/** Folders that may hold more, each with the reason. */
const LARGE_FOLDERS: Record<string, string> = {
  'packages/providers/src/whatsapp-cloud/webhooks/fixtures':
    'answers of the platform as they came, one file each',
  'apps/web/src/messages': 'the words of each feature under its name; nobody reads them in a row',
  'packages/database/src/migrations': 'steps in one order, which only grow',
};

test('no folder of the source holds more than can be read at a glance', () => {
  expect(findLargeFolders(root).filter((folder) => !(folder in LARGE_FOLDERS))).toEqual([]);
});

test('no file of the source is too long', () => {
  expect(findLongFiles(root)).toEqual([]);
});

test('no exception has outlived its reason', () => {
  const large = findLargeFolders(root);
  const steps = 'packages/database/src/migrations';
  expect(Object.keys(LARGE_FOLDERS).filter((it) => it !== steps && !large.includes(it))).toEqual([]);
});

test('a folder and a file that are too large are found', () => {
  const planted = mkdtempSync(join(tmpdir(), 'sizes-'));
  try {
    const folder = join(planted, 'packages/a/src/full');
    mkdirSync(folder, { recursive: true });
    for (let n = 0; n <= MOST_FILES; n++) writeFileSync(join(folder, `f${n}.ts`), 'export {};\n');
    writeFileSync(join(planted, 'packages/a/src/long.ts'), '\n'.repeat(MOST_LINES + 1));
    writeFileSync(join(planted, 'packages/a/src/fits.ts'), '\n'.repeat(MOST_LINES));
    expect(findLargeFolders(planted)).toEqual(['packages/a/src/full']);
    expect(findLongFiles(planted)).toEqual(['packages/a/src/long.ts']);
  } finally {
    rmSync(planted, { recursive: true, force: true });
  }
});

function findLargeFolders(under: string): string[] {
  const counts = new Map<string, number>();
  for (const file of globSync('{apps,packages}/*/src/**/*.*', { cwd: under }))
    counts.set(dirname(file), (counts.get(dirname(file)) ?? 0) + 1);
  return [...counts].filter(([, count]) => count > MOST_FILES).map(([folder]) => folder);
}

function findLongFiles(under: string): string[] {
  return globSync('{apps,packages}/*/src/**/*.{ts,tsx,js,mjs,css}', { cwd: under }).filter(
    (file) => readFileSync(join(under, file), 'utf8').split('\n').length - 1 > MOST_LINES,
  );
}
