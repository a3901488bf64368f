import { type ChildProcess, spawn } from 'node:child_process';
import { readdirSync, readFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

export const root = dirname(dirname(dirname(fileURLToPath(import.meta.url))));
export const peersFolder = join(root, '.cache', 'bench-peers');

export type BenchChild = {
  process: ChildProcess;
  /** The first message that has this field. */
  message<Value>(field: string): Promise<Value>;
  stop(): Promise<void>;
};

export function startBenchChild(
  file: string,
  args: string[] = [],
  env: Record<string, string> = {},
): BenchChild {
  const child = spawn(process.execPath, [join(root, file), ...args], {
    cwd: root,
    env: { PATH: process.env['PATH'] ?? '', HOME: process.env['HOME'] ?? '', ...env },
    stdio: ['ignore', 'inherit', 'inherit', 'ipc'],
  });
  const messages: Record<string, unknown>[] = [];
  const listeners = new Set<() => void>();
  child.on('message', (message) => {
    messages.push(message as Record<string, unknown>);
    for (const listener of listeners) listener();
  });
  const ended = new Promise<void>((resolve) => child.once('exit', () => resolve()));
  return {
    process: child,
    message: (field) =>
      new Promise((resolve, reject) => {
        const look = (): void => {
          const found = messages.find((message) => field in message);
          if (!found) return;
          listeners.delete(look);
          resolve(found[field] as never); // the child and its caller agree on the field
        };
        listeners.add(look);
        void ended.then(() => reject(new Error(`${file} ended without ${field}`)));
        look();
      }),
    stop: async () => {
      child.kill('SIGTERM');
      await ended;
    },
  };
}

export async function startStandIn(): Promise<BenchChild & { url: string }> {
  const child = startBenchChild('bench/harness/stand-in.ts');
  return { ...child, url: `http://127.0.0.1:${await child.message<number>('port')}` };
}

const ticksPerSecond = 100;

/** CPU time in microseconds that this process and all it started have used, those that ended included (Linux). */
export function cpuOfTree(pid: number): number {
  const children = new Map<number, number[]>();
  const ticks = new Map<number, number>();
  for (const name of readdirSync('/proc')) {
    if (!/^\d+$/.test(name)) continue;
    try {
      const stat = readFileSync(`/proc/${name}/stat`, 'utf8');
      const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
      const parent = Number(fields[1]);
      children.set(parent, [...(children.get(parent) ?? []), Number(name)]);
      ticks.set(
        Number(name),
        fields.slice(11, 15).reduce((sum, field) => sum + Number(field), 0),
      );
    } catch {
      continue; // it ended meanwhile
    }
  }
  const total = (id: number): number =>
    (ticks.get(id) ?? 0) + (children.get(id) ?? []).reduce((sum, child) => sum + total(child), 0);
  return (total(pid) / ticksPerSecond) * 1e6;
}

/** Of this machine, at this moment. */
export function findFreePort(): Promise<number> {
  return new Promise((resolve, reject) => {
    const probe = createServer();
    probe.once('error', reject);
    probe.listen(0, '127.0.0.1', () => {
      const address = probe.address();
      probe.close(() => (typeof address === 'object' && address ? resolve(address.port) : reject()));
    });
  });
}
