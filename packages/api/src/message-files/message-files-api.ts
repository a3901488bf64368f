import { messageFilesContract } from '@app/contracts/message-files/message-files-contract';
import { messageFiles } from '@app/database/message-files/message-files-tables';
import { and, eq, inArray } from 'drizzle-orm';
import { implementEndpoints } from '../platform/implement-endpoints.ts';
import { LEASE_MS } from './fetch-file.ts';
import { enqueueFetches } from './fetch-jobs.ts';
import { findFile } from './message-files-queries.ts';
import { presentFile } from './present-file.ts';

const os = implementEndpoints(messageFilesContract);

export const messageFilesApi = os.router({
  fetchAgain: os.fetchAgain.handler(({ input, context, errors }) =>
    context.change(async (scope) => {
      const { tx, workspaceId } = scope;
      const [again] = await tx
        .update(messageFiles)
        .set({
          ...{ state: 'waiting', attempts: 0, errorCode: null },
          nextTryAt: new Date(scope.clock().getTime() + LEASE_MS),
        })
        .where(
          and(
            ...[eq(messageFiles.workspaceId, workspaceId), eq(messageFiles.id, input.fileId)],
            inArray(messageFiles.state, ['waiting', 'failed', 'expired']),
          ),
        )
        .returning();
      const file = again ?? (await findFile(scope, input.fileId));
      if (!file) throw errors.media_not_found();
      // Somebody looks at it: it comes before what nobody has opened yet.
      if (again) await enqueueFetches(context.jobs, scope, [file.id], { isFirst: true });
      return presentFile(file);
    }),
  ),
});
