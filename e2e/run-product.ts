import { spawn, type ChildProcess } from 'node:child_process';
import { createServer } from 'node:net';
import { fileURLToPath } from 'node:url';

export type Product = {
  url: string;
  sandboxUrl: string;
  /** What server and sandbox have written since the start. */
  readOutput(): string;
  stop(): Promise<void>;
};

export type ProductOptions = {
  /** People can sign in with the company's own provider, which is the sandbox's. */
  hasCompany?: boolean;
};

const ROOT = fileURLToPath(new URL('..', import.meta.url));
const START_LIMIT_MS = 600_000;

/** Starts the product as a person does, on free ports and on this data directory. */
export async function runProduct(
  dataDir: string,
  { hasCompany = false }: ProductOptions = {},
): Promise<Product> {
  const port = await findFreePort();
  const sandboxPort = await findFreePortPair();
  const url = `http://127.0.0.1:${port}`;
  const child = spawn(process.execPath, ['tools/start.ts'], {
    cwd: ROOT,
    env: {
      ...process.env,
      PORT: String(port),
      PUBLIC_URL: url,
      SANDBOX_PORT: String(sandboxPort),
      DATA_DIR: dataDir,
      DATABASE_URL: '',
      LOG_LEVEL: 'warn',
      ...(hasCompany && nameCompany(sandboxPort)),
    },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  let output = '';
  for (const stream of [child.stdout, child.stderr])
    stream.on('data', (chunk: Buffer) => (output += chunk.toString()));
  await waitUntilReady(child, () => output);
  const sandboxUrl = `http://127.0.0.1:${sandboxPort}`;
  await waitForSandbox(sandboxUrl);
  return {
    url,
    sandboxUrl,
    readOutput: () => output,
    async stop() {
      const ended = new Promise((resolve) => child.once('exit', resolve));
      child.kill('SIGTERM');
      await ended;
    },
  };
}

function nameCompany(sandboxPort: number): Record<string, string> {
  return {
    OIDC_ISSUER: `http://127.0.0.1:${sandboxPort}/oidc`,
    OIDC_CLIENT_ID: 'sandbox-openid-client',
    OIDC_CLIENT_SECRET: 'sandbox-openid-secret',
    OIDC_NAME: 'Company Account',
  };
}

function waitUntilReady(child: ChildProcess, readOutput: () => string): Promise<void> {
  return new Promise((resolve, reject) => {
    const fail = (why: string) => reject(new Error(`The product did not start: ${why}\n${readOutput()}`));
    const timer = setTimeout(() => fail('it took too long'), START_LIMIT_MS);
    child.stdout?.on('data', () => {
      if (!readOutput().includes('Ready at ')) return;
      clearTimeout(timer);
      resolve();
    });
    child.once('exit', (code) => fail(`it ended with code ${code}`));
  });
}

/** The sandbox starts beside the server; its templates are approved a moment after both are there. */
async function waitForSandbox(sandboxUrl: string): Promise<void> {
  for (let attempt = 0; attempt < 100; attempt += 1) {
    const answer = await fetch(`${sandboxUrl}/_sandbox/health`).catch(() => null);
    if (answer?.ok) return;
    await new Promise((resolve) => setTimeout(resolve, 100));
  }
  throw new Error('The sandbox did not start.');
}

function findFreePort(wanted = 0): Promise<number> {
  return new Promise((resolve, reject) => {
    const probe = createServer();
    probe.once('error', reject);
    probe.listen(wanted, '127.0.0.1', () => {
      const address = probe.address();
      probe.close(() =>
        typeof address === 'object' && address ? resolve(address.port) : reject(new Error('No port.')),
      );
    });
  });
}

/** The sandbox takes mail on the port after its own. */
async function findFreePortPair(): Promise<number> {
  for (;;) {
    const port = await findFreePort();
    if (port < 65_535 && (await findFreePort(port + 1).catch(() => null))) return port;
  }
}
