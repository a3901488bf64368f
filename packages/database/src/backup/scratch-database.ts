import { randomBytes } from 'node:crypto';
import pg from 'pg';

/** The account may not make databases. */
export class NoScratchDatabase extends Error {
  override name = 'NoScratchDatabase';
}

/** An empty database beside `url` for as long as `work` takes. @throws {NoScratchDatabase} */
export async function withScratchDatabase<Result>(
  url: string,
  work: (name: string) => Promise<Result>,
): Promise<Result> {
  const name = `restore_check_${randomBytes(6).toString('hex')}`;
  const admin = new pg.Client({ connectionString: url });
  await admin.connect();
  try {
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
