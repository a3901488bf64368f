import { sizeStoredFiles } from '@app/database/backup/dump-database';
import { countArchived } from '@app/database/backup/take-archive';
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
import { publishRow, TELL_EVERY_MS } from '../platform/operations/publish-progress.ts';
import { StorageFull } from '../platform/media-store.ts';
import type { SecretBox } from '../platform/request-context.ts';
import { changeAsSystem } from '../platform/system-work.ts';
import { beginReading, dropArchive, isArchiveKept, keepArchive, keyOfArchive } from './workspace-archives.ts';

/** How far it is goes by rows; so many bytes of a file take about as long as one. */
const BYTES_OF_ROW = 1_024;
/** Somebody may be erased while it is read; it is then read again, without that person. */
const MOST_READINGS = 3;
const MOST_RUNS = 10;

export type ArchiveWish = {
  withSecrets: boolean;
  sealedPassphrase: string | null;
};

/**
 * Writes the whole workspace into one file, as one moment saw it. Taken up by another process it is written from its beginning. The passphrase is
 * sealed in the wish, which is forgotten however it ends.
 */
export const workspaceArchive: OperationKind = {
  name: 'workspace-archive',
  async run(running) {
    // One that no process brings to its end would keep others from being written for ever.
    if (running.operation.run > MOST_RUNS) throw new OperationFailed('archive_interrupted');
    for (let readings = 1; readings <= MOST_READINGS; readings += 1) if (await writeOnce(running)) return;
    throw new OperationFailed('archive_erased_meanwhile');
  },
  async onEnd(scope, { operation, state }) {
    if (state !== 'done') return dropArchive(scope, operation.id);
    const { rows } = await scope.query<{ with_secrets: boolean }>(
      'SELECT with_secrets FROM workspace_archives WHERE workspace_id = $1 AND id = $2',
      [scope.workspaceId, operation.id],
    );
    const values = { withSecrets: rows[0]?.with_secrets ?? false };
    await scope.emit({
      type: 'data.archived',
      subject: scope.workspaceId,
      values,
    });
  },
};

/** False when it has to be read anew. */
async function writeOnce(running: RunningOperation): Promise<boolean> {
  const { operation, parts, signal } = running;
  const { withSecrets, passphrase } = await openWish(operation, parts.secrets);
  const progress = { done: 0, total: 1 };
  await inNameOf(running, async (scope) => {
    await checkStarter(scope, operation.kind, running.caller);
    if (!(await beginReading(scope, operation.id, operation.run))) throw new OperationFailed('internal');
    const fileBytes = await sizeStoredFiles(scope, scope.workspaceId);
    progress.total = (await countArchived(scope, scope.workspaceId)) + Math.ceil(fileBytes / BYTES_OF_ROW);
  });
  const draft = await parts.mediaStore.begin().catch(sayWhatIsFull);
  const stopping = new AbortController();
  const stop = () => stopping.abort(signal.reason);
  signal.addEventListener('abort', stop, { once: true });
  if (signal.aborted) stop();
  const report = openReport(running, progress, (reason) => stopping.abort(reason));
  const timer = setInterval(() => void report(), TELL_EVERY_MS);
  const key = keyOfArchive(operation.workspace_id, operation.id, operation.run);
  let isNamed = false;
  try {
    const seen = { rows: 0, fileBytes: 0 };
    // What comes and goes meanwhile makes the total an estimate.
    const move = () => {
      stopping.signal.throwIfAborted();
      const done = seen.rows + Math.floor(seen.fileBytes / BYTES_OF_ROW);
      progress.done = Math.min(progress.total, Math.max(progress.done, done));
    };
    const taken = await parts.takeArchive({
      ...{
        workspaceId: operation.workspace_id,
        withSecrets,
        passphrase,
        now: parts.clock(),
      },
      async sink(bytes) {
        stopping.signal.throwIfAborted();
        await draft.append(bytes);
      },
      onTable: () => move(),
      onRows(rows) {
        seen.rows = rows;
        move();
      },
      onFile(_, fileBytes) {
        seen.fileBytes = fileBytes;
        move();
      },
    });
    stopping.signal.throwIfAborted();
    const bytes = draft.size();
    await draft.keepAs(key);
    clearInterval(timer);
    await report();
    stopping.signal.throwIfAborted();
    isNamed = await inNameOf(running, async (scope) => {
      await checkStarter(scope, operation.kind, running.caller);
      const now = await lockOperation(scope, operation.id, operation.run);
      if (!now) throw new OperationLost();
      if (now.state === 'cancelling') throw new OperationCancelled();
      const { missingFiles, lockedSecrets } = taken;
      if (
        !(await keepArchive(scope, operation.id, {
          bytes,
          missingFiles,
          lockedSecrets,
        }))
      )
        return false;
      await advanceOperation(scope, operation, {
        ...{ done: progress.total - Number(now.done), total: progress.total },
        result: { missingFiles, lockedSecrets },
      });
      if (!(await endOperation(scope, workspaceArchive, operation, { state: 'done' })))
        throw new OperationLost();
      return true;
    });
    return isNamed;
  } catch (error) {
    if (isTimeout(error)) throw new OperationFailed('archive_too_slow');
    return sayWhatIsFull(error);
  } finally {
    clearInterval(timer);
    signal.removeEventListener('abort', stop);
    await draft.discard();
    if (!isNamed) await deleteBytes(running, key);
  }
}

/** Whoever took the act over may have ended it, and its row with it: nobody else would take these bytes away. An answer that was lost may still have kept them. */
async function deleteBytes({ operation, parts }: RunningOperation, key: string): Promise<void> {
  try {
    const isKept = await changeAsSystem(parts, 'upkeep', operation.workspace_id, (scope) =>
      isArchiveKept(scope, operation.id, operation.run),
    );
    if (!isKept) await parts.mediaStore.remove(key);
  } catch (error) {
    parts.logger.warn(
      { err: error, operation: operation.id },
      'bytes of an archive that nobody keeps may be left',
    );
  }
}

/** Another run would take as long, and hold back those that could be written. */
function isTimeout(error: unknown): boolean {
  return error instanceof DOMException && error.name === 'TimeoutError';
}

function sayWhatIsFull(error: unknown): never {
  throw error instanceof StorageFull ? new OperationFailed('storage_full') : error;
}

/** Shows how far it is to whoever looks, and stops what somebody cancelled, or what another process has now. */
function openReport(
  running: RunningOperation,
  progress: { done: number; total: number },
  stop: (reason: Error) => void,
) {
  const { operation, parts } = running;
  let isReporting = false;
  return async () => {
    if (isReporting) return;
    isReporting = true;
    try {
      const row = await inNameOf(running, async (scope) => {
        await checkStarter(scope, operation.kind, running.caller);
        const now = await lockOperation(scope, operation.id, operation.run);
        if (!now) return null;
        return advanceOperation(scope, operation, {
          done: progress.done - Number(now.done),
          total: progress.total,
        });
      });
      if (!row) return stop(new OperationLost());
      if (row.state === 'cancelling') return stop(new OperationCancelled());
      await publishRow(parts, {
        row,
        workspaceId: operation.workspace_id,
        now: parts.clock(),
      });
    } catch (error) {
      if (error instanceof OperationFailed) return stop(error);
      parts.logger.warn({ err: error, operation: operation.id }, 'how far an archive is was not saved');
    } finally {
      isReporting = false;
    }
  };
}

/** Nothing of the passphrase stands in plain text outside of this process. */
async function openWish({ wish }: StoredOperation, secrets: Pick<SecretBox, 'open'>) {
  const { withSecrets, sealedPassphrase } = wish as ArchiveWish; // as it was kept
  if (sealedPassphrase === null) return { withSecrets, passphrase: undefined };
  const passphrase = await secrets.open(sealedPassphrase).catch(() => null);
  // Of an installation that has another key by now.
  if (passphrase === null) throw new OperationFailed('archive_key_changed');
  return { withSecrets, passphrase };
}
