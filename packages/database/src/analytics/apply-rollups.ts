import { advisoryLocks } from '../advisory-locks.ts';
import { eachApart } from '../each-apart.ts';
import type { SqlQueries } from '../sql-queries.ts';

/** After so many steps of each kind others have their turn. */
const MOST_STEPS = 50;

/** Each a statement, and so a transaction, of its own: together they would lock recipients and messages in an order that nobody else has. */
const STEPS = [
  'apply_rollups',
  'check_replies_to_runs',
  'check_replies_to_messages',
  'apply_rollups',
  'check_opt_outs_of_runs',
  'count_outcomes',
] as const;

/**
 * Moves what transactions added to the rollups, finds out what was replied to since, and counts contacts anew of whom something happened (system scope). One process at a time does it, the
 * others find nothing to do; what is not done now is done the next time. A step that fails keeps no other from its work, and its error is thrown at the end.
 */
export async function applyRollups(client: SqlQueries): Promise<void> {
  let first: { error: unknown } | undefined;
  await eachApart(
    STEPS,
    (step) => repeat(client, step),
    (error) => (first ??= { error }),
  );
  if (first) throw first.error;
}

async function repeat(client: SqlQueries, step: (typeof STEPS)[number]): Promise<void> {
  for (let times = 0; times < MOST_STEPS; times += 1) {
    const { rows } = await client.query<{ more: boolean }>(`SELECT ${step}($1) AS more`, [
      advisoryLocks.rollups,
    ]);
    if (!rows[0]?.more) return;
  }
}
