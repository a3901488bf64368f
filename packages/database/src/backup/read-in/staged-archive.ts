import type { SqlQueries } from '../../sql-queries.ts';
import { migrationSteps } from '../../database.ts';
import { PEOPLE_COLUMNS } from '../archived-tables.ts';
import type { SealedValue } from '../carry-secrets.ts';
import { quote } from '../read-catalogue.ts';
import type { OpenedBackup } from '../read-parts.ts';
import type { PartEvent } from '../parts.ts';
import { currentTableName } from './former-tables.ts';
import { STAYS_HERE, MADE_ANEW, MOVED } from './moved-tables.ts';

/** A connection that can take rows as PostgreSQL writes them, into tables of its own. */
export type StagingConnection = SqlQueries & {
  copyIn(target: string, next: () => Promise<Uint8Array | null>): Promise<number>;
};

/** What an archive holds is not what an archive can hold: somebody made it up, or changed it. */
export class ArchiveInvalid extends Error {
  override name = 'ArchiveInvalid';
  constructor(reason: string, options?: ErrorOptions) {
    super(`The archive is refused: ${reason}`, options);
  }
}

export type StagedArchive = {
  /** Rows by table, of those that are taken and of those that are not. */
  rows: ReadonlyMap<string, number>;
  /** The columns of those that are taken, as the archive has them. */
  columns: ReadonlyMap<string, readonly string[]>;
  secrets: readonly SealedValue[] | null;
  fileBytes: number;
};

export type Staging = {
  /** A file of the archive, whole when it returns; pieces are read as they are taken. Without it files are only counted. */
  onFile?(name: string, pieces: AsyncIterable<Uint8Array>): Promise<void>;
  onBytes(bytes: number): void;
};

/** One row is in memory of the server for a moment. */
const LONGEST_ROW = 256 * 1024 * 1024;
const LONGEST_DOCUMENT = 8 * 1024 * 1024;
const MOST_FILES = 5_000_000;
/** Data exceptions and broken rules, as the classes of SQLSTATE. */
const OF_VALUES = /^2[23]/;

/** Where the rows of a table wait, on the connection that reads them. */
export const stagedName = (table: string): string => quote(`archive_in_${table}`);

/**
 * Reads an archive into tables of this connection, with the types of the product's own and without their rules; nothing of the workspace changes.
 * @throws {ArchiveInvalid} for tables, columns, order or values that no archive has
 * @throws {BackupError} for a file that is not as it was written
 */
export async function stageArchive(
  held: StagingConnection,
  { header, parts }: OpenedBackup,
  staging: Staging,
): Promise<StagedArchive> {
  await makeHelpers(held);
  const rows = new Map<string, number>();
  const columns = new Map<string, readonly string[]>();
  let secrets: SealedValue[] | null = null;
  let [files, fileBytes, isFirst] = [0, 0, true];
  for (let { value } = await parts.next(); value; { value } = await parts.next()) {
    const begun: PartEvent = value;
    if (begun.event !== 'begin') throw new ArchiveInvalid('a part without its beginning');
    const { part } = begun;
    if (isFirst !== (part.kind === 'catalogue')) throw new ArchiveInvalid('its catalogue is not in front');
    isFirst = false;
    const body = readPart(parts, staging.onBytes);
    if (part.kind === 'catalogue') await body.discard();
    else if (part.kind === 'table') {
      const name = currentTableName(part.name);
      if (rows.has(name) || files > 0 || secrets) throw new ArchiveInvalid('a table out of its place');
      const staged = await stageTable(held, { ...part, name }, body);
      rows.set(name, staged.rows);
      if (staged.isTaken) columns.set(name, part.columns);
    } else if (part.kind === 'secrets') {
      if (secrets) throw new ArchiveInvalid('secrets twice');
      secrets = readSecretsPart(await body.whole());
    } else if (part.kind === 'file') {
      files += 1;
      if (files > MOST_FILES || typeof part.name !== 'string') throw new ArchiveInvalid('its files');
      if (staging.onFile) await staging.onFile(part.name, body.pieces());
      else await body.discard();
      fileBytes += body.bytes();
    } else throw new ArchiveInvalid('a part of a kind that is not known');
  }
  const later = tablesSince(header.steps.length);
  for (const needed of ['workspaces', 'users', ...Object.keys(MOVED)])
    if (!rows.has(needed) && !later.has(needed)) throw new ArchiveInvalid(`${needed} is missing`);
  if (rows.get('workspaces') !== 1) throw new ArchiveInvalid('it is not of one workspace');
  return { rows, columns, secrets, fileBytes };
}

/** Tables that migrations after the first `steps` make: an archive of that version has none of them. */
function tablesSince(steps: number): ReadonlySet<string> {
  const made = migrationSteps()
    .slice(steps)
    .flatMap(({ sql }) => [...sql.matchAll(/^CREATE TABLE (\w+)/gm)].map(([, name]) => name!)); // the first group is there
  return new Set(made);
}

async function makeHelpers(held: SqlQueries): Promise<void> {
  await held.query(
    `CREATE TEMP TABLE archive_files (there text PRIMARY KEY, here text NOT NULL, bytes bigint NOT NULL, sha256 text NOT NULL)`,
  );
  await held.query(`CREATE TEMP TABLE archive_runs (there bigint PRIMARY KEY, here bigint NOT NULL)`);
}

async function stageTable(
  held: StagingConnection,
  { name, columns }: { name: string; columns: readonly string[] },
  body: PartBody,
): Promise<{ rows: number; isTaken: boolean }> {
  const isTaken = Object.hasOwn(MOVED, name) || name === 'workspaces' || name === 'users';
  if (!isTaken) {
    if (!STAYS_HERE.has(name) && !MADE_ANEW.has(name)) throw new ArchiveInvalid('a table that is not known');
    await body.discard();
    return { rows: body.rows(), isTaken };
  }
  const known = await readColumns(held, name);
  const isKnown =
    Array.isArray(columns) &&
    new Set(columns).size === columns.length &&
    columns.every((one) => known.includes(one));
  const isEnough =
    name === 'users'
      ? PEOPLE_COLUMNS.every((one) => columns.includes(one))
      : columns.includes(name === 'workspaces' ? 'id' : 'workspace_id');
  if (!isKnown || !isEnough) throw new ArchiveInvalid(`columns of ${name}`);
  const list = columns.map(quote).join(', ');
  await held.query(
    `CREATE TEMP TABLE ${stagedName(name)} AS SELECT ${list} FROM ${quote(name)} WITH NO DATA`,
  );
  const rows = await refuseValues(name, () => held.copyIn(`${stagedName(name)} (${list})`, body.next));
  if (rows !== body.rows()) throw new ArchiveInvalid(`rows of ${name}`);
  return { rows, isTaken };
}

/** What the database refuses of values is the archive's fault. */
export async function refuseValues<Result>(table: string, work: () => Promise<Result>): Promise<Result> {
  try {
    return await work();
  } catch (error) {
    const code = error instanceof Error && 'code' in error ? String(error.code) : '';
    throw OF_VALUES.test(code) ? new ArchiveInvalid(`${table}: ${code}`, { cause: error }) : error;
  }
}

/** Those that are written; the rest is worked out. */
async function readColumns(held: SqlQueries, table: string): Promise<string[]> {
  const { rows } = await held.query<{ name: string }>(
    `SELECT attname AS name FROM pg_attribute
      WHERE attrelid = to_regclass($1) AND attnum > 0 AND NOT attisdropped AND attgenerated = ''`,
    [`public.${quote(table)}`],
  );
  return rows.map(({ name }) => name);
}

function readSecretsPart(bytes: Uint8Array): SealedValue[] {
  let values: unknown;
  try {
    values = JSON.parse(Buffer.from(bytes).toString());
  } catch {
    values = null;
  }
  const isText = (value: unknown) => typeof value === 'string';
  const isSecret = (value: unknown) => {
    const { table, id, name, value: secret } = Object(value) as Partial<SealedValue>; // looked at below
    return isText(table) && isText(id) && (isText(name) || name === null) && isText(secret);
  };
  if (!Array.isArray(values) || !values.every(isSecret)) throw new ArchiveInvalid('its secrets');
  return values as SealedValue[]; // looked at above
}

type PartBody = ReturnType<typeof readPart>;

/** What stands in the part that has begun, up to its end. */
function readPart(parts: AsyncIterator<PartEvent>, onBytes: (bytes: number) => void) {
  let [bytes, rows, sinceLine] = [0, 0, 0];
  let isOver = false;
  async function next(): Promise<Uint8Array | null> {
    if (isOver) return null;
    const { value } = await parts.next();
    if (value?.event === 'data') {
      bytes += value.bytes.length;
      onBytes(value.bytes.length);
      const last = value.bytes.lastIndexOf(0x0a);
      sinceLine = last === -1 ? sinceLine + value.bytes.length : value.bytes.length - last;
      if (sinceLine > LONGEST_ROW) throw new ArchiveInvalid('a row that is too long');
      return value.bytes;
    }
    if (value?.event !== 'end') throw new ArchiveInvalid('a part without its end');
    isOver = true;
    rows = value.end.rows ?? 0;
    return null;
  }
  async function* pieces(): AsyncGenerator<Uint8Array> {
    for (let piece = await next(); piece; piece = await next()) yield piece;
  }
  return {
    next,
    pieces,
    bytes: () => bytes,
    rows: () => rows,
    async discard() {
      while (await next());
    },
    async whole() {
      const all: Uint8Array[] = [];
      for await (const piece of pieces()) {
        all.push(piece);
        if (bytes > LONGEST_DOCUMENT) throw new ArchiveInvalid('a document that is too long');
      }
      return Buffer.concat(all);
    },
  };
}
