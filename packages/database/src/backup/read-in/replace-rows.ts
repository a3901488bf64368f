import type { SqlQueries } from '../../sql-queries.ts';
import { advisoryLocks } from '../../advisory-locks.ts';
import { countMissingCountries, countMissingRefused } from '../../analytics/backfill-rollups.ts';
import { quote, readCatalogue } from '../read-catalogue.ts';
import { asWritten, owner, type ColumnRule } from './column-rules.ts';
import { MADE_ANEW, MOVED } from './moved-tables.ts';
import { ArchiveInvalid, refuseValues, stagedName, type StagedArchive } from './staged-archive.ts';

export type Place = {
  workspaceId: string;
  /** Ids stay as they are: only for what was taken here and never left. */
  isBack: boolean;
  /** Members here by their ids there, and the workspace. */
  people: Readonly<Record<string, string>>;
};

const UUID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;
const FIRST_OF_LARGE = 1_000_000_000_000;

/** People of the archive by who they are here: the same account where it goes back, else whoever of the workspace has the e-mail. */
export async function matchPeople(
  held: SqlQueries,
  { workspaceId, isBack }: Omit<Place, 'people'>,
): Promise<{ people: Record<string, string>; named: { name: string; email: string; isHere: boolean }[] }> {
  const { rows } = await held.query<{ there: string; name: string; email: string; here: string | null }>(
    `SELECT DISTINCT ON (s.id) s.id AS there, left(s.name, 200) AS name, left(s.email, 320) AS email, m.user_id AS here
       FROM ${stagedName('users')} s
       LEFT JOIN (memberships m JOIN users u ON u.id = m.user_id)
         ON m.workspace_id = $1 AND CASE WHEN $2 THEN u.id = s.id ELSE lower(u.email) = lower(s.email) END
      ORDER BY s.id, m.user_id LIMIT 10000`,
    [workspaceId, isBack],
  );
  const { rows: places } = await held.query<{ id: string }>(`SELECT id FROM ${stagedName('workspaces')}`);
  const people = Object.fromEntries([
    ...places.map(({ id }) => [id, workspaceId]),
    ...rows.flatMap(({ there, here }) => (here ? [[there, here]] : [])),
  ]);
  return {
    people,
    named: rows.map(({ name, email, here }) => ({ name, email, isHere: here !== null })),
  };
}

/** Rows that say they are of another workspace than the archive is of. @throws {ArchiveInvalid} */
export async function refuseStrangers(held: SqlQueries, { columns }: StagedArchive): Promise<void> {
  for (const name of columns.keys()) {
    if (!Object.hasOwn(MOVED, name)) continue;
    const { rowCount } = await held.query(
      `SELECT FROM ${stagedName(name)} WHERE workspace_id IS DISTINCT FROM (SELECT id FROM ${stagedName('workspaces')}) LIMIT 1`,
    );
    if (rowCount !== 0) throw new ArchiveInvalid(`${name} holds rows of another workspace`);
  }
}

/** Numbers of runs are the installation's: each gets a new one, and a place for its recipients, before anything is locked. */
export async function numberRuns(held: SqlQueries, { isBack }: Pick<Place, 'isBack'>): Promise<void> {
  await held.query(
    `INSERT INTO archive_runs SELECT run_no, CASE WHEN $1 THEN run_no
        ELSE nextval(CASE WHEN run_no >= ${FIRST_OF_LARGE} THEN 'delivery_run_large'::regclass ELSE 'delivery_run_small'::regclass END) END
       FROM (SELECT DISTINCT run_no FROM ${stagedName('delivery_runs')} WHERE run_no IS NOT NULL) AS r`,
    [isBack],
  );
  await makeRunPlaces(held);
}

/**
 * First in the transaction that brings the rows: until it ends nobody takes the places of its runs for left ones
 * (`dropEmptyPartitions`), and one that went before is made again.
 */
export async function holdRunPlaces(client: SqlQueries): Promise<void> {
  await client.query(`SELECT pg_advisory_xact_lock_shared(${advisoryLocks.emptyPartitions})`);
  await makeRunPlaces(client);
}

async function makeRunPlaces(client: SqlQueries): Promise<void> {
  const { rows } = await client.query<{ run: string }>(
    `SELECT DISTINCT ON (CASE WHEN here >= ${FIRST_OF_LARGE} THEN here ELSE here / 1000 END) here::text AS run FROM archive_runs`,
  );
  // One statement each: nobody else waits for the others.
  for (const { run } of rows) await client.query('SELECT ensure_delivery_partition($1::bigint)', [run]);
}

/** Everything of the workspace that an archive brings goes; what hangs on it goes along, and bytes are left to be removed. */
export async function removeRows(client: SqlQueries, workspaceId: string): Promise<void> {
  await client.query(
    'INSERT INTO message_file_leavings (workspace_id, storage_key) SELECT workspace_id, storage_key FROM media WHERE workspace_id = $1',
    [workspaceId],
  );
  const { tables } = await readCatalogue(client);
  for (const { name } of tables.toReversed()) {
    const goes = Object.hasOwn(MOVED, name) || MADE_ANEW.has(name);
    if (!goes || MOVED[name]?.goesWithItsRun) continue;
    await client.query(`DELETE FROM ${quote(name)} WHERE workspace_id = $1`, [workspaceId]);
  }
  // Those of no run, and what the last deletions counted.
  for (const name of ['delivery_deltas', 'rollup_names', ...MADE_ANEW])
    await client.query(`DELETE FROM ${quote(name)} WHERE workspace_id = $1`, [workspaceId]);
}

/** The rows of the archive come, in the order of what they refer to. Answers with how many by table. @throws {ArchiveInvalid} */
export async function addRows(
  client: SqlQueries,
  { columns }: StagedArchive,
  { workspaceId, isBack, people }: Place,
): Promise<Map<string, number>> {
  const added = new Map<string, number>();
  const { tables } = await readCatalogue(client);
  // An archive of before there were rollups is counted as it comes, and its recipients behind it.
  const hasRollups = columns.has('message_rollups');
  if (hasRollups) await client.query(`SELECT set_config('app.rollups', 'off', true)`);
  for (const { name } of tables) {
    const moved = MOVED[name];
    const own = columns.get(name);
    if (!moved || !own || (moved.onlyBack && !isBack)) continue;
    const ruleOf = (column: string): ColumnRule => moved.columns[column] ?? asWritten;
    const owners = own.filter((column) => moved.columns[column] === owner);
    const which = [
      ...owners.map((column) => `s."${column}" IS NULL OR ${owner(column)} IS NOT NULL`),
      moved.where ?? 'true',
    ].map((condition) => `(${condition})`);
    const { rowCount } = await refuseValues(name, () =>
      client.query(
        `INSERT INTO ${quote(name)} (${own.map(quote).join(', ')}) OVERRIDING SYSTEM VALUE
         SELECT ${own.map((column) => ruleOf(column)(column)).join(', ')}
           FROM ${stagedName(name)} s, (SELECT $1::uuid, $2::uuid, $3::jsonb) AS given WHERE ${which.join(' AND ')}`,
        [workspaceId, isBack ? null : workspaceId, JSON.stringify(people)],
      ),
    );
    added.set(name, rowCount ?? 0);
  }
  if (hasRollups) await client.query(`SELECT set_config('app.rollups', '', true)`);
  else
    await client.query('UPDATE delivery_runs SET rolled_up_below = 0 WHERE workspace_id = $1', [workspaceId]);
  if (hasRollups && !columns.has('country_rollups'))
    await client.query('UPDATE delivery_runs SET countries_below = 0 WHERE workspace_id = $1', [workspaceId]);
  if (hasRollups && !columns.get('message_rollups')?.includes('refused'))
    await countMissingRefused(client, workspaceId);
  if (hasRollups) await countMissingCountries(client, workspaceId);
  return added;
}

/**
 * The settings of the archive take the place of those here. The name under which people choose the workspace, its address and plan, who may do what, and
 * how long what is kept stay: no file shortens a time or gives a right.
 */
export async function replaceSettings(
  client: SqlQueries,
  { columns }: StagedArchive,
  { workspaceId, isBack, people }: Place,
): Promise<void> {
  const own = columns.get('workspaces') ?? [];
  if (!own.includes('settings') || !own.includes('language'))
    throw new ArchiveInvalid('settings are missing');
  await refuseValues('workspaces', () =>
    client.query(
      `UPDATE workspaces w SET language = s.language,
              settings = moved_json($2::uuid, $3::jsonb, s.settings) - 'retention' - 'versions'
                || CASE WHEN w.settings ? 'retention' THEN jsonb_build_object('retention', w.settings -> 'retention') ELSE '{}' END
                || jsonb_build_object('versions', (
                     SELECT coalesce(jsonb_object_agg(part, 1 + coalesce((w.settings -> 'versions' ->> part)::integer, 0)), '{}')
                       FROM jsonb_object_keys(coalesce(s.settings -> 'versions', '{}') || coalesce(w.settings -> 'versions', '{}')) AS part))
         FROM ${stagedName('workspaces')} s WHERE w.id = $1`,
      [workspaceId, isBack ? null : workspaceId, JSON.stringify(people)],
    ),
  );
}

/** The secrets of the archive by the ids that their rows have here. */
export async function moveSecrets<Secret extends { id: string }>(
  client: SqlQueries,
  secrets: readonly Secret[],
  { workspaceId, isBack }: Omit<Place, 'people'>,
): Promise<Secret[]> {
  const known = secrets.filter(({ id }) => UUID.test(id));
  const { rows } = await client.query<{ here: string }>(
    'SELECT moved_id($2, one) AS here FROM unnest($1::uuid[]) WITH ORDINALITY AS u (one, place) ORDER BY place',
    [known.map(({ id }) => id), isBack ? null : workspaceId],
  );
  return known.map((secret, place) => ({ ...secret, id: rows[place]!.here }));
}
