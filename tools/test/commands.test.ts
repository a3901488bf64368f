import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { root } from '../child-process.ts';

const launcher = readFileSync(join(root, 'tools/launch.mjs'), 'utf8');
const { scripts } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')) as {
  scripts: Record<string, string>;
};

test('every file that a command names is there', () => {
  const [, table = ''] = /const COMMANDS = \{(.*?)\n\};/s.exec(launcher) ?? [];
  const files = [...table.matchAll(/'([^']+\.ts)'/g)].map(([, file = '']) => file);
  expect(files.length).toBeGreaterThan(5);
  expect(files.filter((file) => !existsSync(join(root, file)))).toEqual([]);
});

test.each(['backup', 'restore'])('%s runs on the pinned Node.js like the others', (name) => {
  expect(scripts[name]).toBe(`exec node tools/launch.mjs ${name}`);
  expect(launcher).toContain(`  ${name}: 'apps/server/src/backup/${name}-command.ts',`);
});
