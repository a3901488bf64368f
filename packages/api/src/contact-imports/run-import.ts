import { advisoryLocks } from '@app/database/advisory-locks';
import type pg from 'pg';
import { newId } from '@app/database/new-id';
import { hasLostRace } from '@app/database/query-error';
import { openQueries } from '@app/database/open-queries';
import { readCustomFields } from '../custom-fields/custom-field-rules.ts';
import type { CustomFieldRule } from '@app/domain/custom-fields/custom-field';
import { importWords, readImportedRow } from '@app/domain/contact-imports/contact-import';
import type { ImportRun } from './import-run.ts';
import { readImportRows, type SourceRow } from './import-rows.ts';
import { recallRows } from './recalled-rows.ts';
import { refuseErasedRows, refuseIfErasedSince } from './erased-rows.ts';
import { decodeImport } from './import-text.ts';
import type { PhoneCountry } from '@app/domain/contacts/phone-country';
import { readPhoneNumber } from '../contacts/phone-number.ts';
import {
  addStagedRows,
  closeStaging,
  createErrorKeeper,
  lockKnown,
  judgeStagedRows,
  markDoubles,
  markMerged,
  mergeStagedRows,
  openStaging,
  stageRows,
  type ErrorKeeper,
  type RowError,
  type StagedRow,
} from './staged-rows.ts';

const STAGED_AT_ONCE = 5_000;
const SAVED_AT_ONCE = 20_000;
const MOST_TRIES = 3;

/**
 * Reads the whole file, then adds its contacts in one transaction: a broken file, a cancelled import or a lost process
 * leaves nothing behind. Throws `ImportRefused` when the file cannot be read. Any other error may also be the lost
 * answer to the commit: the row of the import says which.
 */
export async function runImport(pool: pg.Pool, run: ImportRun): Promise<void> {
  const client = await pool.connect();
  let broken: Error | undefined;
  try {
    await openStaging(client);
    const keeper = createErrorKeeper(client, run);
    await stageFile(client, run, keeper);
    await prepareStaged(client, run);
    await saveInTries(client, run, keeper);
  } catch (error) {
    await client.query('ROLLBACK').catch((problem: Error) => (broken = problem));
    await giveBack(client, broken);
    throw error;
  }
  await tidyAfter(client, run).catch(run.onUntidy);
  await giveBack(client, undefined);
}

async function giveBack(client: pg.PoolClient, problem: Error | undefined): Promise<void> {
  let broken = problem;
  await closeStaging(client).catch((error: Error) => (broken ??= error));
  client.release(broken);
}

async function stageFile(client: pg.PoolClient, run: ImportRun, keeper: ErrorKeeper): Promise<void> {
  const { progress, signal } = run;
  const { country } = run.choices;
  const idPrefix = newId().slice(0, 24);
  const fields = await readCustomFields(client, run.workspaceId);
  let staged: StagedRow[] = [];
  let errors: RowError[] = [];
  const flush = async () => {
    const { allowed, refused } = await refuseErasedRows(client, run, staged);
    progress.failed += refused.length;
    await stageRows(client, allowed);
    await keeper.keep([...errors, ...refused]);
    staged = [];
    errors = [];
  };
  for await (const sources of readImportRows(decodeImport(run.bytes), fields, run.choices.mapping)) {
    signal.throwIfAborted();
    for (const source of sources) {
      progress.rows += 1;
      const row = checkRow(progress.rows, source, { idPrefix, fields, country });
      if ('message' in row) {
        progress.failed += 1;
        if (!keeper.isFull) errors.push(row);
      } else staged.push(row);
    }
    if (staged.length + errors.length >= STAGED_AT_ONCE) await flush();
  }
  signal.throwIfAborted();
  await flush();
}

/** Ids of one import follow each other, which keeps the primary key's index dense. */
function checkRow(
  row: number,
  source: SourceRow,
  {
    idPrefix,
    fields,
    country,
  }: { idPrefix: string; fields: readonly CustomFieldRule[]; country?: PhoneCountry | undefined },
): StagedRow | RowError {
  if (source.wrongQuote) return { row, message: importWords.wrongQuote[source.wrongQuote](row) };
  if (source.hasExtraCells) return { row, message: importWords.tooManyFields(row) };
  const contact = readImportedRow(row, source, fields);
  if (typeof contact === 'string') return { row, message: contact };
  const phone = readPhoneNumber(contact.phone, country);
  if (!phone) return { row, message: importWords.noCountry(row, contact.phone) };
  const id = idPrefix + row.toString(16).padStart(12, '0');
  const saysStatus = typeof source.status === 'string' && source.status.trim() !== '';
  const status = saysStatus ? contact.status : null;
  return { ...contact, row, id, phone, written: contact.phone, status };
}

async function prepareStaged(
  client: pg.PoolClient,
  { workspaceId, progress, choices }: ImportRun,
): Promise<void> {
  progress.phase = 'saving';
  if (choices.duplicates === 'update' || choices.isDryRun) await markDoubles(client);
  await markMerged(client, workspaceId);
  await client.query('ANALYZE import_rows');
}

/** The file is read: who gives way to somebody else's transaction begins anew behind it, with the figures of then. */
async function saveInTries(client: pg.PoolClient, run: ImportRun, keeper: ErrorKeeper): Promise<void> {
  const read = { ...run.progress };
  const giveUpErrors = keeper.remember();
  for (let attempt = 1; ; attempt += 1) {
    try {
      return await saveStaged(client, run, keeper);
    } catch (error) {
      if (attempt === MOST_TRIES || !hasLostRace(error)) throw error;
      await client.query('ROLLBACK');
      giveUpErrors();
      Object.assign(run.progress, read);
    }
  }
}

async function saveStaged(client: pg.PoolClient, run: ImportRun, keeper: ErrorKeeper): Promise<void> {
  const { progress, signal, choices } = run;
  await client.query('BEGIN');
  // Two imports of the same numbers in different order would otherwise block each other for good.
  await client.query(`SELECT pg_advisory_xact_lock(hashtextextended($1, ${advisoryLocks.contactImport}))`, [
    run.workspaceId,
  ]);
  await client.query(`SET LOCAL gin_pending_list_limit = '64MB'`);
  await client.query(`SET LOCAL work_mem = '64MB'`);
  if (choices.duplicates === 'update' && !choices.isDryRun) await lockKnown(client, run.workspaceId);
  for (let from = 1; from <= progress.rows; from += SAVED_AT_ONCE) {
    signal.throwIfAborted();
    const range = { from, to: from + SAVED_AT_ONCE };
    const { added, updated, errors } = await saveRange(client, run, range);
    await keeper.keep(errors);
    progress.successful += added;
    progress.updated += updated;
    progress.failed += errors.length;
    progress.optedOut += await recallRows(client, run, range);
  }
  signal.throwIfAborted();
  await refuseIfErasedSince(client, run);
  await run.beforeCommit(openQueries(client), client);
  await client.query('COMMIT');
}

function saveRange(client: pg.PoolClient, run: ImportRun, range: { from: number; to: number }) {
  const updates = run.choices.duplicates === 'update';
  if (run.choices.isDryRun) return judgeStagedRows(client, run, range, updates);
  return updates ? mergeStagedRows(client, run, range) : addStagedRows(client, run, range);
}

const LARGE = 10_000;

/** The counts become few rows again, and the planner learns what it has to plan for. */
async function tidyAfter(
  client: pg.PoolClient,
  { workspaceId, progress, choices }: ImportRun,
): Promise<void> {
  if (choices.isDryRun) return;
  await client.query('SELECT fold_contact_counts($1)', [workspaceId]);
  if (progress.successful < LARGE) return;
  await client.query(
    `SELECT gin_clean_pending_list('contacts_search'), gin_clean_pending_list('contacts_tags'),
            gin_clean_pending_list('contacts_custom_values')`,
  );
  await client.query('ANALYZE contacts');
}
