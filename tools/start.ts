import { createServer } from 'node:net';
import { join } from 'node:path';
import type { ChildProcess } from 'node:child_process';
import { setTimeout as sleep } from 'node:timers/promises';
import { ConfigError, readSettings } from '../apps/server/src/config.ts';
import { DataDirectoryInUse, findDataDirectoryHolder } from '../packages/database/src/embedded/data-lock.ts';
import { stopAbandonedServer } from '../packages/database/src/embedded/embedded-postgres.ts';
import { hasEnded, onStopSignal, startScript, stopChild, waitForExit } from './child-process.ts';
import { buildWebIfStale } from './web-build.ts';

const SANDBOX_RESTARTS = 5;

type Settings = ReturnType<typeof readSettings>;

try {
  process.exitCode = await runProduct();
} catch (error) {
  console.error((error as Error).message);
  process.exitCode = 1;
}

/** Runs server and sandbox until a signal or until the server ends; gives the exit code. */
async function runProduct(): Promise<number> {
  const settings = readSettings(process.env);
  await refuseIfTaken(settings);
  buildWebIfStale();

  let stopping = false;
  const sandbox =
    settings.ownSandboxPort === undefined
      ? undefined
      : keepSandboxRunning({
          SANDBOX_PORT: String(settings.ownSandboxPort),
          SANDBOX_WEBHOOK_URL: `http://127.0.0.1:${settings.port}/webhooks/whatsapp/sample`,
          // Templates and numbers of the sandbox outlive a restart, as they would on the platform.
          SANDBOX_STATE_FILE: join(settings.dataDir, 'sandbox-state.json'),
          // Never further than this machine, wherever the product itself listens.
          HOST: '127.0.0.1',
        });
  const server = startScript('apps/server/src/main.ts');
  onStopSignal(() => {
    stopping = true;
    // The server first: its last deliveries still talk to the sandbox.
    void stopChild(server);
  });
  const code = await waitForExit(server);
  await sandbox?.stop();
  if (code !== 0 && !settings.databaseUrl) await stopAbandonedServer(settings.dataDir);
  if (code !== 0 && !stopping) console.error(`The server ended with code ${code}.`);
  return code;
}

/** @throws one sentence on what is in the way, before anything has been touched */
async function refuseIfTaken({ databaseUrl, dataDir, host, port, ownSandboxPort }: Settings): Promise<void> {
  const holder = databaseUrl ? undefined : findDataDirectoryHolder(dataDir);
  if (holder) throw new DataDirectoryInUse(dataDir, holder);
  if (!(await isFree(port, host)))
    throw new ConfigError([
      `Port ${port} on ${host} is taken by another program: stop it, or set PORT to another one.`,
    ]);
  if (ownSandboxPort !== undefined && !(await isFree(ownSandboxPort, '127.0.0.1')))
    throw new ConfigError([
      `Port ${ownSandboxPort} is taken by another program: set SANDBOX_PORT to another one for the sandbox, or SANDBOX_URL if a sandbox runs there.`,
    ]);
}

function isFree(port: number, host: string): Promise<boolean> {
  return new Promise((resolve, reject) => {
    const probe = createServer();
    probe.once('error', (error: NodeJS.ErrnoException) => {
      if (error.code === 'EADDRINUSE') resolve(false);
      else reject(new Error(`Cannot listen on ${host}:${port}: ${error.message}`));
    });
    probe.listen(port, host, () => probe.close(() => resolve(true)));
  });
}

function keepSandboxRunning(env: NodeJS.ProcessEnv): { stop(): Promise<void> } {
  let stopping = false;
  let child: ChildProcess | undefined;
  const run = async () => {
    for (let starts = 0; !stopping && starts <= SANDBOX_RESTARTS; starts += 1) {
      child = startScript('packages/sandbox/src/main.ts', { env });
      const code = await waitForExit(child);
      if (stopping) return;
      console.error(`The sandbox ended with code ${code}.`);
      await sleep(1000);
    }
  };
  const running = run();
  return {
    async stop() {
      stopping = true;
      if (child && !hasEnded(child)) await stopChild(child, 5_000);
      await running;
    },
  };
}
