import { keepPart } from '../platform/operations/operation-parts.ts';
import { endOperation } from '../platform/operations/end-operation.ts';
import {
  OperationCancelled,
  OperationFailed,
  OperationLost,
  type OperationKind,
} from '../platform/operations/operation-kind.ts';
import { enqueueOperation } from '../platform/operations/operation-job.ts';
import { advanceOperation, lockOperation } from '../platform/operations/operation-rows.ts';
import { publishProgress } from '../platform/operations/publish-progress.ts';
import type { SignedInContext } from '../platform/request-context.ts';
import type { WorkspaceScope } from '../platform/workspace-scope.ts';
import type { Upload } from './begin-upload.ts';
import { ImportRefused } from './reading/import-text.ts';
import type { Probe } from './probe-file.ts';

const PART_BYTES = 512 * 1024;
/** Ten million contacts have less. */
export const MOST_BYTES = 1024 * 1024 * 1024;
const REPORT_EVERY_MS = 500;
const STALLED_AFTER_MS = 60_000;

/**
 * Keeps the file piece by piece while it arrives, and has it imported once it is here. False when that is not to be: it was cancelled,
 * is no such file, or did not come whole.
 */
export async function keepUpload(
  context: SignedInContext,
  kind: OperationKind,
  upload: Upload,
  { body, probe }: { body: ReadableStream<Uint8Array>; probe: Probe },
): Promise<boolean> {
  const stopping = new AbortController();
  const keeper = openKeeper(context, kind, { upload, probe });
  const timer = setInterval(
    () => void keeper.report().catch((error: unknown) => stopping.abort(error)),
    REPORT_EVERY_MS,
  );
  try {
    for await (const bytes of readBody(body, stopping.signal)) await keeper.add(bytes);
    stopping.signal.throwIfAborted();
    await keeper.close();
    return true;
  } catch (error) {
    return await giveUp(context, kind, { upload, error });
  } finally {
    clearInterval(timer);
  }
}

function openKeeper(
  context: SignedInContext,
  kind: OperationKind,
  { upload: { importId, run }, probe }: { upload: Upload; probe: Probe },
) {
  let waiting: Uint8Array[] = [];
  let waitingBytes = 0;
  let parts = 0;
  let size = 0;
  let told = 0;
  const operation = { id: importId, run };

  /** Only while it is this upload's own: pieces of two must never be one file. */
  const change = <Result>(work: (scope: WorkspaceScope) => Promise<Result>) =>
    context.change(async (scope) => {
      const now = await lockOperation(scope, importId, run);
      if (!now) throw new OperationLost();
      if (now.state === 'cancelling') throw new OperationCancelled();
      return work(scope);
    });

  async function report(): Promise<void> {
    const done = size - told;
    told = size;
    await change(async (scope) => {
      await advanceOperation(scope, operation, { done });
      await publishProgress(scope, context, importId);
    });
  }

  async function flush(): Promise<void> {
    const bytes = Buffer.concat(waiting);
    waiting = [];
    waitingBytes = 0;
    if (bytes.length === 0) return;
    await change((scope) =>
      keepPart(scope, { workspaceId: scope.workspaceId, operationId: importId }, parts, bytes),
    );
    parts += 1;
  }

  return {
    report,
    async add(bytes: Uint8Array): Promise<void> {
      size += bytes.length;
      if (size > MOST_BYTES) throw new ImportRefused('too_large', { most: MOST_BYTES });
      await probe.add(bytes);
      waiting.push(bytes);
      waitingBytes += bytes.length;
      if (waitingBytes >= PART_BYTES) await flush();
    },
    /** The file is whole: from here on it needs neither its sender nor this process. */
    async close(): Promise<void> {
      await probe.end();
      await flush();
      await change(async (scope) => {
        await advanceOperation(scope, operation, {
          done: 0,
          phase: 'reading',
          total: size,
          resume: { size },
        });
        await enqueueOperation(context, scope, kind.name, importId);
        await publishProgress(scope, context, importId);
      });
    },
  };
}

async function giveUp(
  { change, logger }: SignedInContext,
  kind: OperationKind,
  { upload: { importId, run }, error }: { upload: Upload; error: unknown },
): Promise<false> {
  if (error instanceof OperationLost) return false;
  const isCancelled = error instanceof OperationCancelled;
  const problem = error instanceof OperationFailed ? error : new ImportRefused('internal');
  if (!isCancelled && problem !== error) logger.error({ err: error, importId }, 'an upload failed');
  await change((scope) =>
    endOperation(
      scope,
      kind,
      { id: importId, run },
      isCancelled ? { state: 'cancelled' } : { state: 'failed', error: problem },
    ),
  );
  return false;
}

/** The body piece by piece. A sender that falls silent or goes away is told from one that is done. */
async function* readBody(body: ReadableStream<Uint8Array>, signal: AbortSignal): AsyncGenerator<Uint8Array> {
  const reader = body.getReader();
  const stop = () => void reader.cancel().catch(() => {});
  signal.addEventListener('abort', stop);
  try {
    for (;;) {
      const { value, done } = await readInTime(reader);
      signal.throwIfAborted();
      if (done) return;
      yield value;
    }
  } finally {
    signal.removeEventListener('abort', stop);
    stop();
  }
}

async function readInTime(reader: ReadableStreamDefaultReader<Uint8Array>) {
  let timer: ReturnType<typeof setTimeout> | undefined;
  const stalled = new Promise<never>((_, reject) => {
    timer = setTimeout(reject, STALLED_AFTER_MS, new ImportRefused('upload_stopped'));
  });
  try {
    return await Promise.race([reader.read(), stalled]);
  } catch (error) {
    throw error instanceof ImportRefused ? error : new ImportRefused('upload_interrupted');
  } finally {
    clearTimeout(timer);
  }
}
