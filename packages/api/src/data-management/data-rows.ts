import {
  importedCampaign,
  importedField,
  importedTemplate,
} from '@app/contracts/data-management/imported-rows';
import { JsonElementsError } from '@app/domain/contact-imports/json-elements';
import { dataLists, validateDataVersion } from '@app/domain/data-management/data-import';
import { splitDataSections, type DataPiece } from '@app/domain/data-management/data-sections';
import { findUnstorableText } from '@app/domain/text/storable-text';
import { refuseJson } from '../contact-imports/reading/json-rows.ts';
import { decodeImport, ImportRefused } from '../contact-imports/reading/import-text.ts';
import type { HeldConnection } from '../platform/request-scopes.ts';
import type { SqlQueries } from '@app/database/sql-queries';

/** Lists whose elements wait in a table of the connection, so that memory stays flat however many there are. */
const STAGED = {
  customFields: importedField,
  templates: importedTemplate,
  campaigns: importedCampaign,
} as const;
type StagedSection = keyof typeof STAGED;

const CHARACTERS_AT_ONCE = 4_000_000;
/** What a row takes beside its characters, also one of which nothing is kept. */
const CHARACTERS_OF_ROW = 400;
const LONGEST_NAME = 80;
/** Parts that mean nothing to us: a later file of ours has some, one of somebody else may have one for each of its rows. */
const MOST_UNKNOWN = 100;

/** A row as the contract of its kind reads it; null where it cannot. */
type Row = {
  section: StagedSection;
  row: number;
  name: string;
  knownBy: string;
  data: string | null;
};

/**
 * Reads everything of the file but its contacts, from end to end, and answers with its settings. Without a connection nothing is kept.
 * @throws {ImportRefused} unless all of it is a file of ours, of this version or an earlier one
 */
export async function readDataFile(
  bytes: AsyncIterable<Uint8Array>,
  held?: HeldConnection,
): Promise<unknown> {
  const file = splitDataSections(Object.keys(STAGED), ['contacts']);
  let settings: unknown;
  let rows: Row[] = [];
  let characters = 0;
  let unknown = 0;
  const take = (piece: DataPiece) => {
    const { section, value } = piece;
    if (section === 'version') checkVersion(value);
    else if (section === 'settings') settings = value;
    // A list that is none comes as one value.
    else if (isStaged(section) || section === 'contacts') {
      if (!('row' in piece)) throw new ImportRefused('data_foreign');
      if (!held || !isStaged(section)) return;
      const row = readRow(section, piece.row, value);
      characters += CHARACTERS_OF_ROW + (row.data?.length ?? 0);
      rows.push(row);
    } else if ((unknown += 1) > MOST_UNKNOWN) throw new ImportRefused('data_foreign');
  };
  try {
    for await (const text of decodeImport(bytes)) {
      for (const piece of file.push(text)) {
        take(piece);
        if (!held || characters < CHARACTERS_AT_ONCE) continue;
        await stageRows(held, rows);
        rows = [];
        characters = 0;
      }
    }
    file.end();
  } catch (error) {
    if (!(error instanceof JsonElementsError)) throw error;
    // What does not even begin as ours is a file of somebody else.
    throw error.problem === 'not-an-array' ? new ImportRefused('data_foreign') : refuseJson(error);
  }
  const lists = file.lists();
  if (!dataLists.every((list) => lists.has(list)) || typeof settings !== 'object' || settings === null)
    throw new ImportRefused('data_foreign');
  if (held) await stageRows(held, rows);
  return settings;
}

function checkVersion(version: unknown): void {
  const judged = validateDataVersion(version);
  if (judged === 'newer') throw new ImportRefused('data_newer', { version: String(version) });
  if (judged === 'foreign') throw new ImportRefused('data_foreign');
}

export async function openDataStaging(held: HeldConnection): Promise<void> {
  await held.query(
    `CREATE TEMPORARY TABLE data_rows (section text NOT NULL, row_number integer NOT NULL, name text NOT NULL, known_by text NOT NULL,
       data jsonb, is_double boolean NOT NULL DEFAULT false, PRIMARY KEY (section, row_number))`,
  );
}

/** Of several rows that are known by the same the first counts. */
export async function markDoubleRows(held: HeldConnection): Promise<void> {
  await held.query(
    `UPDATE data_rows r SET is_double = true
       FROM (SELECT section, row_number, row_number() OVER (PARTITION BY section, known_by ORDER BY row_number) AS place
               FROM data_rows WHERE data IS NOT NULL) AS d
      WHERE d.section = r.section AND d.row_number = r.row_number AND d.place > 1`,
  );
}

async function stageRows(held: HeldConnection, rows: readonly Row[]): Promise<void> {
  if (rows.length === 0) return;
  await held.query(
    `INSERT INTO data_rows (section, row_number, name, known_by, data)
     SELECT * FROM unnest($1::text[], $2::int[], $3::text[], $4::text[], $5::jsonb[])`,
    [
      rows.map(({ section }) => section),
      rows.map(({ row }) => row),
      rows.map(({ name }) => name),
      rows.map(({ knownBy }) => knownBy),
      rows.map(({ data }) => data),
    ],
  );
}

export type StagedData = {
  row: number;
  name: string;
  data: Record<string, unknown> | null;
  isDouble: boolean;
};

/** The next rows of a section, in the order of the file. */
export async function readStagedRows(
  client: SqlQueries,
  section: StagedSection,
  { after, most }: { after: number; most: number },
): Promise<StagedData[]> {
  const { rows } = await client.query<StagedData>(
    `SELECT row_number AS row, name, data, is_double AS "isDouble" FROM data_rows
      WHERE section = $1 AND row_number > $2 ORDER BY row_number LIMIT $3`,
    [section, after, most],
  );
  return rows;
}

/** How many rows of a section stand behind one. */
export async function countStagedRows(
  client: SqlQueries,
  section: StagedSection,
  after: number,
): Promise<number> {
  const { rows } = await client.query<{ count: number }>(
    'SELECT count(*)::integer AS count FROM data_rows WHERE section = $1 AND row_number > $2',
    [section, after],
  );
  return rows[0]?.count ?? 0;
}

/** What of a section cannot be taken: the first rows of it, and how many there are. */
export async function readRefusedRows(
  client: SqlQueries,
  section: StagedSection,
  most: number,
): Promise<{ rows: StagedData[]; count: number }> {
  const { rows } = await client.query<StagedData & { count: number }>(
    `SELECT row_number AS row, name, data, is_double AS "isDouble", count(*) OVER ()::integer AS count FROM data_rows
      WHERE section = $1 AND (data IS NULL OR is_double) ORDER BY row_number LIMIT $2`,
    [section, most],
  );
  return { rows, count: rows[0]?.count ?? 0 };
}

function readRow(section: StagedSection, row: number, value: unknown): Row {
  const read = STAGED[section].safeParse(value);
  if (!read.success || findUnstorableText(read.data).length > 0)
    return { section, row, name: readName(value), knownBy: '', data: null };
  const { name, knownBy } = nameOf(read.data);
  const data = JSON.stringify(read.data);
  return { section, row, name: name.slice(0, LONGEST_NAME), knownBy, data };
}

function nameOf(data: { label: string } | { name: string; language?: string }) {
  if ('label' in data) return { name: data.label, knownBy: data.label.toLowerCase() };
  return {
    name: data.name,
    knownBy: JSON.stringify([data.name, data.language]),
  };
}

function readName(value: unknown): string {
  const { name, label } = Object(value) as { name?: unknown; label?: unknown }; // looked at here
  const written = typeof name === 'string' ? name : typeof label === 'string' ? label : '';
  return written.replaceAll('\0', '').toWellFormed().slice(0, LONGEST_NAME);
}

function isStaged(section: string): section is StagedSection {
  return Object.hasOwn(STAGED, section);
}
