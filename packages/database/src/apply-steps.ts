import type pg from 'pg';
import { readApplied } from './check-applied.ts';
import type { Step } from './read-steps.ts';

/** Runs the steps that the database does not have yet, all of them or none. What it has was checked before. */
export async function applySteps(client: pg.ClientBase, steps: readonly Step[]): Promise<void> {
  await keepStepsIn(client);
  const { length } = await readApplied(client);
  await client.query('BEGIN');
  try {
    await runSteps(client, steps.slice(length));
    await client.query('COMMIT');
  } catch (error) {
    await client.query('ROLLBACK');
    throw error;
  }
}

/** Runs these steps in the transaction that is open. */
export async function runSteps(client: pg.ClientBase, steps: readonly Step[]): Promise<void> {
  await keepStepsIn(client);
  for (const { name, sql, hash, at } of steps) {
    await client.query(sql).catch((error: Error) => {
      throw new Error(`The migration ${name} failed: ${error.message}`, { cause: error });
    });
    await client.query('INSERT INTO drizzle.__drizzle_migrations (hash, created_at) VALUES ($1, $2)', [
      hash,
      at,
    ]);
  }
}

async function keepStepsIn(client: pg.ClientBase): Promise<void> {
  await client.query(`CREATE SCHEMA IF NOT EXISTS drizzle;
    CREATE TABLE IF NOT EXISTS drizzle.__drizzle_migrations (id serial PRIMARY KEY, hash text NOT NULL, created_at bigint)`);
}
