import { existsSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { features } from '../../packages/domain/src/features.ts';
import { root } from '../child-process.ts';

/** Folders of a layer that belong to no feature, and features that a layer has no folder for. */
const LAYERS: { folder: string; besides: string[] }[] = [
  {
    folder: 'packages/domain/src',
    besides: ['channel-kinds', 'messaging', 'events', 'flows', 'live', 'network', 'text'],
  },
  { folder: 'packages/contracts/src', besides: ['live'] },
  {
    folder: 'packages/database/src',
    besides: ['platform', 'workspaces', 'migrations', 'backup', 'embedded', 'testing'],
  },
  { folder: 'packages/api/src', besides: ['platform'] },
  { folder: 'apps/web/src/features', besides: [] },
];

describe.each(LAYERS)('$folder', ({ folder, besides }) => {
  const found = readdirSync(join(root, folder), { withFileTypes: true })
    .filter((entry) => entry.isDirectory())
    .map((entry) => entry.name);

  test('has folders of features only', () => {
    const known = new Set<string>([...features, ...besides]);
    expect(found.filter((name) => !known.has(name))).toEqual([]);
  });
});

test('every feature has a place in the product', () => {
  const nowhere = features.filter(
    (name) => !LAYERS.some(({ folder }) => existsSync(join(root, folder, name))),
  );
  expect(nowhere.filter((name) => !NOT_BUILT.has(name))).toEqual([]);
});

test('a feature that has been built is no longer called missing', () => {
  const built = [...NOT_BUILT].filter((name) => existsSync(join(root, 'apps/web/src/features', name)));
  expect(built).toEqual([]);
});

/** Announced in the menu; each opens a page that says that it is not built yet. */
const NOT_BUILT = new Set<string>();
