import type { JobResult, JobWithMetadata } from 'pg-boss';
import type { ApiDependencies } from '../request-context.ts';
import type { RunnableJobKind } from './define-job.ts';
import { unwrapPayload } from './job-envelope.ts';
import { JobGivenUp, readFailureCode } from './job-failure.ts';

/** One attempt. It never throws: what became of it is data, and is kept with the job. */
export async function runJob(
  parts: ApiDependencies,
  kind: RunnableJobKind,
  stored: JobWithMetadata,
): Promise<JobResult> {
  const { id, retryCount, retryLimit } = stored;
  const timeout = AbortSignal.timeout(kind.timeoutSeconds * 1_000);
  const signal = AbortSignal.any([stored.signal, timeout]);
  try {
    if (isTooLate(kind, stored)) throw new JobGivenUp('too_late');
    const workspaceId = stored.groupId ?? null;
    const job = { id, workspaceId, signal, ...unwrapPayload(stored.data, workspaceId) };
    const outcome = await Promise.race([kind.perform(parts, job), failWith(signal)]);
    return { id, status: 'completed', output: outcome ?? {} };
  } catch (error) {
    const code = timeout.aborted ? 'timed_out' : signal.aborted ? 'stopped' : readFailureCode(error);
    // What begins by itself begins anew when it is due; its second attempt is for a process that died.
    const isGivenUp = error instanceof JobGivenUp || (kind.everySeconds !== null && !signal.aborted);
    const fields = { job: kind.name, id, attempt: retryCount + 1, code };
    if (isGivenUp || retryCount >= retryLimit) parts.logger.error(fields, 'a job failed for good');
    else parts.logger.warn(fields, 'a job failed and is tried again');
    // The library's word for a failure after which nothing is tried again.
    return { id, status: isGivenUp ? 'deadletter' : 'failed', output: { code } };
  }
}

function isTooLate({ usefulSeconds = Infinity }: RunnableJobKind, { createdOn }: JobWithMetadata): boolean {
  return Date.now() - createdOn.getTime() > usefulSeconds * 1_000;
}

function failWith(signal: AbortSignal): Promise<never> {
  return new Promise((_, reject) =>
    signal.addEventListener('abort', () => reject(new Error('The job was stopped.')), { once: true }),
  );
}
