import { type ChildProcess, spawn } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { chromium, type Browser, type BrowserContext, type Page } from '@playwright/test';
import { ensureChromium } from '../../tools/chromium.ts';
import { buildWebIfStale } from '../../tools/web-build.ts';
import { openBenchDatabase, type BenchDatabase } from './bench-database.ts';
import { findFreePort, root } from './processes.ts';

export type BenchProduct = {
  url: string;
  /** Where the server looks for the sandbox; who needs it starts it. */
  sandboxUrl: string;
  serverPid: number;
  database: BenchDatabase;
  /** The sample workspace, whose admin `openPage` signs in. */
  workspaceId: string;
  /** A context of its own, as a visitor's first visit. */
  openPage(options?: { isSignedIn?: boolean }): Promise<Page>;
  /** Signs the admin in, as a request header. */
  cookie: string;
  /** Calls the API as the admin. */
  get(path: string): Promise<Response>;
  /** Does an act as the admin, once. */
  post(path: string, body: object): Promise<Response>;
  /** Does something with the database while the server is stopped, and starts it again. */
  withoutServer(act: () => Promise<void>): Promise<void>;
  close(): Promise<void>;
};

export const CHROMIUM_FLAGS = [
  '--no-sandbox',
  '--disable-gpu',
  '--disable-quic',
  '--disable-background-networking',
];
// Else a killed benchmark would leave its server behind.
const STOP_WITH_PARENT = pathToFileURL(join(root, 'tools/stop-with-parent.mjs')).href;
const ADMIN = { email: 'admin@example.com', password: 'Welcome123' };

/** The server with its built web app over a database of its own, and a real browser before it. A database that is kept is taken as it is found. */
export async function openBenchProduct(keep: { home?: string } = {}): Promise<BenchProduct> {
  buildWebIfStale(() => {});
  const database = await openBenchDatabase(keep);
  // The sample workspace comes to empty installations only.
  if (database.isNew) await database.database.systemPool.query('DELETE FROM workspaces');
  const [port, sandboxPort] = [await findFreePort(), await findFreePort()];
  const url = `http://127.0.0.1:${port}`;
  const dataDir = mkdtempSync(join(tmpdir(), 'messaging-bench-'));
  const start = () =>
    startServer({
      ...{ PORT: String(port), PUBLIC_URL: url, DATA_DIR: dataDir, DATABASE_URL: database.url },
      ...{ SECRET_KEY: 'of the benchmarks, and of nothing else', SANDBOX_PORT: String(sandboxPort) },
      LOG_LEVEL: 'error',
    });
  let server = await start().catch(async (error: Error) => {
    await database.close();
    throw error;
  });
  const { rows } = await database.database.systemPool.query(
    `SELECT id FROM workspaces WHERE slug = 'sample'`,
  );
  // Not every figure needs one.
  let browser: Promise<Browser> | undefined;
  const openBrowser = async () =>
    chromium.launch({ args: CHROMIUM_FLAGS, executablePath: await ensureChromium() });
  const cookie = await signIn(url);
  return {
    url,
    sandboxUrl: `http://127.0.0.1:${sandboxPort}`,
    get serverPid() {
      return server.pid ?? 0;
    },
    database,
    workspaceId: rows[0].id,
    cookie,
    openPage: async ({ isSignedIn = true } = {}) =>
      openPage(await (browser ??= openBrowser()), url, isSignedIn),
    get: (path) => fetch(`${url}${path}`, { headers: { cookie } }),
    post: (path, body) =>
      fetch(`${url}${path}`, {
        method: 'POST',
        headers: { cookie, 'content-type': 'application/json', 'idempotency-key': randomUUID() },
        body: JSON.stringify(body),
      }),
    async withoutServer(act) {
      await stopServer(server);
      await act();
      server = await start();
    },
    async close() {
      await (await browser)?.close();
      await stopServer(server);
      await database.close();
      rmSync(dataDir, { recursive: true, force: true });
    },
  };
}

async function startServer(env: Record<string, string>): Promise<ChildProcess> {
  const server = spawn(
    process.execPath,
    ['--import', STOP_WITH_PARENT, join(root, 'apps/server/src/main.ts')],
    { cwd: root, env: { ...process.env, ...env }, stdio: ['ignore', 'pipe', 'inherit', 'ipc'] },
  );
  await waitForGreeting(server);
  return server;
}

async function stopServer(server: ChildProcess): Promise<void> {
  if (server.exitCode !== null || server.signalCode !== null) return;
  const ended = new Promise((resolve) => server.once('exit', resolve));
  server.kill('SIGTERM');
  await ended;
}

const FIRST_NAMES =
  'Ada Amir Ana Ben Bianca Carl Chen Dana Diego Ella Emre Farah Felix Gita Hugo Ines Ivan Jana Jonas Kaya Kenji Lara Leo Lina Luca Mara Marco Maya Mina Nadia Noah Olga Omar Paula Quinn Rosa Sami Sofia Tara Theo Uma Victor Wanda Xenia Yara Yusuf Zara Zoe';
const LAST_NAMES =
  'Abbott Ahmed Alvarez Baker Becker Bianchi Brandt Castro Costa Dubois Egger Fischer Fontaine Garcia Gruber Haddad Hansen Ito Ivanova Jansen Kaplan Keller Kim Klein Kowalski Lang Larsen Lopez Martin Meyer Moreau Nagy Nguyen Novak Okafor Olsen Patel Pereira Popov Rossi Santos Sato Schmidt Silva Singh Tanaka Toth Varga Weber Wong Yilmaz Zhang';
const BATCH = 100_000;

/** People with names, addresses and tags of everyday spread, each added a second after the one before. */
export async function addPeople({ database, workspaceId }: BenchProduct, count: number): Promise<void> {
  const pool = database.database.systemPool;
  // So many contacts need a plan without a limit; a smaller one would show its warning above every page.
  await pool.query(`UPDATE workspaces SET plan = 'enterprise' WHERE id = $1`, [workspaceId]);
  // Built at the end, they take a fraction of the time.
  const { rows: indexes } = await pool.query<{ name: string; definition: string }>(
    `SELECT indexname AS name, indexdef AS definition FROM pg_indexes
      WHERE tablename = 'contacts' AND indexdef LIKE '%USING gin%'`,
  );
  for (const { name } of indexes) await pool.query(`DROP INDEX ${name}`);
  for (let first = 1; first <= count; first += BATCH) {
    await pool.query(
      `INSERT INTO contacts (id, workspace_id, name, phone, email, tags, status, created_at)
         SELECT uuidv7(), $1, person.first || ' ' || person.last, '+49157' || (10000000 + n),
                lower(person.first || '.' || person.last) || n || '@example.com',
                CASE n % 5 WHEN 0 THEN '{vip}'::text[] WHEN 1 THEN '{customer,newsletter}' ELSE '{customer}' END,
                CASE WHEN n % 50 = 0 THEN 'blocked' ELSE 'active' END, now() - n * interval '1 second'
           FROM generate_series($2::integer, $3::integer) n,
                LATERAL (SELECT ($4::text[])[1 + abs(hashint4(n)) % cardinality($4::text[])] AS first,
                                ($5::text[])[1 + abs(hashint4(n + 7)) % cardinality($5::text[])] AS last) AS person`,
      [workspaceId, first, Math.min(first + BATCH - 1, count), FIRST_NAMES.split(' '), LAST_NAMES.split(' ')],
    );
  }
  for (const { definition } of indexes) await pool.query(definition);
  await pool.query('SELECT fold_contact_counts($1)', [workspaceId]);
  await pool.query('VACUUM ANALYZE contacts');
}

/** Until nothing was loaded for half a second. The event stream stays open, so the network is never idle. */
export async function waitUntilQuiet(page: Page): Promise<void> {
  let before = -1;
  for (let look = 0; look < 20; look += 1) {
    const loaded = await page.evaluate(() => performance.getEntriesByType('resource').length);
    if (loaded === before) return;
    before = loaded;
    await page.waitForTimeout(500);
  }
}

async function openPage(browser: Browser, url: string, isSignedIn: boolean): Promise<Page> {
  const context = await browser.newContext({ baseURL: url, viewport: { width: 1280, height: 860 } });
  context.setDefaultTimeout(15_000);
  if (isSignedIn) await signInContext(context);
  return context.newPage();
}

async function signInContext(context: BrowserContext): Promise<void> {
  const answer = await context.request.post('/api/auth/sign-in/email', { data: ADMIN });
  if (!answer.ok()) throw new Error(`The admin cannot sign in: ${answer.status()}`);
}

/** Signs a sample person in; the answer is their request header. */
export async function signIn(url: string, email = ADMIN.email): Promise<string> {
  const answer = await fetch(`${url}/api/auth/sign-in/email`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ ...ADMIN, email }),
  });
  return answer.headers
    .getSetCookie()
    .map((cookie) => cookie.slice(0, cookie.indexOf(';')))
    .join('; ');
}

function waitForGreeting(server: ChildProcess): Promise<void> {
  return new Promise((resolve, reject) => {
    let output = '';
    server.stdout?.on('data', (chunk: Buffer) => {
      output += chunk.toString();
      if (output.includes('Ready at ')) resolve();
    });
    server.once('exit', (code) => reject(new Error(`The server ended with code ${code}.`)));
  });
}
