import { fileURLToPath } from 'node:url';
import { drizzle, type NodePgDatabase } from 'drizzle-orm/node-postgres';
import { migrate } from 'drizzle-orm/node-postgres/migrator';
import pg from 'pg';

/** A transaction (or plain connection) that speaks drizzle's query builder. */
export type Queries = Pick<
  NodePgDatabase,
  'select' | 'selectDistinct' | 'insert' | 'update' | 'delete' | 'execute' | 'with' | '$with' | '$count'
>;

/** What runs inside a transaction: the query builder, and the same connection for hand-written SQL. */
export type Work<Result> = (tx: Queries, client: pg.PoolClient) => Promise<Result>;

export type Database = {
  /** Runs `work` in one transaction that sees only the rows of `workspaceId`; an error rolls all of it back. */
  inWorkspace<Result>(workspaceId: string, work: Work<Result>): Promise<Result>;
  /** Runs `work` in one transaction that sees every workspace: for sign-in, webhooks, deliveries and jobs only. */
  inSystem<Result>(work: Work<Result>): Promise<Result>;
  /** Connections of system scope for hand-written SQL (delivery engine, webhooks). */
  systemPool: pg.Pool;
  close(): Promise<void>;
};

export type DatabaseOptions = {
  /** `postgres://…` address. A superuser is fine: queries then run as the unprivileged role `messaging_app`. */
  url: string;
  /** Most connections of each of the two pools. */
  poolSize?: number;
  onError?: (error: Error) => void;
};

const APP_ROLE = 'messaging_app';
const MIGRATIONS_FOLDER = fileURLToPath(new URL('./migrations', import.meta.url));
const MIGRATION_LOCK = 7_302_118;

/** Opens both pools. Call `migrateDatabase` first. */
export async function openDatabase({ url, poolSize = 10, onError }: DatabaseOptions): Promise<Database> {
  const role = await readRoleToAssume(url);
  const workspacePool = openPool(url, { role, poolSize, onError });
  const systemPool = openPool(url, { role, scope: 'system', poolSize, onError });
  return {
    inWorkspace: (workspaceId, work) =>
      runTransaction(workspacePool, async (tx, client) => {
        await client.query(`SELECT set_config('app.workspace_id', $1, true)`, [workspaceId]);
        return work(tx, client);
      }),
    inSystem: (work) => runTransaction(systemPool, work),
    systemPool,
    close: async () => {
      await Promise.all([workspacePool.end(), systemPool.end()]);
    },
  };
}

/** Commits when `work` resolves, else rolls back; a connection that cannot even roll back leaves its pool. */
async function runTransaction<Result>(pool: pg.Pool, work: Work<Result>): Promise<Result> {
  const client = await pool.connect();
  let broken: Error | undefined;
  try {
    await client.query('BEGIN');
    const result = await work(drizzle(client), client);
    await client.query('COMMIT');
    return result;
  } catch (error) {
    await client.query('ROLLBACK').catch((rollbackError: Error) => (broken = rollbackError));
    throw error;
  } finally {
    client.release(broken);
  }
}

/** Brings the database to the newest schema; several processes may call it at once. */
export async function migrateDatabase(url: string): Promise<void> {
  const admin = new pg.Client({ connectionString: url });
  await admin.connect();
  try {
    await admin.query('SELECT pg_advisory_lock($1)', [MIGRATION_LOCK]);
    const role = await prepareDatabase(admin);
    const pool = openPool(url, { role, scope: 'system', poolSize: 1 });
    try {
      await migrate(drizzle(pool), { migrationsFolder: MIGRATIONS_FOLDER });
    } finally {
      await pool.end();
    }
  } finally {
    await admin.end();
  }
}

/**
 * A superuser is not held by row-level security, so its connections assume an unprivileged role that owns
 * the schema. Search operators become leakproof in this database, else the planner may not use the trigram
 * and array indexes beneath a row-level policy.
 */
async function prepareDatabase(admin: pg.Client): Promise<string | undefined> {
  const { rows } = await admin.query(
    'SELECT rolsuper, rolbypassrls, current_database() AS name FROM pg_roles WHERE rolname = current_user',
  );
  const { rolsuper, rolbypassrls, name } = rows[0];
  if (!rolsuper) {
    await admin.query('CREATE EXTENSION IF NOT EXISTS pg_trgm');
    if (rolbypassrls)
      throw new Error('DATABASE_URL names a role with BYPASSRLS; use one without it, or a superuser.');
    return undefined;
  }
  await admin.query(`DO $$ BEGIN
      IF NOT EXISTS (SELECT FROM pg_roles WHERE rolname = '${APP_ROLE}') THEN CREATE ROLE ${APP_ROLE} NOLOGIN; END IF;
    EXCEPTION WHEN duplicate_object OR unique_violation THEN NULL; END $$`);
  const database = admin.escapeIdentifier(name);
  await admin.query(`GRANT CREATE, CONNECT, TEMPORARY ON DATABASE ${database} TO ${APP_ROLE}`);
  await admin.query(`GRANT CREATE, USAGE ON SCHEMA public TO ${APP_ROLE}`);
  await admin.query('CREATE EXTENSION IF NOT EXISTS pg_trgm');
  for (const operator of [
    'texticlike(text, text)',
    'textlike(text, text)',
    'arraycontains(anyarray, anyarray)',
    'arrayoverlap(anyarray, anyarray)',
    'jsonb_contains(jsonb, jsonb)',
  ]) {
    await admin.query(`ALTER FUNCTION pg_catalog.${operator} LEAKPROOF`);
  }
  return APP_ROLE;
}

async function readRoleToAssume(url: string): Promise<string | undefined> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  try {
    const { rows } = await client.query('SELECT rolsuper FROM pg_roles WHERE rolname = current_user');
    return rows[0]?.rolsuper ? APP_ROLE : undefined;
  } finally {
    await client.end();
  }
}

function openPool(
  url: string,
  {
    role,
    scope,
    poolSize,
    onError,
  }: {
    role: string | undefined;
    scope?: 'system';
    poolSize: number;
    onError?: ((error: Error) => void) | undefined;
  },
): pg.Pool {
  const options = [role && `-c role=${role}`, scope && `-c app.scope=${scope}`].filter(Boolean).join(' ');
  const pool = new pg.Pool({ connectionString: url, max: poolSize, ...(options && { options }) });
  // An idle connection that the server closes must not end the process; the next query opens a new one.
  pool.on('error', (error) => onError?.(error));
  // A connection that is closing belongs to no pool any more, and may still hear that the server stops.
  pool.on('connect', (client) => client.on('error', () => undefined));
  // Nor one that is in use but between two queries: its next query fails, and that is where it is handled.
  pool.on('connect', (client) => client.on('error', () => undefined));
  return pool;
}
