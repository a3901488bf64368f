import { spawn, spawnSync } from 'node:child_process';
import {
  copyFileSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { isSmall } from '../../tools/small-run.ts';
import { peersFolder, root } from './processes.ts';

/** Installs what the product is compared with, apart from the product: `npm start` never sees it, and a small run goes without. Throws when it cannot. */
export function installPeers(): void {
  if (isSmall) return;
  const locked = readFileSync(join(root, 'bench/peers/package-lock.json'), 'utf8');
  const stamp = join(peersFolder, '.installed-lock');
  if (existsSync(stamp) && readFileSync(stamp, 'utf8') === locked) return;
  mkdirSync(peersFolder, { recursive: true });
  for (const name of ['package.json', 'package-lock.json'])
    copyFileSync(join(root, 'bench/peers', name), join(peersFolder, name));
  console.log('Installing the peers of the benchmarks …');
  const { status, stderr } = spawnSync(
    'npm',
    ['install', '--omit=optional', '--ignore-scripts', '--no-audit', '--no-fund', '--loglevel=error'],
    {
      cwd: peersFolder,
      encoding: 'utf8',
    },
  );
  if (status !== 0) throw new Error(`The peers could not be installed: ${stderr}`);
  writeFileSync(stamp, locked);
}

export type RedisServer = { port: number; pid: number; version: string; stop(): Promise<void> };

/** Debian's Redis, installed when this is root on Debian, with its journal on as a queue of messages needs it. Null without one. */
export async function startRedis(): Promise<RedisServer | null> {
  if (isSmall) return null;
  if (spawnSync('redis-server', ['--version']).status !== 0) {
    if (process.getuid?.() !== 0 || !existsSync('/usr/bin/apt-get')) return null;
    console.log('Installing redis-server …');
    const install = ['install', '-y', '-qq', '--no-install-recommends', 'redis-server'];
    if (spawnSync('apt-get', install, { stdio: 'ignore' }).status !== 0) return null;
  }
  const folder = mkdtempSync(join(tmpdir(), 'messaging-bench-redis-'));
  const port = 20_000 + (process.pid % 20_000);
  const settings = [
    '--port',
    String(port),
    '--dir',
    folder,
    '--appendonly',
    'yes',
    '--save',
    '',
    '--bind',
    '127.0.0.1',
  ];
  const server = spawn('redis-server', settings, { stdio: 'ignore' });
  const ended = new Promise<void>((resolve) => server.once('exit', () => resolve()));
  await new Promise((resolve) => setTimeout(resolve, 500));
  return {
    port,
    pid: server.pid ?? 0,
    version: /v=(\S+)/.exec(spawnSync('redis-server', ['--version'], { encoding: 'utf8' }).stdout)?.[1] ?? '',
    stop: async () => {
      server.kill('SIGTERM');
      await ended;
      rmSync(folder, { recursive: true, force: true });
    },
  };
}
