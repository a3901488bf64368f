import { createSandbox } from './sandbox.ts';

const port = Number(process.env['SANDBOX_PORT'] ?? 3010);
const host = process.env['HOST'] ?? '127.0.0.1';
const callbackUrl = process.env['SANDBOX_WEBHOOK_URL'] ?? 'http://127.0.0.1:3000/webhooks/whatsapp/sample';

/** Other names under which people reach it, separated by commas. */
const names = (process.env['SANDBOX_HOSTS'] ?? '')
  .split(',')
  .map((name) => name.trim())
  .filter(Boolean);
const stateFile = process.env['SANDBOX_STATE_FILE'];

/** The same product hears of RCS at the address of that kind. */
const rcsCallbackUrl = callbackUrl.replace('/webhooks/whatsapp/', '/webhooks/rcs/');

const sandbox = createSandbox({
  ...{ whatsappCallbackUrl: callbackUrl, rcsCallbackUrl },
  ...(stateFile ? { stateFile } : {}),
});

let isStopping = false;
function stop(): void {
  if (isStopping) return;
  isStopping = true;
  // Open connections must not hold the process: the product stops it together with itself.
  setTimeout(() => process.exit(0), 500).unref();
  void sandbox.close().then(() => process.exit(0));
}

process.on('SIGTERM', stop);
process.on('SIGINT', stop);
// Started as a child with a channel: a parent that was killed cannot stop it any more.
if (process.connected) process.on('disconnect', stop);

try {
  const server = await sandbox.start({ port, host, mailPort: port === 0 ? 0 : port + 1, names });
  console.log(`Sandbox ready on ${server.url} (mail on port ${server.mailPort})`);
  process.send?.({ type: 'ready', port: server.port, mailPort: server.mailPort });
} catch (error) {
  console.error(
    `The sandbox could not start on ${host}:${port}: ${error instanceof Error ? error.message : String(error)}`,
  );
  process.exit(1);
}
