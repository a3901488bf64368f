import { spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { root } from './child-process.ts';

const SOURCES = ['apps/web', 'packages/contracts/src', 'packages/domain/src', 'package-lock.json'];
const NOT_SOURCES = new Set(['dist', 'node_modules', 'test', '.vite']);

const STAMP = join(root, 'apps/web/dist/.built-from');
const BUILDER = join(root, '.cache/web-builder');

/** Builds the web app when its sources have changed since the last build; one process at a time. */
export function buildWebIfStale(say: (line: string) => void = console.log): void {
  const hash = hashSources();
  if (isBuilt(hash)) return;
  becomeBuilder();
  try {
    if (!isBuilt(hash)) build(hash, say);
  } finally {
    rmSync(BUILDER, { force: true });
  }
}

function isBuilt(hash: string): boolean {
  return existsSync(STAMP) && readFileSync(STAMP, 'utf8') === hash;
}

function build(hash: string, say: (line: string) => void): void {
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
  writeFileSync(STAMP, hash);
  say(`Built in ${((Date.now() - started) / 1000).toFixed(1)} s.`);
}

/** Waits for another process that builds; one that died half-way is not waited for. */
function becomeBuilder(): void {
  mkdirSync(dirname(BUILDER), { recursive: true });
  for (;;) {
    try {
      return writeFileSync(BUILDER, String(process.pid), { flag: 'wx' });
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error;
    }
    if (isAbandoned()) rmSync(BUILDER, { force: true });
    else Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 200);
  }
}

/** An empty file is one whose builder has not written its number yet, unless it stays so. */
function isAbandoned(): boolean {
  try {
    const pid = Number(readFileSync(BUILDER, 'utf8'));
    if (pid === 0) return Date.now() - statSync(BUILDER).mtimeMs > 5_000;
    process.kill(pid, 0);
    return false;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'ESRCH';
  }
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
