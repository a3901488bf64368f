import { setFlagsFromString } from 'node:v8';
import { ConfigError, readConfig } from './config.ts';
import { explainFull } from './media/disk-room.ts';
import { startHost } from './host.ts';
import { createLogger } from './logger.ts';
import { stopWithParent } from './stop-with-parent.ts';

const SHUTDOWN_LIMIT_MS = 15_000;
/** By how many percent the heap may grow before garbage goes. Without it long work, such as a sync of 250,000 records, holds three times what it needs. */
const HEAP_GROWTH = 50;

setFlagsFromString(`--heap-growing-percent=${HEAP_GROWTH}`);

try {
  const config = readConfig(process.env);
  const logger = createLogger(config.logLevel);
  const host = await startHost(config, logger);
  let isStopping = false;
  const stop = async () => {
    if (isStopping) return;
    isStopping = true;
    setTimeout(() => process.exit(1), SHUTDOWN_LIMIT_MS).unref();
    await host.stop();
    process.exit(0);
  };
  process.on('SIGTERM', stop);
  process.on('SIGINT', stop);
  process.on('SIGHUP', stop);
  stopWithParent(stop);
  process.stdout.write(`${host.greeting}\n`);
} catch (error) {
  process.stderr.write(`${explain(error)}\n`);
  process.exit(1);
}

/** What a person can act on comes without a stack; everything else is a bug and shows where it happened. */
function explain(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  const full = explainFull(error);
  if (full !== undefined) return full;
  const isExpected =
    error instanceof ConfigError ||
    ['DiskFull', 'DataDirectoryInUse', 'ForeignSchema', 'PortTaken'].includes(error.name);
  return isExpected ? error.message : (error.stack ?? error.message);
}
