import { fork, type ChildProcess } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { afterEach, expect, test } from 'vitest';

const main = fileURLToPath(new URL('../src/main.ts', import.meta.url));
let child: ChildProcess | undefined;
afterEach(() => child?.kill('SIGKILL'));

function start(): Promise<{ port: number; exited: Promise<number | null> }> {
  const started = fork(main, { env: { ...process.env, SANDBOX_PORT: '0', HOST: '127.0.0.1' }, silent: true });
  child = started;
  const exited = new Promise<number | null>((resolve) => started.on('exit', resolve));
  return new Promise((resolve, reject) => {
    started.on('message', (message: { port: number }) => resolve({ port: message.port, exited }));
    started.on('error', reject);
  });
}

test.each([
  ['SIGTERM', () => child?.kill('SIGTERM')],
  ['SIGINT', () => child?.kill('SIGINT')],
  ['a parent that is gone', () => child?.disconnect()],
])('stops at %s, also with a connection open', async (_name, stop) => {
  const { port, exited } = await start();
  expect((await fetch(`http://127.0.0.1:${port}/_sandbox/health`)).status).toBe(200);
  stop();
  expect(await exited).toBe(0);
});
