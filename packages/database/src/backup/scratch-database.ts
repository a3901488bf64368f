import { randomBytes } from 'node:crypto';
import pg from 'pg';
import { advisoryLocks } from '../advisory-locks.ts';

/** The account may not make databases. */
export class NoScratchDatabase extends Error {
  override name = 'NoScratchDatabase';
}

/** An empty database beside `url` for as long as `work` takes; what a process left that died over one goes first. @throws {NoScratchDatabase} */
export async function withScratchDatabase<Result>(
  url: string,
  work: (name: string) => Promise<Result>,
): Promise<Result> {
  const admin = new pg.Client({ connectionString: url });
  await admin.connect();
  try {
    const { rows } = await admin.query<{ oid: string }>(
      'SELECT oid FROM pg_database WHERE datname = current_database()',
    );
    const own = `restore_check_${rows[0]!.oid}_`; // whoever is connected is in one
    await dropLeft(admin, own);
    const name = own + randomBytes(6).toString('hex');
    // Until this connection ends nobody takes it for one that was left.
    await admin.query(`SELECT pg_advisory_lock(${keyOf('$1')})`, [name]);
    await admin.query(`CREATE DATABASE ${name} TEMPLATE template0`).catch((error: Error) => {
      throw new NoScratchDatabase(
        `A scratch database for the check cannot be made (${error.message}): the account of DATABASE_URL needs CREATEDB for --verify.`,
      );
    });
    try {
      return await work(name);
    } finally {
      await admin.query(`DROP DATABASE IF EXISTS ${name} WITH (FORCE)`);
    }
  } finally {
    await admin.end();
  }
}

const keyOf = (name: string): string => `hashtextextended(${name}, ${advisoryLocks.scratchDatabase})`;

/** One that is in use, by its lock or because somebody is connected to it, stays. */
async function dropLeft(admin: pg.Client, prefix: string): Promise<void> {
  const { rows } = await admin.query<{ name: string }>(
    `SELECT datname AS name FROM pg_database d WHERE starts_with(datname, $1)
        AND NOT EXISTS (SELECT FROM pg_stat_activity a WHERE a.datid = d.oid)`,
    [prefix],
  );
  for (const { name } of rows) {
    const { rows: tried } = await admin.query<{ isOurs: boolean }>(
      `SELECT pg_try_advisory_lock(${keyOf('$1')}) AS "isOurs"`,
      [name],
    );
    if (!tried[0]?.isOurs) continue;
    await admin.query(`DROP DATABASE IF EXISTS ${name}`).catch(() => undefined);
    await admin.query(`SELECT pg_advisory_unlock(${keyOf('$1')})`, [name]);
  }
}
