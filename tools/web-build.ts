import { spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { root } from './child-process.ts';

const SOURCES = ['apps/web', 'packages/contracts/src', 'packages/domain/src', 'package-lock.json'];
const NOT_SOURCES = new Set(['dist', 'node_modules', 'test', '.vite']);

/** Builds the web app when its sources have changed since the last build. */
export function buildWebIfStale(say: (line: string) => void = console.log): void {
  const stamp = join(root, 'apps/web/dist/.built-from');
  const hash = hashSources();
  if (existsSync(stamp) && readFileSync(stamp, 'utf8') === hash) return;
  say('Building the web app …');
  const started = Date.now();
  const { status, stdout, stderr } = spawnSync(
    process.execPath,
    [join(root, 'node_modules/vite/bin/vite.js'), 'build'],
    {
      cwd: join(root, 'apps/web'),
      env: { ...process.env, NODE_ENV: 'production', NO_COLOR: '1', FORCE_COLOR: '0' },
      encoding: 'utf8',
    },
  );
  if (status !== 0) throw new Error(`The web app could not be built.\n${stdout}\n${stderr}`);
  writeFileSync(stamp, hash);
  say(`Built in ${((Date.now() - started) / 1000).toFixed(1)} s.`);
}

function hashSources(): string {
  const hash = createHash('sha256');
  for (const source of SOURCES) hashPath(hash, source);
  return hash.digest('hex');
}

function hashPath(hash: ReturnType<typeof createHash>, path: string): void {
  const full = join(root, path);
  if (statSync(full).isFile()) {
    hash.update(path).update(readFileSync(full));
    return;
  }
  for (const name of readdirSync(full).toSorted())
    if (!NOT_SOURCES.has(name) && !/\.test\.tsx?$/.test(name)) hashPath(hash, `${path}/${name}`);
}
