import { messageFiles } from '@app/database/message-files/message-files-tables';
import { and, asc, inArray, lte } from 'drizzle-orm';
import { z } from 'zod';
import { defineJob } from '../platform/jobs/define-job.ts';
import type { Jobs } from '../platform/jobs/enqueue-job.ts';
import type { ApiDependencies } from '../platform/request-context.ts';
import { changeAcrossWorkspaces } from '../platform/system-work.ts';
import type { WorkspaceScope } from '../platform/workspace-scope.ts';
import { fetchFile, LEASE_MS } from './fetch-file.ts';

const FILES_OF_JOB = 4;
/** Larger ones are fetched one at a time, behind those for which nobody waits long. */
const SMALL_BYTES = 16 * 1024 * 1024;

const rules = {
  as: 'webhooks',
  payload: z.object({ fileIds: z.array(z.uuid()).min(1).max(FILES_OF_JOB) }),
  repeat: 'while-waiting',
  // For what is the fault of this side; the rows count how often the platform was asked.
  ...{ attempts: 3, pauseSeconds: 15, longestPauseSeconds: 120, timeoutSeconds: 600 },
} as const;

/** Some files of one workspace, one after the other. */
export const fetchMessageFiles = defineJob({
  ...rules,
  name: 'fetch-message-files',
  ...{ atOnce: 3, atOnceOfOne: 2 },
  async run(parts, { payload: { fileIds }, signal }) {
    let left = 0;
    for (const fileId of fileIds) {
      if (signal.aborted) throw new FetchInterrupted();
      if ((await fetchFile(parts, fileId, { signal, largest: SMALL_BYTES })) === 'done') continue;
      left += 1;
      await parts.change((scope) =>
        parts.jobs.enqueue(scope, fetchLargeMessageFile, fileId, { fileIds: [fileId] }),
      );
    }
    return { files: fileIds.length, left };
  },
});

/** One that is large. */
export const fetchLargeMessageFile = defineJob({
  ...rules,
  name: 'fetch-large-message-file',
  atOnce: 1,
  async run(parts, { payload: { fileIds }, signal }) {
    for (const fileId of fileIds) await fetchFile(parts, fileId, { signal, largest: Infinity });
  },
});

class FetchInterrupted extends Error {
  override name = 'FetchInterrupted';
}

/** Has files fetched that were stored as waiting in this transaction. */
export async function enqueueFetches(
  jobs: Jobs,
  scope: WorkspaceScope,
  fileIds: readonly string[],
  { isFirst = false }: { isFirst?: boolean } = {},
): Promise<void> {
  const groups = Array.from({ length: Math.ceil(fileIds.length / FILES_OF_JOB) }, (_, group) =>
    fileIds.slice(group * FILES_OF_JOB, (group + 1) * FILES_OF_JOB),
  );
  await jobs.enqueueMany(
    scope,
    fetchMessageFiles,
    groups.map((some) => ({ key: some[0]!, payload: { fileIds: some } })), // none is empty
    { isFirst },
  );
}

const DUE_AT_ONCE = 400;

/** What is to be tried again, and what a process left that died. */
export async function fetchDueFiles(parts: ApiDependencies): Promise<void> {
  const now = parts.clock();
  await changeAcrossWorkspaces(parts, 'webhooks', async ({ tx, scopeOf }) => {
    const due = await tx
      .select({ id: messageFiles.id, workspaceId: messageFiles.workspaceId })
      .from(messageFiles)
      .where(and(inArray(messageFiles.state, ['waiting', 'fetching']), lte(messageFiles.nextTryAt, now)))
      .orderBy(asc(messageFiles.nextTryAt))
      .limit(DUE_AT_ONCE)
      .for('update', { skipLocked: true });
    if (due.length === 0) return;
    await tx
      .update(messageFiles)
      .set({ nextTryAt: new Date(now.getTime() + LEASE_MS) })
      .where(
        inArray(
          messageFiles.id,
          due.map(({ id }) => id),
        ),
      );
    for (const [workspaceId, own] of Map.groupBy(due, (file) => file.workspaceId))
      await enqueueFetches(
        parts.jobs,
        scopeOf(workspaceId),
        own.map(({ id }) => id),
      );
  });
}
