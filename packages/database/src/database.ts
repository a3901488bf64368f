import { fileURLToPath } from 'node:url';
import { type NodePgDatabase } from 'drizzle-orm/node-postgres';
import pg from 'pg';
import { advisoryLocks } from './advisory-locks.ts';
import { applySteps } from './apply-steps.ts';
import { checkApplied } from './check-applied.ts';
import { openPool } from './open-pool.ts';
import { openQueries } from './open-queries.ts';
import { hideValues } from './query-error.ts';
import { readSteps, type Step } from './read-steps.ts';
import { createShares, type Shares } from './shares.ts';
import type { SqlQueries } from './sql-queries.ts';

/** A transaction (or plain connection) that speaks drizzle's query builder. */
export type Queries = Pick<
  NodePgDatabase,
  'select' | 'selectDistinct' | 'insert' | 'update' | 'delete' | 'execute' | 'with' | '$with' | '$count'
>;

/** What runs inside a transaction: the query builder, and the same connection for hand-written SQL. */
export type Work<Result> = (tx: Queries, client: pg.PoolClient) => Promise<Result>;

/**
 * What a piece of work of a person may take. Each kind has connections of its own, so that many of one kind make only
 * their like wait: `searching` and `counting` may go through every row, to find a page or a number; `reporting` may read all messages
 * of years; `long` changes or reads as many as a whole audience has; `starting` makes and starts campaigns, so that no other long work keeps anybody from
 * sending. Of the connections for long work and for starting one workspace leaves some to the others. A transaction is of one
 * kind from its begin to its end.
 */
export type WorkKind = 'interactive' | 'searching' | 'counting' | 'reporting' | 'long' | 'starting';

export type Database = {
  /** Runs `work` in one transaction that sees only the rows of `workspaceId`; an error rolls all of it back. */
  inWorkspace<Result>(workspaceId: string, work: Work<Result>): Promise<Result>;
  /** The same for work that is not interactive. */
  inWorkspaceFor<Result>(kind: WorkKind, workspaceId: string, work: Work<Result>): Promise<Result>;
  /** Interactive reading, of which every statement sees the same moment: for answers whose figures must add up. */
  inWorkspaceAtOneMoment<Result>(workspaceId: string, work: Work<Result>): Promise<Result>;
  /**
   * Runs `work` in one transaction that sees every workspace: for sign-in, webhooks, deliveries and jobs only. It fails where
   * one lock is not free within `lockMs`.
   */
  inSystem<Result>(work: Work<Result>, limits?: { lockMs: number }): Promise<Result>;
  /** The same connections for work of the product itself in one workspace, of which alone it sees rows. */
  inSystemWorkspace<Result>(workspaceId: string, work: Work<Result>): Promise<Result>;
  /** Connections of system scope for hand-written SQL (delivery engine, webhooks). */
  systemPool: pg.Pool;
  /** Of system scope too: an import holds one of them for as long as its file takes to arrive. */
  importPool: pg.Pool;
  /** Of system scope too: what the queue of background work needs for itself, so that it lives when all others wait. */
  jobPool: pg.Pool;
  close(): Promise<void>;
};

export type DatabaseOptions = {
  /** `postgres://…` address. A superuser is fine: queries then run as the unprivileged role `messaging_app`. */
  url: string;
  /** Most connections for interactive work and reports together, and most of system scope, those of the background's queue among them. */
  poolSize?: number;
  /** Other times than those of the product, for tests. */
  times?: { statementMs?: number; waitMs?: number };
  onError?: (error: Error) => void;
};

/** Together with `poolSize` twice and the listeners they stay below the 100 connections of a server as it comes, for two processes. */
const FEW = 3;
export const MOST_IMPORTS = 4;
/** One that listens, one for signs of life, and one for everything else. */
const JOB_CONNECTIONS = 3;
const LEAST_CONNECTIONS = 4;
const SECOND = 1_000;
const MINUTE = 60 * SECOND;
const LONG_WAIT = 20 * SECOND;
/**
 * The first statements of a new connection take longer, because PostgreSQL reads its catalogue. Connections for the requests of
 * users stay open for as long as a user may read a page between two clicks.
 */
const PAUSE_MS = 5 * MINUTE;

/** How long one statement of each kind may take. */
const statementTimes: Record<WorkKind, number> = {
  interactive: 20 * SECOND,
  searching: 20 * SECOND,
  counting: 20 * SECOND,
  reporting: 20 * SECOND,
  long: 10 * MINUTE,
  starting: 10 * MINUTE,
};

/** What is left of a pool when others take some of its connections. */
function lessOf(poolSize: number, taken: number): number {
  return Math.max(poolSize - taken, Math.min(LEAST_CONNECTIONS, poolSize));
}

const APP_ROLE = 'messaging_app';
const MIGRATIONS_FOLDER = fileURLToPath(new URL('./migrations', import.meta.url));

/** Opens the pools. Call `migrateDatabase` first. */
export async function openDatabase({
  url,
  poolSize = 10,
  times,
  onError,
}: DatabaseOptions): Promise<Database> {
  const role = await readRoleToAssume(url);
  const shared = { role, onError };
  const forPeople = { ...shared, idleMs: PAUSE_MS };
  const few = Math.min(FEW, poolSize);
  const workspacePools: Record<WorkKind, pg.Pool> = {
    interactive: openPool(url, {
      ...{
        ...forPeople,
        size: lessOf(poolSize, few),
        statementMs: statementTimes.interactive,
        waitMs: 5 * SECOND,
      },
      ...times,
    }),
    searching: openPool(url, {
      ...{ ...forPeople, size: few, statementMs: statementTimes.searching, waitMs: 10 * SECOND },
      ...times,
    }),
    counting: openPool(url, {
      ...{ ...forPeople, size: few, statementMs: statementTimes.counting, waitMs: 20 * SECOND },
      ...times,
    }),
    reporting: openPool(url, {
      ...{ ...forPeople, size: few, statementMs: statementTimes.reporting, waitMs: 20 * SECOND },
      ...times,
    }),
    long: openPool(url, {
      ...{ ...shared, size: few, statementMs: statementTimes.long, waitMs: LONG_WAIT },
      ...times,
    }),
    starting: openPool(url, {
      ...{ ...shared, size: few, statementMs: statementTimes.starting, waitMs: LONG_WAIT },
      ...times,
    }),
  };
  const systemPool = openPool(url, {
    ...{ ...shared, scope: 'system', statementMs: 5 * MINUTE, waitMs: 10 * SECOND },
    size: lessOf(poolSize, JOB_CONNECTIONS),
    ...times,
  });
  const importPool = openPool(url, {
    ...{ ...shared, scope: 'system', size: MOST_IMPORTS, statementMs: 30 * MINUTE, waitMs: 5 * SECOND },
    ...times,
  });
  const jobPool = openPool(url, {
    ...{ ...shared, scope: 'system', size: JOB_CONNECTIONS, statementMs: MINUTE, waitMs: 10 * SECOND },
    ...times,
  });
  const pools = [...Object.values(workspacePools), systemPool, importPool, jobPool];
  const shareRules = { ofOne: Math.max(1, few - 1), waitMs: times?.waitMs ?? LONG_WAIT };
  const inShare: Partial<Record<WorkKind, Shares>> = {
    long: createShares(shareRules),
    starting: createShares(shareRules),
  };
  const runInWorkspace = <Result>(
    kind: WorkKind,
    workspaceId: string,
    work: Work<Result>,
    limits?: TransactionLimits,
  ) => runTransaction(workspacePools[kind], work, limits, inWorkspaceText(workspaceId));
  const inWorkspaceFor: Database['inWorkspaceFor'] = (kind, workspaceId, work) => {
    const run = () => runInWorkspace(kind, workspaceId, work);
    return inShare[kind]?.(workspaceId, run) ?? run();
  };
  return {
    inWorkspace: (workspaceId, work) => inWorkspaceFor('interactive', workspaceId, work),
    inWorkspaceFor,
    inWorkspaceAtOneMoment: (workspaceId, work) =>
      runInWorkspace('interactive', workspaceId, work, { isOneMoment: true }),
    inSystem: (work, limits) => runTransaction(systemPool, work, limits),
    inSystemWorkspace: (workspaceId, work) =>
      runTransaction(systemPool, work, undefined, narrowText(workspaceId)),
    systemPool,
    importPool,
    jobPool,
    close: async () => {
      await Promise.all(pools.map((pool) => pool.end()));
    },
  };
}

/** From here to the end of the transaction, or until `widenToSystem`, a connection of system scope sees one workspace. */
export async function narrowToWorkspace(client: SqlQueries, workspaceId: string): Promise<void> {
  await client.query(narrowText(workspaceId));
}

export async function widenToSystem(client: SqlQueries): Promise<void> {
  await client.query(WIDEN);
}

/** The same with a savepoint, until `widenAndRelease`: each of the two is one message to the database. */
export async function narrowAtSavepoint(
  client: SqlQueries,
  workspaceId: string,
  name: string,
): Promise<void> {
  await client.query(`SAVEPOINT ${name}; ${narrowText(workspaceId)}`);
}

export async function widenAndRelease(client: SqlQueries, name: string): Promise<void> {
  await client.query(`${WIDEN}; RELEASE SAVEPOINT ${name}`);
}

const WIDEN = `SELECT set_config('app.workspace_id', '', true), set_config('app.scope', 'system', true)`;

function inWorkspaceText(workspaceId: string): string {
  return `SELECT set_config('app.workspace_id', ${pg.escapeLiteral(workspaceId)}, true)`;
}

function narrowText(workspaceId: string): string {
  return `${inWorkspaceText(workspaceId)}, set_config('app.scope', '', true)`;
}

type TransactionLimits = { lockMs: number } | { isOneMoment: true };

/** Commits when `work` resolves, else rolls back; a connection that cannot even roll back leaves its pool. */
async function runTransaction<Result>(
  pool: pg.Pool,
  work: Work<Result>,
  limits?: TransactionLimits,
  first?: string,
): Promise<Result> {
  const client = await pool.connect();
  let broken: Error | undefined;
  try {
    // In one message with what comes first: transactions are many.
    await client.query(first === undefined ? beginOf(limits) : `${beginOf(limits)}; ${first}`);
    const result = await work(openQueries(client), client);
    await client.query('COMMIT');
    return result;
  } catch (error) {
    await client.query('ROLLBACK').catch((rollbackError: Error) => (broken = rollbackError));
    throw error;
  } finally {
    client.release(broken);
  }
}

function beginOf(limits: TransactionLimits | undefined): string {
  if (!limits) return 'BEGIN';
  if ('isOneMoment' in limits) return 'BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY';
  // In one message: the groups of the webhooks are many.
  return `BEGIN; SET LOCAL lock_timeout = ${limits.lockMs}`;
}

/**
 * Brings the database to the newest schema; several processes may call it at once. Throws `ForeignSchema` for a database that
 * this version does not know. Another `folder` holds the steps of an older version, for tests.
 */
export async function migrateDatabase(url: string, folder = MIGRATIONS_FOLDER): Promise<void> {
  const steps = readSteps(folder);
  const admin = new pg.Client({ connectionString: url });
  hideValues(admin);
  await admin.connect();
  try {
    await admin.query('SELECT pg_advisory_lock($1)', [advisoryLocks.migration]);
    await checkApplied(admin, steps, { isMigrated: false });
    const role = await prepareDatabase(admin);
    const pool = openPool(url, { role, scope: 'system', size: 1, statementMs: 0, waitMs: MINUTE });
    try {
      const client = await pool.connect();
      await applySteps(client, steps).finally(() => client.release());
    } finally {
      await pool.end();
    }
    // Of ours, what an index is made of that is read beneath a policy.
    if (role)
      await admin.query(`DO $$ BEGIN IF to_regprocedure('message_words(uuid, timestamptz, text)') IS NOT NULL THEN
        ALTER FUNCTION message_words(uuid, timestamptz, text) LEAKPROOF; END IF; END $$`);
    await checkApplied(admin, steps, { isMigrated: true });
  } finally {
    await admin.end();
  }
}

/** The migrations of this version. */
export function migrationSteps(): Step[] {
  return readSteps(MIGRATIONS_FOLDER);
}

/** One connection of system scope, for as long as a whole database takes to be read or written; `makesSchema` in an empty one, too. */
export async function openSystemConnection(
  url: string,
  { makesSchema = false } = {},
): Promise<{ client: pg.PoolClient; close(): Promise<void> }> {
  const role = makesSchema ? await prepareNew(url) : await readRoleToAssume(url);
  const pool = openPool(url, { role, scope: 'system', size: 1, statementMs: 0, waitMs: MINUTE });
  const client = await pool.connect();
  return {
    client,
    close: async () => {
      client.release(true);
      await pool.end();
    },
  };
}

async function prepareNew(url: string): Promise<string | undefined> {
  const admin = new pg.Client({ connectionString: url });
  await admin.connect();
  return prepareDatabase(admin).finally(() => admin.end());
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
    'ts_match_vq(tsvector, tsquery)',
  ]) {
    await admin.query(`ALTER FUNCTION pg_catalog.${operator} LEAKPROOF`);
  }
  return APP_ROLE;
}

async function readRoleToAssume(url: string): Promise<string | undefined> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  try {
    // A server that never saw the product has no such role, and nothing that it would have to keep apart.
    const { rows } = await client.query(
      `SELECT rolsuper AND EXISTS (SELECT FROM pg_roles WHERE rolname = '${APP_ROLE}') AS assumes
         FROM pg_roles WHERE rolname = current_user`,
    );
    return rows[0]?.assumes ? APP_ROLE : undefined;
  } finally {
    await client.end();
  }
}
