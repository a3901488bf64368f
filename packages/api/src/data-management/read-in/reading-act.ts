import { ActCancelled, ActFailed, ActLost, type RunningAct } from '../../platform/long-acts/long-act-kind.ts';
import { advanceAct, type StoredAct } from '../../platform/long-acts/long-act-rows.ts';
import { inNameOf } from '../../platform/long-acts/run-act.ts';
import { checkStarter } from '../../platform/long-acts/starter-rights.ts';
import { publishRow, TELL_EVERY_MS } from '../../platform/long-acts/tell-progress.ts';
import type { SecretBox } from '../../platform/request-context.ts';
import type { ArchiveSource } from './stage-reading.ts';
import { findReading, keyOfBefore, keyOfReading, type StoredReading } from './reading-rows.ts';

/** The passphrase is sealed, and forgotten with the wish when the act ends. */
export type ReadingWish = { readingId: string; sealedPassphrase: string | null; isBack: boolean };

const MOST_RUNS = 10;

export type ReadingWork = {
  reading: StoredReading;
  source: ArchiveSource;
  /** Aborted when the process stops, somebody cancels, or another process has the act. */
  signal: AbortSignal;
  onRead(bytes: number): void;
};

/** What acts on an archive share: the file that is meant, how far it is, and to stop. */
export async function withReading<Result>(
  running: RunningAct,
  work: (given: ReadingWork) => Promise<Result>,
): Promise<Result> {
  const { act, parts, signal } = running;
  // One that no process brings to its end would keep others away for ever.
  if (act.run > MOST_RUNS) throw new ActFailed('internal');
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

async function openWish(running: RunningAct, secrets: Pick<SecretBox, 'open'>) {
  const { readingId, sealedPassphrase, isBack } = readWish(running.act);
  const reading = await inNameOf(running, async (scope) => {
    await checkStarter(scope, running.act.kind, running.caller);
    return findReading(scope, readingId);
  });
  const size = isBack ? reading?.before_bytes : reading?.bytes;
  if (!reading || !size || (!isBack && reading.state !== 'here')) throw new ActFailed('archive_gone');
  const { workspace_id: workspaceId } = running.act;
  const sealed = isBack ? reading.before_sealed : sealedPassphrase;
  const passphrase = sealed === null ? null : await secrets.open(sealed).catch(() => undefined);
  // Of an installation that has another key by now.
  if (passphrase === undefined) throw new ActFailed('internal');
  const key = isBack
    ? keyOfBefore(workspaceId, readingId, reading.before_run ?? 0)
    : keyOfReading(workspaceId, readingId, reading.attempt);
  const source: ArchiveSource = { key, bytes: Number(size), passphrase: passphrase ?? undefined, isBack };
  return { reading, source };
}

export function readWish({ wish }: StoredAct): ReadingWish {
  return wish as ReadingWish; // as it was kept
}

/** Shows how far it is to whoever looks; stops what somebody cancelled, or what another process has now. */
function openReport(
  running: RunningAct,
  progress: { done: number; total: number },
  stop: (reason: Error) => void,
) {
  const { act, parts } = running;
  let told = Number(act.done);
  let isReporting = false;
  return async () => {
    if (isReporting) return;
    isReporting = true;
    const done = Math.min(progress.done, progress.total);
    try {
      const row = await inNameOf(running, async (scope) => {
        await checkStarter(scope, act.kind, running.caller);
        return advanceAct(scope, act, { done: done - told, total: progress.total });
      });
      if (!row) return stop(new ActLost());
      told = done;
      if (row.state === 'cancelling') return stop(new ActCancelled());
      await publishRow(parts, { row, workspaceId: act.workspace_id, now: parts.clock() });
    } catch (error) {
      if (error instanceof ActFailed) return stop(error);
      parts.logger.warn({ err: error, act: act.id }, 'how far an archive is read was not saved');
    } finally {
      isReporting = false;
    }
  };
}
