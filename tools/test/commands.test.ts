import { spawnSync } from 'node:child_process';
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

test.each(['backup', 'restore'])('%s, which is not built yet, says so and what to do instead', (name) => {
  expect(scripts[name]).toBe(`exec node tools/launch.mjs ${name}`);
  const { status, stderr } = spawnSync(process.execPath, [join(root, 'tools/launch.mjs'), name], {
    encoding: 'utf8',
  });
  expect(status).toBe(1);
  expect(stderr).toMatch(new RegExp(`^There is no ${name} command yet\\. Stop the product and`));
});
