import { createHash, randomBytes } from 'node:crypto';
import { copyFileSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import pg from 'pg';
import { advisoryLocks } from '../advisory-locks.ts';
import { migrateDatabase } from '../database.ts';
import { readSteps } from '../read-steps.ts';
import { findInstalledServer, startTestCluster } from './test-cluster.ts';

export type TestDatabase = {
  /** Superuser address of a fresh, migrated, empty database. */
  url: string;
  drop(): Promise<void>;
};

const MIGRATIONS = fileURLToPath(new URL('../migrations', import.meta.url));

let ownServer: Promise<string> | undefined;

/**
 * A database of its own for one test file, copied from a migrated template. The server is `TEST_DATABASE_URL`, else a
 * throw-away cluster of this process.
 */
export async function createTestDatabase(): Promise<TestDatabase> {
  const server = await findServer();
  const name = `test_${process.pid}_${randomBytes(6).toString('hex')}`;
  await asAdmin(server, async (admin) => {
    const template = await prepareTemplate(server, admin);
    await admin.query(`CREATE DATABASE ${name} TEMPLATE ${template} STRATEGY file_copy`);
    await copyGrants(admin, template, name);
  });
  return {
    url: databaseUrl(server, name),
    drop: () => dropDatabase(server, name),
  };
}

/** An empty database as a version left it that had only the steps below this number; `migrateDatabase` brings it to the newest. */
export async function createOlderDatabase(below: number): Promise<TestDatabase> {
  const server = await findServer();
  const name = `older_${process.pid}_${randomBytes(6).toString('hex')}`;
  const url = databaseUrl(server, name);
  const folder = mkdtempSync(join(tmpdir(), 'migrations-'));
  try {
    copyStepsBelow(below, folder);
    await asAdmin(server, async (admin) => {
      await admin.query(`CREATE DATABASE ${name}`);
    });
    await migrateDatabase(url, folder);
  } finally {
    rmSync(folder, { recursive: true });
  }
  return { url, drop: () => dropDatabase(server, name) };
}

function copyStepsBelow(below: number, folder: string): void {
  const files = readdirSync(MIGRATIONS).filter(
    (file) => file.endsWith('.sql') && Number(file.slice(0, 4)) < below,
  );
  for (const file of files) copyFileSync(join(MIGRATIONS, file), join(folder, file));
}

function findServer(): Promise<string> {
  const given = process.env.TEST_DATABASE_URL;
  return given ? Promise.resolve(given) : (ownServer ??= startOwnServer());
}

function dropDatabase(server: string, name: string): Promise<void> {
  return asAdmin(server, async (admin) => {
    await admin.query(`DROP DATABASE IF EXISTS ${name} WITH (FORCE)`);
  });
}

async function prepareTemplate(server: string, admin: pg.Client): Promise<string> {
  const template = `template_${hashSchema()}`;
  if (await exists(admin, template)) return template;
  await admin.query('SELECT pg_advisory_lock($1)', [advisoryLocks.testTemplate]);
  try {
    if (await exists(admin, template)) return template;
    // Renamed when complete: a run that dies half-way leaves no half-migrated template.
    const draft = `${template}_draft`;
    await admin.query(`DROP DATABASE IF EXISTS ${draft} WITH (FORCE)`);
    await admin.query(`CREATE DATABASE ${draft}`);
    await migrateDatabase(databaseUrl(server, draft));
    await admin.query(`ALTER DATABASE ${draft} RENAME TO ${template}`);
  } finally {
    await admin.query('SELECT pg_advisory_unlock($1)', [advisoryLocks.testTemplate]);
  }
  return template;
}

/** CREATE DATABASE copies everything inside the template but not the rights on the database itself. */
async function copyGrants(admin: pg.Client, template: string, name: string): Promise<void> {
  const { rows } = await admin.query<{ grantee: string; privilege: string }>(
    `SELECT grantee::regrole::text AS grantee, privilege_type AS privilege
       FROM pg_database, aclexplode(datacl) WHERE datname = $1 AND grantee <> 0 AND grantee <> datdba`,
    [template],
  );
  for (const { grantee, privilege } of rows)
    await admin.query(`GRANT ${privilege} ON DATABASE ${name} TO ${grantee}`);
}

async function exists(admin: pg.Client, name: string): Promise<boolean> {
  const { rowCount } = await admin.query('SELECT FROM pg_database WHERE datname = $1', [name]);
  return rowCount === 1;
}

/** Names the template after everything that shapes it, so that a changed migration builds a new one. */
function hashSchema(): string {
  const source = fileURLToPath(new URL('..', import.meta.url));
  const hash = createHash('sha256').update(readFileSync(join(source, 'database.ts')));
  for (const { name, hash: text } of readSteps(MIGRATIONS)) hash.update(name).update(text);
  return hash.digest('hex').slice(0, 16);
}

async function startOwnServer(): Promise<string> {
  const cluster = await startTestCluster(findInstalledServer() ? 'system' : 'embedded');
  process.once('beforeExit', () => void cluster.stop());
  return cluster.url;
}

async function asAdmin(server: string, work: (admin: pg.Client) => Promise<void>): Promise<void> {
  const admin = new pg.Client({ connectionString: server });
  await admin.connect();
  try {
    await work(admin);
  } finally {
    await admin.end();
  }
}

function databaseUrl(server: string, database: string): string {
  const url = new URL(server);
  url.pathname = `/${database}`;
  return url.href;
}
