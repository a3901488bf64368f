import {
  OperationCancelled,
  OperationFailed,
  OperationLost,
  type RunningOperation,
} from '../../platform/operations/operation-kind.ts';
import { advanceOperation, type StoredOperation } from '../../platform/operations/operation-rows.ts';
import { inNameOf } from '../../platform/operations/run-operation.ts';
import { checkStarter } from '../../platform/operations/starter-rights.ts';
import { publishRow, TELL_EVERY_MS } from '../../platform/operations/publish-progress.ts';
import type { SecretBox } from '../../platform/request-context.ts';
import type { ArchiveSource } from './stage-archive-import.ts';
import {
  findArchiveImport,
  keyOfBefore,
  keyOfArchiveImport,
  type StoredArchiveImport,
} from './archive-import-rows.ts';

/** The passphrase is sealed, and forgotten with the wish when the act ends. */
export type ArchiveImportWish = { readingId: string; sealedPassphrase: string | null; isBack: boolean };

const MOST_RUNS = 10;

export type ArchiveImportWork = {
  reading: StoredArchiveImport;
  source: ArchiveSource;
  /** Aborted when the process stops, somebody cancels, or another process has the act. */
  signal: AbortSignal;
  onRead(bytes: number): void;
};

/** What acts on an archive share: the file that is meant, how far it is, and to stop. */
export async function withArchiveImport<Result>(
  running: RunningOperation,
  work: (given: ArchiveImportWork) => Promise<Result>,
): Promise<Result> {
  const { operation, parts, signal } = running;
  // One that no process brings to its end would keep others away for ever.
  if (operation.run > MOST_RUNS) throw new OperationFailed('internal');
  const { reading, source } = await openWish(running, parts.secrets);
  const progress = { done: 0, total: source.bytes };
  const stopping = new AbortController();
  const stop = () => stopping.abort(signal.reason);
  signal.addEventListener('abort', stop, { once: true });
  if (signal.aborted) stop();
  const report = openReport(running, progress, (reason) => stopping.abort(reason));
  const timer = setInterval(() => void report(), TELL_EVERY_MS);
  try {
    await report();
    return await work({
      ...{ reading, source, signal: stopping.signal },
      onRead(bytes) {
        stopping.signal.throwIfAborted();
        progress.done += bytes;
      },
    });
  } finally {
    clearInterval(timer);
    signal.removeEventListener('abort', stop);
  }
}

async function openWish(running: RunningOperation, secrets: Pick<SecretBox, 'open'>) {
  const { readingId, sealedPassphrase, isBack } = readWish(running.operation);
  const reading = await inNameOf(running, async (scope) => {
    await checkStarter(scope, running.operation.kind, running.caller);
    return findArchiveImport(scope, readingId);
  });
  const size = isBack ? reading?.before_bytes : reading?.bytes;
  if (!reading || !size || (!isBack && reading.state !== 'here')) throw new OperationFailed('archive_gone');
  const { workspace_id: workspaceId } = running.operation;
  const sealed = isBack ? reading.before_sealed : sealedPassphrase;
  const passphrase = sealed === null ? null : await secrets.open(sealed).catch(() => undefined);
  // Of an installation that has another key by now.
  if (passphrase === undefined) throw new OperationFailed('internal');
  const key = isBack
    ? keyOfBefore(workspaceId, readingId, reading.before_run ?? 0)
    : keyOfArchiveImport(workspaceId, readingId, reading.attempt);
  const source: ArchiveSource = { key, bytes: Number(size), passphrase: passphrase ?? undefined, isBack };
  return { reading, source };
}

function readWish({ wish }: StoredOperation): ArchiveImportWish {
  return wish as ArchiveImportWish; // as it was kept
}

/** Shows how far it is to whoever looks; stops what somebody cancelled, or what another process has now. */
function openReport(
  running: RunningOperation,
  progress: { done: number; total: number },
  stop: (reason: Error) => void,
) {
  const { operation, parts } = running;
  let told = Number(operation.done);
  let isReporting = false;
  return async () => {
    if (isReporting) return;
    isReporting = true;
    const done = Math.min(progress.done, progress.total);
    try {
      const row = await inNameOf(running, async (scope) => {
        await checkStarter(scope, operation.kind, running.caller);
        return advanceOperation(scope, operation, { done: done - told, total: progress.total });
      });
      if (!row) return stop(new OperationLost());
      told = done;
      if (row.state === 'cancelling') return stop(new OperationCancelled());
      await publishRow(parts, { row, workspaceId: operation.workspace_id, now: parts.clock() });
    } catch (error) {
      if (error instanceof OperationFailed) return stop(error);
      parts.logger.warn({ err: error, operation: operation.id }, 'how far an archive is read was not saved');
    } finally {
      isReporting = false;
    }
  };
}
