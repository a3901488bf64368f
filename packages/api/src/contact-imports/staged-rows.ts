import { importLimits } from '@app/domain/contact-imports/contact-import';
import { rowProblem, type ProblemValues, type RowProblem } from '@app/domain/contact-imports/import-problems';
import type { ContactStatus } from '@app/domain/contacts/contact';
import type { CustomValues } from '@app/domain/custom-fields/custom-field';
import type { ImportedConsent } from '@app/domain/contact-imports/import-consent';
import type { SqlQueries } from '@app/database/sql-queries';
import type { HeldConnection } from '../platform/request-scopes.ts';
import { addImportedContacts, changeImportedContacts } from '../contacts/imported-contacts.ts';
import type { WorkspaceScope } from '../platform/workspace-scope.ts';
import { concernedByLostOptOuts } from './lost-opt-outs.ts';

/** A row that can become a contact, unless its number is taken. */
export type StagedRow = {
  row: number;
  id: string;
  name: string;
  phone: string;
  /** The number as the file has it, for the error sentence. */
  written: string;
  email: string | null;
  /** Null when the file does not say. */
  language: string | null;
  tags: string[];
  /** Null when the file does not say. */
  status: ContactStatus | null;
  customValues: CustomValues;
  /** Null when nothing is recorded of it. */
  consent: ImportedConsent | null;
  /** The row as the file had it, in JSON; null when it is too long to be kept. */
  source: string | null;
};

/**
 * `phone` is the number that was read, if one was, by which a kept row is erased with its person; `optOut` is what the row says of
 * them all the same.
 */
export type RowError = {
  row: number;
  problem: RowProblem;
  phone?: string;
  optOut?: ImportedConsent;
  source?: string | null;
};

/**
 * Rows wait in a table of the connection until the whole file proved readable: nothing is half-written, no lock is
 * held while a slow upload goes on, and memory stays flat.
 */
export async function openStaging(held: HeldConnection): Promise<void> {
  await held.query(
    `CREATE TEMPORARY TABLE import_rows (row_number integer PRIMARY KEY, id uuid NOT NULL, name text NOT NULL,
       phone text NOT NULL, written text NOT NULL, email text, tags text[] NOT NULL, status text, language text,
       custom_values jsonb NOT NULL, consent text, said_on timestamptz, words text, source text,
       is_double boolean NOT NULL DEFAULT false, contact_id uuid)`,
  );
  await held.query(
    'CREATE TEMPORARY TABLE lost_opt_outs (row_number integer PRIMARY KEY, phone text NOT NULL, said_on timestamptz, words text NOT NULL)',
  );
}

export async function stageRows(held: HeldConnection, rows: readonly StagedRow[]): Promise<void> {
  if (rows.length === 0) return;
  // An array of arrays cannot be unnested row by row, so tags travel as one text; no tag holds a semicolon.
  await held.query(
    `INSERT INTO import_rows (row_number, id, name, phone, written, email, tags, status, custom_values, consent, said_on, words, source, language)
     SELECT r.row_number, r.id, r.name, r.phone, r.written, r.email, string_to_array(r.tags, ';'), r.status, r.custom_values,
            r.consent, r.said_on, r.words, r.source, r.language
       FROM unnest($1::int[], $2::uuid[], $3::text[], $4::text[], $5::text[], $6::text[], $7::text[], $8::text[], $9::jsonb[],
                   $10::text[], $11::timestamptz[], $12::text[], $13::text[], $14::text[])
         AS r (row_number, id, name, phone, written, email, tags, status, custom_values, consent, said_on, words, source, language)`,
    [
      rows.map(({ row }) => row),
      rows.map(({ id }) => id),
      rows.map(({ name }) => name),
      rows.map(({ phone }) => phone),
      rows.map(({ written }) => written),
      rows.map(({ email }) => email),
      rows.map(({ tags }) => tags.join(';')),
      rows.map(({ status }) => status),
      rows.map(({ customValues }) => JSON.stringify(customValues)),
      rows.map(({ consent }) => consent?.kind ?? null),
      rows.map(({ consent }) => consent?.saidOn ?? null),
      rows.map(({ consent }) => consent?.words ?? null),
      rows.map(({ source }) => source),
      rows.map(({ language }) => language),
    ],
  );
}

/** Keeps the first errors of an import with their rows, for people to read and to mend; all of them are counted. */
export function createErrorKeeper(held: HeldConnection, importId: string) {
  let room: number = importLimits.errorsKept;
  return {
    get isFull() {
      return room === 0;
    },
    /** Afterwards as many errors are kept as now: for a transaction that may be taken back. */
    remember() {
      const then = room;
      return () => {
        room = then;
      };
    },
    /** A row that was staged is taken from there. In the import's transaction `queries` is its scope. */
    async keep(errors: readonly RowError[], queries: SqlQueries = held): Promise<void> {
      const kept = errors.slice(0, room);
      room -= kept.length;
      if (kept.length === 0) return;
      await queries.query(
        `INSERT INTO contact_import_errors (import_id, workspace_id, row_number, code, "values", phone, source)
         SELECT $1, $2, e.row_number, e.code, e.values, coalesce(e.phone, r.phone), coalesce(e.source, r.source)
           FROM unnest($3::int[], $4::text[], $5::jsonb[], $6::text[], $7::text[]) AS e (row_number, code, "values", phone, source)
           LEFT JOIN import_rows r ON r.row_number = e.row_number`,
        [
          importId,
          held.workspaceId,
          kept.map(({ row }) => row),
          kept.map(({ problem }) => problem.code),
          kept.map(({ problem }) => JSON.stringify(shorten(problem.values))),
          kept.map(({ phone }) => phone ?? null),
          kept.map(({ source }) => source ?? null),
        ],
      );
    },
  };
}

function shorten(values: ProblemValues): ProblemValues {
  const most = importLimits.charactersOfValue;
  return Object.fromEntries(
    Object.entries(values).map(([name, value]) => [
      name,
      typeof value === 'string' ? value.slice(0, most) : value,
    ]),
  );
}

export type ErrorKeeper = ReturnType<typeof createErrorKeeper>;

/** Of several rows with one number the first counts; the others are told as taken. */
export async function markDoubles(held: HeldConnection): Promise<void> {
  await held.query(
    `UPDATE import_rows r SET is_double = true
       FROM (SELECT row_number, row_number() OVER (PARTITION BY phone ORDER BY row_number) AS place FROM import_rows) AS d
      WHERE d.row_number = r.row_number AND d.place > 1`,
  );
}

/** Rows of people whom another import of the file added; they are neither imported nor failed. */
export async function leaveAdded(held: HeldConnection, importId: string): Promise<void> {
  await held.query(
    `DELETE FROM import_rows r USING contacts c
      WHERE c.workspace_id = $1 AND c.import_id = $2 AND c.phone = r.phone`,
    [held.workspaceId, importId],
  );
}

/** A number that a merged contact had is taken: its person is here under another one. What the row says of marketing reaches them. */
export async function markMerged(held: HeldConnection): Promise<void> {
  await held.query(
    `WITH merged AS (
       UPDATE import_rows r SET is_double = true FROM contact_aliases a JOIN contacts o ON o.id = a.contact_id
        WHERE a.workspace_id = $1 AND a.identifier IN (r.phone, other_spelling(r.phone)) AND a.until IS NULL
          AND NOT EXISTS (SELECT FROM contacts c WHERE c.workspace_id = $1 AND c.phone = r.phone)
       RETURNING r.row_number, r.phone, r.consent, r.said_on, r.words)
     INSERT INTO lost_opt_outs (row_number, phone, said_on, words)
     SELECT row_number, phone, said_on, words FROM merged WHERE consent = 'opt_out'`,
    [held.workspaceId],
  );
}

/** All contacts that the file names, in the order in which everybody locks contacts: its ranges go by the order of the file. */
export async function lockKnown(scope: WorkspaceScope): Promise<void> {
  await scope.query(
    `SELECT count(*) FROM (
       SELECT c.id FROM contacts c WHERE c.workspace_id = $1 AND c.id IN (
              SELECT k.id FROM contacts k JOIN import_rows r ON k.phone = r.phone WHERE k.workspace_id = $1 AND NOT r.is_double
              UNION ALL SELECT contact_id FROM (${concernedByLostOptOuts}) AS concerned)
        ORDER BY c.id FOR UPDATE OF c) AS known`,
    [scope.workspaceId],
  );
}

export type SavedRows = { added: number; updated: number; errors: RowError[] };
type Target = { importId: string; at: Date };
type Range = { from: number; to: number };

/** Makes contacts of the staged rows from `from` to below `to`. Rows whose number is taken become errors. */
export async function addStagedRows(scope: WorkspaceScope, target: Target, range: Range): Promise<SavedRows> {
  const { added, taken } = await addImportedContacts(scope, target, range);
  return { added, updated: 0, errors: describeTaken(taken) };
}

/**
 * The same, but contacts that have the number already take over what the row says: name and e-mail address, more tags,
 * and the status, language and custom values when there are some. Each is kept as it was, so that the import can be taken back, also
 * where only what was said about marketing changes; whoever stays the same is kept as one of its people.
 */
export async function mergeStagedRows(
  scope: WorkspaceScope,
  target: Target,
  range: Range,
): Promise<SavedRows> {
  const { workspaceId } = scope;
  const { importId } = target;
  const { rows: known } = await scope.query<{ id: string }>(
    `SELECT r.id FROM contacts c JOIN import_rows r ON c.phone = r.phone
      WHERE c.workspace_id = $1 AND r.row_number >= $2 AND r.row_number < $3 AND NOT r.is_double
      ORDER BY c.id FOR UPDATE OF c`,
    [workspaceId, range.from, range.to],
  );
  const rowIds = known.map(({ id }) => id);
  if (rowIds.length > 0) {
    const { rows: kept } = await scope.query<{ id: string }>(
      `WITH kept AS (
         INSERT INTO contact_import_changes (import_id, workspace_id, contact_id, name, email, language, tags, status, custom_values, version, is_same)
         SELECT $2, $1, c.id, c.name, c.email, c.language, c.tags, c.status, c.custom_values, c.version + 1,
                c.name = r.name AND c.tags @> r.tags AND c.email IS NOT DISTINCT FROM coalesce(r.email, c.email)
                AND c.language IS NOT DISTINCT FROM coalesce(r.language, c.language) AND c.status = coalesce(r.status, c.status) AND c.custom_values @> r.custom_values AND r.consent IS NULL
           FROM contacts c JOIN import_rows r ON c.phone = r.phone
          WHERE c.workspace_id = $1 AND r.row_number >= $4 AND r.row_number < $5 AND r.id = ANY($3)
         RETURNING contact_id AS id, is_same)
       SELECT id FROM kept WHERE NOT is_same`,
      [workspaceId, importId, rowIds, range.from, range.to],
    );
    await changeImportedContacts(scope, target, { ...range, keptIds: kept.map(({ id }) => id) });
    await scope.query(
      `UPDATE import_rows r SET contact_id = c.id FROM contacts c
        WHERE c.workspace_id = $1 AND c.phone = r.phone AND r.row_number >= $3 AND r.row_number < $4 AND r.id = ANY($2)`,
      [workspaceId, rowIds, range.from, range.to],
    );
  }
  const { added, errors } = await addStagedRows(scope, target, range);
  return { added: added + rowIds.length, updated: rowIds.length, errors };
}

/** What an import would do, without doing it. */
export async function validateStagedRows(
  scope: WorkspaceScope,
  { from, to }: Range,
  updates: boolean,
): Promise<SavedRows> {
  const { rows } = await scope.query<{
    row_number: number;
    written: string;
    is_double: boolean;
    is_known: boolean;
  }>(
    `SELECT row_number, written, is_double,
            EXISTS (SELECT FROM contacts c WHERE c.workspace_id = $1 AND c.phone = r.phone) AS is_known
       FROM import_rows r WHERE row_number >= $2 AND row_number < $3`,
    [scope.workspaceId, from, to],
  );
  const taken = rows.filter(({ is_double, is_known }) => is_double || (is_known && !updates));
  const updated = rows.filter(({ is_double, is_known }) => !is_double && is_known && updates);
  return { added: rows.length - taken.length, updated: updated.length, errors: describeTaken(taken) };
}

function describeTaken(rows: readonly { row_number: number; written: string }[]): RowError[] {
  return rows.map(({ row_number: row, written }) => ({
    row,
    problem: rowProblem('taken', { phone: written }),
  }));
}
