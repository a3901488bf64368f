import { watch } from 'node:fs';
import { join } from 'node:path';
import type { ChildProcess } from 'node:child_process';
import { ConfigError, readSettings } from '../apps/server/src/config.ts';
import { DataDirectoryInUse, findDataDirectoryHolder } from '../packages/database/src/embedded/data-lock.ts';
import { onStopSignal, root, startScript, stopChild, waitForExit } from './child-process.ts';

const WATCHED = ['apps/server/src', 'packages'];
const WEB_PORT = 5173;

try {
  await runForDevelopment();
} catch (error) {
  console.error((error as Error).message);
  process.exitCode = 1;
}

/** Web with hot reload, server that restarts on change, sandbox. */
async function runForDevelopment(): Promise<void> {
  const settings = readSettings(process.env);
  const holder = settings.databaseUrl ? undefined : findDataDirectoryHolder(settings.dataDir);
  if (holder) throw new DataDirectoryInUse(settings.dataDir, holder);
  if (settings.port === 0) throw new ConfigError(['PORT must name a port for the development server.']);

  const sandbox =
    settings.ownSandboxPort === undefined
      ? undefined
      : startScript('packages/sandbox/src/main.ts', {
          env: { SANDBOX_PORT: String(settings.ownSandboxPort) },
        });
  const server = startRestartingServer();
  const web = startScript(join(root, 'node_modules/vite/bin/vite.js'), {
    args: ['--strictPort', '--port', String(WEB_PORT)],
    cwd: join(root, 'apps/web'),
    env: { API_ORIGIN: `http://127.0.0.1:${settings.port}` },
  });
  onStopSignal(() => void stopChild(web, 2_000));
  await waitForExit(web);
  await server.stop();
  await stopChild(sandbox, 5_000);
}

function startRestartingServer(): { stop(): Promise<void> } {
  let current: ChildProcess | undefined = startServer();
  let changing: Promise<void> = Promise.resolve();
  let timer: NodeJS.Timeout | undefined;
  const watchers = WATCHED.map((folder) =>
    watch(join(root, folder), { recursive: true }, (_event, file) => {
      if (!file || !/(?<!\.test)\.(ts|json|sql)$/.test(file) || /(^|\/)(sandbox|node_modules)\//.test(file))
        return;
      clearTimeout(timer);
      timer = setTimeout(() => (changing = changing.then(restart)), 200);
    }),
  );
  const restart = async () => {
    console.log('Restarting the server …');
    await stopChild(current);
    current = startServer();
  };
  return {
    async stop() {
      clearTimeout(timer);
      for (const watcher of watchers) watcher.close();
      await changing;
      await stopChild(current);
    },
  };
}

function startServer(): ChildProcess {
  return startScript('apps/server/src/main.ts', {
    env: { PUBLIC_URL: process.env.PUBLIC_URL ?? `http://localhost:${WEB_PORT}` },
  });
}
