import { readParts, sizeOfParts } from '../platform/long-acts/act-parts.ts';
import { endAct } from '../platform/long-acts/end-act.ts';
import {
  ActCancelled,
  ActFailed,
  ActLost,
  type LongActKind,
  type RunningAct,
} from '../platform/long-acts/long-act-kind.ts';
import { advanceAct, lockAct, type StoredAct } from '../platform/long-acts/long-act-rows.ts';
import { inNameOf } from '../platform/long-acts/run-act.ts';
import { checkStarter } from '../platform/long-acts/starter-rights.ts';
import { publishRow } from '../platform/long-acts/tell-progress.ts';
import { holdConnection, type HeldConnection } from '../platform/request-scopes.ts';
import type { WorkspaceScope } from '../platform/workspace-scope.ts';
import { MOST_IMPORTS } from '@app/database/database';
import { forgetErrors, keepOutcome } from './import-record.ts';
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
export const contactImport: LongActKind = {
  name: 'contact-import',
  atOnce: MOST_IMPORTS,
  run: (running) => importFile(running, contactImport, { choices: readChoices(running.act) }),
  async onEnd(scope, { act, state }) {
    if (state !== 'done') return forgetErrors(scope, act.id);
    const { rows } = await scope.query<{ imported: number; opt_outs: number; is_dry_run: boolean }>(
      'SELECT successful AS imported, opt_outs, is_dry_run FROM contact_imports WHERE workspace_id = $1 AND id = $2',
      [scope.workspaceId, act.id],
    );
    const [
      { imported, opt_outs: optOuts, is_dry_run: isDryRun } = { imported: 0, opt_outs: 0, is_dry_run: true },
    ] = rows;
    if (imported + optOuts > 0 && !isDryRun)
      await scope.tell({ type: 'contacts.imported', subject: act.id, values: { imported } });
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
export async function importFile(running: RunningAct, kind: LongActKind, wanted: FileImport): Promise<void> {
  for (let readings = 1; ; readings += 1) {
    try {
      return await importOnce(running, kind, wanted);
    } catch (error) {
      const isErased = error instanceof ImportRefused && error.code === 'erased_meanwhile';
      if (!isErased || readings === MOST_READINGS) throw error;
    }
  }
}

async function importOnce(running: RunningAct, kind: LongActKind, wanted: FileImport): Promise<void> {
  const { act, parts, caller, origin, signal } = running;
  const { choices, readRest, onStaged, makeRoom, saveRest } = wanted;
  const progress = startProgress();
  const stopping = new AbortController();
  const stop = () => stopping.abort(signal.reason);
  signal.addEventListener('abort', stop, { once: true });
  if (signal.aborted) stop();
  await inNameOf(running, (scope) => forgetErrors(scope, act.id));
  const report = openReport(running, progress, (reason) => stopping.abort(reason));
  const timer = setInterval(() => void report(), REPORT_EVERY_MS);
  try {
    await report();
    await holdConnection({ ...parts, caller, origin }, async (held) => {
      const rest = await readRest?.(held, openFile(held, act, stopping.signal).read());
      await runImport(held, {
        ...{ importId: act.id, fileName: act.name, at: act.created_at, progress },
        ...{ secrets: parts.secrets, choices, signal: stopping.signal, ...rest },
        ...(onStaged && { onStaged }),
        ...(makeRoom && { makeRoom }),
        file: openFile(held, act, stopping.signal, progress),
        lookedInto: openFile(held, act, stopping.signal),
        async beforeCommit(scope) {
          await saveRest?.(scope, progress);
          await keepOutcome(scope, act.id, progress);
          await checkStarter(scope, act.kind, caller);
          await sayOutcome(scope, act, { progress, choices });
          if (!(await endAct(scope, kind, act, { state: 'done' }))) throw new ActLost();
        },
        onUntidy: (error) =>
          parts.logger.warn({ err: error, importId: act.id }, 'not tidied after an import'),
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
  act: StoredAct,
  { progress, choices }: { progress: ImportProgress; choices: ImportChoices },
): Promise<void> {
  const now = await lockAct(scope, act.id, act.run);
  if (!now) throw new ActLost();
  // Whoever cancelled it reckons with nobody of the file from then on.
  if (now.state === 'cancelling') throw new ActCancelled();
  const { rows, successful, failed } = progress;
  const told = now.phase === 'saving' ? Number(now.done) : 0;
  const isDryRun = choices.isDryRun ? 1 : 0;
  await advanceAct(scope, act, {
    ...{ phase: 'saving', done: rows - told, total: rows },
    result: { successful, failed, isDryRun, isWestern: progress.encoding === 'windows-1252' ? 1 : 0 },
  });
}

/** Shows the figures to whoever looks; stops the import that somebody cancelled, or that another process has now. */
function openReport(running: RunningAct, progress: ImportProgress, stop: (reason: Error) => void) {
  const { act, parts } = running;
  let told = { phase: act.phase, done: Number(act.done) };
  let isReporting = false;
  return async () => {
    if (isReporting) return;
    isReporting = true;
    const { phase } = progress;
    const isReading = phase === 'reading';
    const done = isReading ? progress.receivedBytes : progress.successful + progress.failed;
    const total = isReading ? readSize(act) : progress.rows;
    try {
      const row = await inNameOf(running, async (scope) => {
        await checkStarter(scope, act.kind, running.caller);
        return advanceAct(scope, act, { phase, total, done: done - (phase === told.phase ? told.done : 0) });
      });
      if (!row) return stop(new ActLost());
      if (row.state === 'cancelling') return stop(new ActCancelled());
      told = { phase, done };
      await publishRow(parts, { row, workspaceId: act.workspace_id, now: parts.clock() });
    } catch (error) {
      if (error instanceof ActFailed) return stop(error);
      parts.logger.warn({ err: error, importId: act.id }, 'import progress not saved');
    } finally {
      isReporting = false;
    }
  };
}

/** The file as it was kept when it arrived. */
function openFile(
  held: HeldConnection,
  { id: actId, workspace_id: workspaceId }: StoredAct,
  signal: AbortSignal,
  progress?: ImportProgress,
): ImportFile {
  const place = { workspaceId, actId };
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
function readChoices({ wish }: StoredAct): ImportChoices {
  return wish.choices as ImportChoices;
}

function readSize({ resume }: StoredAct): number | null {
  return typeof resume.size === 'number' ? resume.size : null;
}
