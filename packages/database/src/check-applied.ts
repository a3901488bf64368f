import type pg from 'pg';
import type { Step } from './read-steps.ts';

/** The database was not made by this version or an earlier released one. */
export class ForeignSchema extends Error {
  override name = 'ForeignSchema';
}

/**
 * Refuses a database whose steps are not the first steps of this version, in their order and wording: further
 * steps would change it to something that no version knows. After these have run (`isMigrated`) all of them must be there.
 */
export async function checkApplied(
  admin: pg.Client,
  ours: readonly Step[],
  { isMigrated }: { isMigrated: boolean },
): Promise<void> {
  const applied = await readApplied(admin);
  for (const [place, { hash, at: time }] of applied.entries()) {
    if (ours[place]?.hash === hash) continue;
    if (ours.every(({ at }) => at < time))
      throw new ForeignSchema(
        'The database was made by a newer version of the product: start that version, or restore a backup of this one.',
      );
    throw unreleased(place);
  }
  if (isMigrated && applied.length < ours.length) throw unreleased(applied.length);
}

function unreleased(place: number): ForeignSchema {
  return new ForeignSchema(
    `The database was made by an unreleased version of the product: its step ${place} is not the one of this version. Start with another database, or restore a backup of a released version.`,
  );
}

/** What was applied, oldest first, with its time in milliseconds since 1970. */
export async function readApplied(admin: pg.ClientBase): Promise<{ hash: string; at: number }[]> {
  const { rows: tables } = await admin.query(
    `SELECT to_regclass('drizzle.__drizzle_migrations') IS NOT NULL AS is_there`,
  );
  if (!tables[0].is_there) return [];
  const { rows } = await admin.query<{ hash: string; at: string }>(
    'SELECT hash, created_at AS at FROM drizzle.__drizzle_migrations ORDER BY created_at',
  );
  return rows.map(({ hash, at }) => ({ hash, at: Number(at) }));
}
