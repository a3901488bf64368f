import { spawn, type ChildProcess } from 'node:child_process';
import { constants } from 'node:os';
import { fileURLToPath } from 'node:url';

export const root = fileURLToPath(new URL('..', import.meta.url)).replace(/\/$/, '');

const STOP_WITH_PARENT = new URL('./stop-with-parent.mjs', import.meta.url).href;

/** Starts a script on this Node.js that shares our terminal and stops when we do, however we end. */
export function startScript(
  script: string,
  { args = [], env = {}, cwd = root }: { args?: string[]; env?: NodeJS.ProcessEnv; cwd?: string } = {},
): ChildProcess {
  return spawn(process.execPath, ['--import', STOP_WITH_PARENT, script, ...args], {
    cwd,
    env: { ...process.env, ...env },
    stdio: ['ignore', 'inherit', 'inherit', 'ipc'],
    // Ctrl+C then reaches only us, and we decide who stops first.
    detached: true,
  });
}

/** Asks the child to stop and waits until it has. */
export async function stopChild(child: ChildProcess | undefined, withinMs = 45_000): Promise<void> {
  if (!child || hasEnded(child)) return;
  const ended = new Promise((resolve) => child.once('exit', resolve));
  child.kill('SIGTERM');
  const giveUp = setTimeout(() => child.kill('SIGKILL'), withinMs);
  await ended;
  clearTimeout(giveUp);
}

/** Exit code as a shell counts it. */
export async function waitForExit(child: ChildProcess): Promise<number> {
  if (!hasEnded(child)) await new Promise((resolve) => child.once('exit', resolve));
  return child.exitCode ?? 128 + (child.signalCode ? constants.signals[child.signalCode] : 0);
}

export function hasEnded(child: ChildProcess): boolean {
  return child.exitCode !== null || child.signalCode !== null;
}

/** Calls `stop` at the first signal; Ctrl+C and a forwarded signal may well both arrive. */
export function onStopSignal(stop: () => void): void {
  let asked = false;
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const)
    process.on(signal, () => {
      if (!asked) stop();
      asked = true;
    });
}
