import { readParts, sizeOfParts } from '../platform/operations/operation-parts.ts';
import { endOperation } from '../platform/operations/end-operation.ts';
import {
  OperationCancelled,
  OperationFailed,
  OperationLost,
  type OperationKind,
  type RunningOperation,
} from '../platform/operations/operation-kind.ts';
import {
  advanceOperation,
  lockOperation,
  type StoredOperation,
} from '../platform/operations/operation-rows.ts';
import { inNameOf } from '../platform/operations/run-operation.ts';
import { checkStarter } from '../platform/operations/starter-rights.ts';
import { publishRow } from '../platform/operations/publish-progress.ts';
import { holdConnection, type HeldConnection } from '../platform/request-scopes.ts';
import type { WorkspaceScope } from '../platform/workspace-scope.ts';
import { MOST_IMPORTS } from '@app/database/database';
import { deleteErrors, keepOutcome } from './import-record.ts';
import type { ImportChoices, ImportProgress, ImportRun } from './import-run.ts';
import { ImportRefused } from './reading/import-text.ts';
import type { ImportFile } from './reading/read-file-rows.ts';
import { runImport } from './run-import.ts';

/** Before the file is here it is no matter of the background. */
export const RECEIVING = 'receiving';
const REPORT_EVERY_MS = 500;
/** Somebody may be erased while a file is read; it is then read again, without that person. */
const MOST_READINGS = 3;

/**
 * Adds the contacts of a file that is here, all or none in one transaction. Begun anew by another process it reads the file again from
 * its beginning; cancelled it leaves nothing.
 */
export const contactImport: OperationKind = {
  name: 'contact-import',
  atOnce: MOST_IMPORTS,
  run: (running) => importFile(running, contactImport, { choices: readChoices(running.operation) }),
  async onEnd(scope, { operation, state }) {
    if (state !== 'done') return deleteErrors(scope, operation.id);
    const { rows } = await scope.query<{ imported: number; opt_outs: number; is_dry_run: boolean }>(
      'SELECT successful AS imported, opt_outs, is_dry_run FROM contact_imports WHERE workspace_id = $1 AND id = $2',
      [scope.workspaceId, operation.id],
    );
    const [
      { imported, opt_outs: optOuts, is_dry_run: isDryRun } = { imported: 0, opt_outs: 0, is_dry_run: true },
    ] = rows;
    if (imported + optOuts > 0 && !isDryRun)
      await scope.emit({ type: 'contacts.imported', subject: operation.id, values: { imported } });
  },
};

/** What an act does that imports contacts among other things. */
export type FileImport = {
  choices: ImportChoices;
  /** Before the contacts are read: what the file holds beside them. `fields` as in `ImportRun`. */
  readRest?(held: HeldConnection, bytes: AsyncIterable<Uint8Array>): Promise<Pick<ImportRun, 'fields'>>;
  onStaged?(held: HeldConnection): Promise<void>;
  /** As in `ImportRun`. */
  makeRoom?: ImportRun['makeRoom'];
  /** In the transaction that has made the contacts, unless it was a try. */
  saveRest?(scope: WorkspaceScope, progress: ImportProgress): Promise<void>;
};

/** Imports the file that was kept with the act, and ends the act, in one transaction. */
export async function importFile(
  running: RunningOperation,
  kind: OperationKind,
  wanted: FileImport,
): Promise<void> {
  for (let readings = 1; ; readings += 1) {
    try {
      return await importOnce(running, kind, wanted);
    } catch (error) {
      const isErased = error instanceof ImportRefused && error.code === 'erased_meanwhile';
      if (!isErased || readings === MOST_READINGS) throw error;
    }
  }
}

async function importOnce(running: RunningOperation, kind: OperationKind, wanted: FileImport): Promise<void> {
  const { operation, parts, caller, origin, cause, signal } = running;
  const { choices, readRest, onStaged, makeRoom, saveRest } = wanted;
  const progress = startProgress();
  const stopping = new AbortController();
  const stop = () => stopping.abort(signal.reason);
  signal.addEventListener('abort', stop, { once: true });
  if (signal.aborted) stop();
  await inNameOf(running, (scope) => deleteErrors(scope, operation.id));
  const report = openReport(running, progress, (reason) => stopping.abort(reason));
  const timer = setInterval(() => void report(), REPORT_EVERY_MS);
  try {
    await report();
    await holdConnection({ ...parts, caller, origin, cause }, async (held) => {
      const rest = await readRest?.(held, openFile(held, operation, stopping.signal).read());
      await runImport(held, {
        ...{ importId: operation.id, fileName: operation.name, at: operation.created_at, progress },
        ...{ secrets: parts.secrets, choices, signal: stopping.signal, ...rest },
        ...(onStaged && { onStaged }),
        ...(makeRoom && { makeRoom }),
        file: openFile(held, operation, stopping.signal, progress),
        lookedInto: openFile(held, operation, stopping.signal),
        async beforeCommit(scope) {
          await saveRest?.(scope, progress);
          await keepOutcome(scope, operation.id, progress);
          await checkStarter(scope, operation.kind, caller);
          await sayOutcome(scope, operation, { progress, choices });
          if (!(await endOperation(scope, kind, operation, { state: 'done' }))) throw new OperationLost();
        },
        onUntidy: (error) =>
          parts.logger.warn({ err: error, importId: operation.id }, 'not tidied after an import'),
      });
    });
  } finally {
    clearInterval(timer);
    signal.removeEventListener('abort', stop);
  }
}

/** The last figures, which a timer may never have told, and what came of it for those who read the act alone. */
async function sayOutcome(
  scope: WorkspaceScope,
  operation: StoredOperation,
  { progress, choices }: { progress: ImportProgress; choices: ImportChoices },
): Promise<void> {
  const now = await lockOperation(scope, operation.id, operation.run);
  if (!now) throw new OperationLost();
  // Whoever cancelled it reckons with nobody of the file from then on.
  if (now.state === 'cancelling') throw new OperationCancelled();
  const { rows, successful, failed } = progress;
  const told = now.phase === 'saving' ? Number(now.done) : 0;
  const isDryRun = choices.isDryRun ? 1 : 0;
  await advanceOperation(scope, operation, {
    ...{ phase: 'saving', done: rows - told, total: rows },
    result: { successful, failed, isDryRun, isWestern: progress.encoding === 'windows-1252' ? 1 : 0 },
  });
}

/** Shows the figures to whoever looks; stops the import that somebody cancelled, or that another process has now. */
function openReport(running: RunningOperation, progress: ImportProgress, stop: (reason: Error) => void) {
  const { operation, parts } = running;
  let told = { phase: operation.phase, done: Number(operation.done) };
  let isReporting = false;
  return async () => {
    if (isReporting) return;
    isReporting = true;
    const { phase } = progress;
    const isReading = phase === 'reading';
    const done = isReading ? progress.receivedBytes : progress.successful + progress.failed;
    const total = isReading ? readSize(operation) : progress.rows;
    try {
      const row = await inNameOf(running, async (scope) => {
        await checkStarter(scope, operation.kind, running.caller);
        return advanceOperation(scope, operation, {
          phase,
          total,
          done: done - (phase === told.phase ? told.done : 0),
        });
      });
      if (!row) return stop(new OperationLost());
      if (row.state === 'cancelling') return stop(new OperationCancelled());
      told = { phase, done };
      await publishRow(parts, { row, workspaceId: operation.workspace_id, now: parts.clock() });
    } catch (error) {
      if (error instanceof OperationFailed) return stop(error);
      parts.logger.warn({ err: error, importId: operation.id }, 'import progress not saved');
    } finally {
      isReporting = false;
    }
  };
}

/** The file as it was kept when it arrived. */
function openFile(
  held: HeldConnection,
  { id: operationId, workspace_id: workspaceId }: StoredOperation,
  signal: AbortSignal,
  progress?: ImportProgress,
): ImportFile {
  const place = { workspaceId, operationId };
  return {
    size: () => sizeOfParts(held, place),
    async *read(from, to) {
      for await (const bytes of readParts(held, place, { from, to })) {
        signal.throwIfAborted();
        yield bytes;
        if (progress) progress.receivedBytes += bytes.length;
      }
    },
  };
}

function startProgress(): ImportProgress {
  return {
    ...{ phase: 'reading', receivedBytes: 0, rows: 0, columns: null, encoding: null },
    ...{ successful: 0, updated: 0, failed: 0, optedOut: 0, optOuts: 0, optIns: 0, twofold: 0 },
  };
}

/** As `receiveImport` kept them. */
function readChoices({ wish }: StoredOperation): ImportChoices {
  return wish.choices as ImportChoices;
}

function readSize({ resume }: StoredOperation): number | null {
  return typeof resume.size === 'number' ? resume.size : null;
}
