import { applyContactCounts, summarizeContacts } from '@app/database/contacts/count-contacts';
import { advisoryLocks } from '@app/database/advisory-locks';
import { newId } from '@app/database/new-id';
import { hasLostRace } from '@app/database/query-error';
import {
  familyFirstCountries,
  importLimits,
  readImportedRow,
} from '@app/domain/contact-imports/contact-import';
import { findOptOut } from '@app/domain/contact-imports/import-consent';
import { rowProblem, type RowProblem } from '@app/domain/contact-imports/import-problems';
import type { CustomFieldRule } from '@app/domain/custom-fields/custom-field';
import type { DayOrder } from '@app/domain/custom-fields/day';
import { readCustomFields } from '../custom-fields/custom-field-rules.ts';
import type { HeldConnection } from '../platform/request-scopes.ts';
import type { WorkspaceScope } from '../platform/workspace-scope.ts';
import { readDatabaseTime, refuseErasedRows, refuseIfErasedSince } from './erased-rows.ts';
import type { SourceRow } from './reading/source-row.ts';
import type { ImportChoices, ImportRun } from './import-run.ts';
import { findDayOrders } from './reading/find-day-orders.ts';
import { readFileRows } from './reading/read-file-rows.ts';
import { adoptSpellings } from './rows/adopted-spellings.ts';
import { choosePhone, findPhone, readSaid } from './rows/row-values.ts';
import { recallRows } from './recalled-rows.ts';
import { countLostOptOuts, recordLostOptOuts, stageOptOuts } from './lost-opt-outs.ts';
import { carryOptOuts, recordWords } from './recorded-words.ts';
import {
  addStagedRows,
  createErrorKeeper,
  lockKnown,
  validateStagedRows,
  leaveAdded,
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
/** Of rows as they were written. */
const CHARACTERS_AT_ONCE = 4_000_000;
const SAVED_AT_ONCE = 20_000;
const MOST_TRIES = 3;

/**
 * Reads the whole file, then adds its contacts in one transaction: a broken file, a cancelled import or a lost process
 * leaves nothing behind. Throws `ImportRefused` when the file cannot be read. Any other error may also be the lost
 * answer to the commit: the row of the import says which.
 */
export async function runImport(held: HeldConnection, run: ImportRun): Promise<void> {
  await openStaging(held);
  const keeper = createErrorKeeper(held, run.importId);
  const began = await readDatabaseTime(held);
  await stageFile(held, run, keeper);
  await prepareStaged(held, run);
  await saveInTries(held, run, { keeper, began });
  await tidyAfter(held, run).catch(run.onUntidy);
}

async function stageFile(held: HeldConnection, run: ImportRun, keeper: ErrorKeeper): Promise<void> {
  const { progress, signal, choices, at } = run;
  const fields = run.fields ?? (await readCustomFields(held, held.workspaceId));
  const { mapping, sheet, isHeadless, encoding } = choices;
  const reading = { fields, mapping, sheet, isHeadless, encoding };
  // A file of data has days as they are stored.
  const dayOrders = run.fields ? new Map<string, DayOrder>() : await findDayOrders(run, reading, choices);
  const rules: RowRules = {
    ...{ idPrefix: newId().slice(0, 24), fields, choices, at, dayOrders },
    onAmbiguous: () => (progress.twofold += 1),
  };
  let staged: StagedRow[] = [];
  let errors: RowError[] = [];
  let characters = 0;
  const flush = async () => {
    const read = await refuseErasedRows(held, run, { staged, failed: errors });
    progress.failed += read.refused;
    await stageRows(held, read.staged);
    await stageOptOuts(held, read.failed);
    await keeper.keep(read.failed);
    staged = [];
    errors = [];
    characters = 0;
  };
  const file = readFileRows(run.file, {
    ...reading,
    onEncoding: (encoding) => (progress.encoding = encoding),
    onColumns: (columns) => (progress.columns = columns),
  });
  for await (const sources of file) {
    signal.throwIfAborted();
    for (const source of sources) {
      progress.rows += 1;
      const row = checkRow(progress.rows, source, rules);
      characters += row.source?.length ?? 0;
      if ('problem' in row) {
        progress.failed += 1;
        if (!keeper.isFull || row.optOut) errors.push(row);
      } else staged.push(row);
      if (characters >= CHARACTERS_AT_ONCE) await flush();
    }
    if (staged.length + errors.length >= STAGED_AT_ONCE) await flush();
  }
  signal.throwIfAborted();
  await flush();
}

type RowRules = {
  idPrefix: string;
  fields: readonly CustomFieldRule[];
  choices: ImportChoices;
  at: Date;
  dayOrders: ReadonlyMap<string, DayOrder>;
  /** Of a row whose number can be read in two ways. */
  onAmbiguous: () => void;
};

function checkRow(row: number, source: SourceRow, rules: RowRules): StagedRow | RowError {
  const kept = JSON.stringify(source.asWritten);
  const withSource = { source: kept.length > importLimits.charactersOfKeptRow ? null : kept };
  const read = readRow(row, source, rules);
  if (!('code' in read)) return { ...read, ...withSource };
  const phone = findPhone(source, rules.choices);
  if (phone === null) return { row, problem: read, ...withSource };
  const optOut = findOptOut(source, rules.at) ?? findOptOut(source.fromEnd ?? {}, rules.at);
  return { row, problem: read, phone, ...(optOut && { optOut }), ...withSource };
}

/** Ids of one import follow each other, which keeps the primary key's index dense. */
function readRow(
  row: number,
  source: SourceRow,
  { idPrefix, fields, choices, at, dayOrders, onAmbiguous }: RowRules,
): Omit<StagedRow, 'source'> | RowProblem {
  if (source.isUnreadable) return rowProblem('unreadable_letters');
  if (source.wrongQuote) return rowProblem(source.wrongQuote);
  if (source.hasExtraCells) return rowProblem('too_many_values');
  const chosen = choosePhone(source, choices);
  const isFamilyFirst = familyFirstCountries.includes(chosen.country ?? choices.country ?? '');
  const { tags = [] } = choices;
  const manners = { tags, isFamilyFirst, dayOrders };
  const contact = readImportedRow({ ...source, phone: chosen.written }, fields, manners);
  if ('code' in contact) return contact;
  const { number: phone } = chosen;
  if (!phone && !chosen.isRounded && chosen.country)
    return rowProblem('not_of_country', { phone: contact.phone, country: chosen.country });
  if (!phone) return rowProblem(chosen.isRounded ? 'rounded_phone' : 'no_country', { phone: contact.phone });
  const consent = readSaid(source, choices, at);
  if (consent && 'code' in consent) return consent;
  if (chosen.isAmbiguous) onAmbiguous();
  const id = idPrefix + row.toString(16).padStart(12, '0');
  const saysStatus = typeof source.status === 'string' && source.status.trim() !== '';
  const status = saysStatus ? contact.status : null;
  return { ...contact, row, id, phone, written: contact.phone, status, consent };
}

/** Judged outside of the transaction, whose locks others wait for. */
async function prepareStaged(
  held: HeldConnection,
  { progress, choices, onStaged, makeRoom }: ImportRun,
): Promise<void> {
  progress.phase = 'saving';
  await held.query('ANALYZE import_rows');
  await learnContacts(held);
  if (!makeRoom) await adoptSpellings(held);
  if (choices.insteadOf !== undefined) await leaveAdded(held, choices.insteadOf);
  if (choices.duplicates === 'update' || choices.isDryRun) await markDoubles(held);
  if (!makeRoom) await markMerged(held);
  await carryOptOuts(held);
  await onStaged?.(held);
}

/**
 * The planner knows contacts as they were when it last looked. Of a workspace that is new since, it believes that it has one, and would go through
 * all of them again for each row of the file.
 */
async function learnContacts(held: HeldConnection): Promise<void> {
  const { rows } = await held.query<{ 'QUERY PLAN': { Plan: { 'Plan Rows': number } }[] }>(
    'EXPLAIN (FORMAT JSON) SELECT FROM contacts WHERE workspace_id = $1',
    [held.workspaceId],
  );
  const believed = rows[0]?.['QUERY PLAN'][0]?.Plan['Plan Rows'] ?? 0;
  const { total } = await summarizeContacts(held, held.workspaceId);
  if (total > 2 * believed) await held.query('ANALYZE contacts');
}

/** What the reading of the file leaves to its saving; `began` is the time of the database. */
type Reading = { keeper: ErrorKeeper; began: string };

/** The file is read: who gives way to somebody else's transaction begins anew behind it, with the figures of then. */
async function saveInTries(held: HeldConnection, run: ImportRun, read: Reading): Promise<void> {
  const figures = { ...run.progress };
  const giveUpErrors = read.keeper.remember();
  for (let attempt = 1; ; attempt += 1) {
    try {
      return await held.change((scope) => saveStaged(scope, run, read));
    } catch (error) {
      if (attempt === MOST_TRIES || !hasLostRace(error)) throw error;
      giveUpErrors();
      Object.assign(run.progress, figures);
    }
  }
}

async function saveStaged(scope: WorkspaceScope, run: ImportRun, { keeper, began }: Reading): Promise<void> {
  const { progress, signal, choices } = run;
  // Two imports of the same numbers in different order would otherwise block each other for good.
  await scope.query(`SELECT pg_advisory_xact_lock(hashtextextended($1, ${advisoryLocks.contactImport}))`, [
    scope.workspaceId,
  ]);
  await scope.query(`SET LOCAL gin_pending_list_limit = '64MB'`);
  await scope.query(`SET LOCAL work_mem = '64MB'`);
  if (!choices.isDryRun) await run.makeRoom?.(scope, run);
  if (choices.duplicates === 'update' && !choices.isDryRun) await lockKnown(scope);
  for (let from = 1; from <= progress.rows; from += SAVED_AT_ONCE) {
    signal.throwIfAborted();
    const range = { from, to: from + SAVED_AT_ONCE };
    const { added, updated, errors } = await saveRange(scope, run, range);
    await keeper.keep(errors, scope);
    progress.successful += added;
    progress.updated += updated;
    progress.failed += errors.length;
    progress.optedOut += await recallRows(scope, run, range);
    const { optOuts, optIns } = await recordWords(scope, run, range);
    progress.optOuts += optOuts;
    progress.optIns += optIns;
  }
  if (choices.duplicates === 'update')
    progress.optOuts += await (choices.isDryRun ? countLostOptOuts(scope) : recordLostOptOuts(scope, run));
  signal.throwIfAborted();
  await refuseIfErasedSince(scope, began);
  await run.beforeCommit(scope);
}

function saveRange(scope: WorkspaceScope, run: ImportRun, range: { from: number; to: number }) {
  const updates = run.choices.duplicates === 'update';
  if (run.choices.isDryRun) return validateStagedRows(scope, range, updates);
  return updates ? mergeStagedRows(scope, run, range) : addStagedRows(scope, run, range);
}

const LARGE = 10_000;

/** The counts become few rows again, and the planner learns what it has to plan for. */
async function tidyAfter(held: HeldConnection, { progress, choices }: ImportRun): Promise<void> {
  if (choices.isDryRun) return;
  await applyContactCounts(held, held.workspaceId);
  if (progress.successful < LARGE) return;
  await held.query(
    `SELECT gin_clean_pending_list('contacts_search'), gin_clean_pending_list('contacts_tags'),
            gin_clean_pending_list('contacts_custom_values')`,
  );
  await held.query('ANALYZE contacts');
}
