import { type ChildProcess, spawn } from 'node:child_process';
import { createServer } from 'node:net';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

const root = dirname(dirname(fileURLToPath(import.meta.url)));

export type Child = {
  process: ChildProcess;
  /** Resolves with the first message (or nothing, at the greeting); rejects when the process ends before. */
  ready: Promise<unknown>;
  ended: Promise<void>;
  /** What it wrote to standard error, for a report. */
  errors(): string;
  stop(signal?: NodeJS.Signals): Promise<void>;
};

/** Runs one of the project's files on this Node.js. It counts as ready when it sends a message or matches `readyText`. */
export function startChild(file: string, env: Record<string, string>, readyText?: RegExp): Child {
  const child = spawn(process.execPath, [join(root, file)], {
    cwd: root,
    env: { PATH: process.env['PATH'] ?? '', HOME: process.env['HOME'] ?? '', ...env },
    stdio: ['ignore', 'pipe', 'pipe', 'ipc'],
  });
  let errors = '';
  child.stderr?.on('data', (chunk) => (errors = (errors + chunk).slice(-4_000)));
  const ended = new Promise<void>((resolve) => child.once('exit', () => resolve()));
  const ready = new Promise<unknown>((resolve, reject) => {
    child.once('message', resolve);
    child.stdout?.on('data', (chunk) => readyText?.test(String(chunk)) && resolve(undefined));
    void ended.then(() => reject(new Error(`${file} ended before it was ready: ${errors}`)));
  });
  ready.catch(() => undefined);
  return {
    process: child,
    ready,
    ended,
    errors: () => errors,
    stop: async (signal = 'SIGTERM') => {
      child.kill(signal);
      await ended;
    },
  };
}

export function findFreePort(): Promise<number> {
  return new Promise((resolve, reject) => {
    const server = createServer();
    server.once('error', reject);
    server.listen(0, '127.0.0.1', () => {
      const address = server.address();
      server.close(() => resolve(typeof address === 'object' && address ? address.port : 0));
    });
  });
}
