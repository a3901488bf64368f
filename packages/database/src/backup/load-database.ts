import type pg from 'pg';
import { runSteps } from '../apply-steps.ts';
import type { Step } from '../read-steps.ts';
import { BackupError } from './backup-error.ts';
import type { SealedValue } from './carry-secrets.ts';
import { copyIn, copyOut } from './copy-rows.ts';
import { selectOf } from './dump-database.ts';
import type { PartEnd, PartEvent } from './parts.ts';
import { quote, type Catalogue, type CataloguedTable, type Partition } from './read-catalogue.ts';

export type Loaded = {
  tables: number;
  rows: number;
  files: number;
  secrets: SealedValue[];
};

export type Loading = {
  /** Migrations of this version, and how many of them the backup has. */
  steps: readonly Step[];
  applied: number;
  parts: AsyncIterator<PartEvent>;
  /** Reads each table again and compares it with what was written. */
  isChecked: boolean;
  onTable(name: string, rows: number): void;
  onFile(name: string, bytes: Uint8Array): Promise<void>;
};

/** A table that came back otherwise than it was written: a bug, or a broken disk. */
export class RestoredOtherwise extends Error {
  override name = 'RestoredOtherwise';
}

/**
 * Makes the schema that the backup was taken of, fills it, and brings it to the newest, all in the transaction that is open and in an empty
 * database. What is laid down about each table (its guards, its triggers) is back at the end.
 */
export async function loadDatabase(client: pg.ClientBase, loading: Loading): Promise<Loaded> {
  const { steps, applied, parts } = loading;
  await runSteps(client, steps.slice(0, applied));
  const catalogue = await readCataloguePart(parts);
  const names = catalogue.tables.map(({ name }) => name);
  for (const partition of catalogue.partitions) await ensurePartition(client, partition);
  const forced = await openTables(client, names);
  const loaded: Loaded = { tables: 0, rows: 0, files: 0, secrets: [] };
  const ends = new Map<string, PartEnd>();
  for (let { value } = await parts.next(); value; { value } = await parts.next()) {
    const begun: PartEvent = value;
    if (begun.event !== 'begin') throw new BackupError('damaged');
    const { part } = begun;
    if (part.kind === 'table') {
      if (!names.includes(part.name)) throw new BackupError('damaged');
      loading.onTable(part.name, 0);
      const end = await loadTable(client, part, parts);
      ends.set(part.name, end);
      loaded.tables += 1;
      loaded.rows += end.rows ?? 0;
    } else if (part.kind === 'secrets') loaded.secrets = readJson(await readWhole(parts));
    else if (part.kind === 'file') {
      await loading.onFile(part.name, await readWhole(parts));
      loaded.files += 1;
    } else throw new BackupError('damaged');
  }
  if (loading.isChecked)
    for (const table of catalogue.tables) await compare(client, table, ends.get(table.name));
  await closeTables(client, names, forced);
  for (const { name, value, isCalled } of catalogue.sequences)
    await client.query('SELECT setval($1::regclass, $2, $3)', [quote(name), value, isCalled]);
  await runSteps(client, steps.slice(applied));
  return loaded;
}

async function readCataloguePart(parts: AsyncIterator<PartEvent>): Promise<Catalogue> {
  const { value } = await parts.next();
  if (value?.event !== 'begin' || value.part.kind !== 'catalogue') throw new BackupError('damaged');
  return readJson(await readWhole(parts));
}

/** As the product makes them: like their parent, with its guards, and attached. */
async function ensurePartition(client: pg.ClientBase, partition: Partition): Promise<void> {
  const { name, parent, bounds, options } = partition;
  const { rows } = await client.query<{ is_there: boolean }>(
    'SELECT to_regclass($1) IS NOT NULL AS is_there',
    [quote(name)],
  );
  if (rows[0]?.is_there) return;
  const settings = options.length > 0 ? ` WITH (${options.join(', ')})` : '';
  await client.query(`CREATE TABLE ${quote(name)} (LIKE ${quote(parent)} INCLUDING DEFAULTS)${settings}`);
  const { rows: policies } = await client.query<{
    name: string;
    using: string;
    check: string | null;
  }>(
    `SELECT polname AS name, pg_get_expr(polqual, polrelid) AS "using", pg_get_expr(polwithcheck, polrelid) AS "check"
       FROM pg_policy WHERE polrelid = $1::regclass`,
    [quote(parent)],
  );
  for (const policy of policies)
    await client.query(
      `CREATE POLICY ${quote(policy.name)} ON ${quote(name)} USING (${policy.using})${policy.check === null ? '' : ` WITH CHECK (${policy.check})`}`,
    );
  await client.query(`ALTER TABLE ${quote(name)} ENABLE ROW LEVEL SECURITY, FORCE ROW LEVEL SECURITY`);
  await client.query(`ALTER TABLE ${quote(parent)} ATTACH PARTITION ${quote(name)} ${bounds}`);
}

/** Empty, and open to COPY: what triggers keep up comes along as rows. Answers with those whose guard holds their owner, too. */
async function openTables(client: pg.ClientBase, names: readonly string[]): Promise<string[]> {
  await client.query(`TRUNCATE ${names.map(quote).join(', ')} CASCADE`);
  const { rows } = await client.query<{ name: string }>(
    `SELECT relname AS name FROM pg_class WHERE relnamespace = 'public'::regnamespace AND relname = ANY ($1) AND relforcerowsecurity`,
    [names],
  );
  const forced = rows.map(({ name }) => name);
  for (const name of forced) await client.query(`ALTER TABLE ${quote(name)} NO FORCE ROW LEVEL SECURITY`);
  for (const name of names) await client.query(`ALTER TABLE ${quote(name)} DISABLE TRIGGER USER`);
  return forced;
}

async function closeTables(
  client: pg.ClientBase,
  names: readonly string[],
  forced: readonly string[],
): Promise<void> {
  for (const name of names) await client.query(`ALTER TABLE ${quote(name)} ENABLE TRIGGER USER`);
  for (const name of forced) await client.query(`ALTER TABLE ${quote(name)} FORCE ROW LEVEL SECURITY`);
}

async function loadTable(
  client: pg.ClientBase,
  { name, columns }: { name: string; columns: readonly string[] },
  parts: AsyncIterator<PartEvent>,
): Promise<PartEnd> {
  let end: PartEnd | undefined;
  const next = async () => {
    const { value } = await parts.next();
    if (value?.event === 'data') return value.bytes;
    if (value?.event !== 'end') throw new BackupError('damaged');
    ({ end } = value);
    return null;
  };
  const rows = await copyIn(client, `${quote(name)} (${columns.map(quote).join(', ')})`, next);
  if (!end) throw new BackupError('damaged');
  if (end.rows !== rows)
    throw new RestoredOtherwise(`${name} has ${rows} rows and was written with ${end.rows}.`);
  return end;
}

async function compare(
  client: pg.ClientBase,
  table: CataloguedTable,
  written: PartEnd | undefined,
): Promise<void> {
  const { rows, sum } = await copyOut(client, selectOf(table), () => Promise.resolve());
  if (rows !== written?.rows || sum !== written.sum)
    throw new RestoredOtherwise(`${table.name} came back otherwise than it was written.`);
}

async function readWhole(parts: AsyncIterator<PartEvent>): Promise<Buffer> {
  const pieces: Uint8Array[] = [];
  for (;;) {
    const { value } = await parts.next();
    if (value?.event === 'end') return Buffer.concat(pieces);
    if (value?.event !== 'data') throw new BackupError('damaged');
    pieces.push(value.bytes);
  }
}

function readJson<Value>(bytes: Buffer): Value {
  return JSON.parse(bytes.toString()) as Value; // checked as it was written
}
