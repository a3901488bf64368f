import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { thoroughFiles } from '../../faults/scenarios/thorough-tests.ts';
import { root } from '../child-process.ts';

const testFiles = ['packages', 'apps']
  .flatMap((top) => readdirSync(join(root, top)).map((name) => `${top}/${name}`))
  .flatMap((folder) => ['src', 'test'].map((part) => `${folder}/${part}`))
  .flatMap(list)
  .filter((path) => path.endsWith('.test.ts'));

function list(folder: string): string[] {
  try {
    return readdirSync(join(root, folder), { recursive: true, encoding: 'utf8' }).map(
      (name) => `${folder}/${name.replaceAll('\\', '/')}`,
    );
  } catch {
    return [];
  }
}

/** Long tests, and files of them, are played by `npm run faults -- long-tests`. */
const isPlayedInPart = (path: string) =>
  /testing\/thorough(\.ts)?'|env\W+THOROUGH/.test(readFileSync(join(root, path), 'utf8'));
const names = Object.values(thoroughFiles).flat();

test('each test of which `npm test` plays a part is played whole by a name of `npm run faults`', () => {
  const inPart = testFiles.filter(isPlayedInPart);
  expect(inPart.length).toBeGreaterThan(30);
  expect(inPart.filter((path) => !names.some((name) => path.includes(name)))).toEqual([]);
});

test('each name still has a test of which `npm test` plays a part', () => {
  const inPart = testFiles.filter(isPlayedInPart);
  const empty = Object.entries(thoroughFiles).filter(
    ([, paths]) => !paths.some((name) => inPart.some((path) => path.includes(name))),
  );
  expect(empty.map(([name]) => name)).toEqual([]);
});
