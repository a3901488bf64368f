import { OperationLost, type RunningOperation } from '../../platform/operations/operation-kind.ts';
import { lockOperation } from '../../platform/operations/operation-rows.ts';
import { inNameOf } from '../../platform/operations/run-operation.ts';
import type { ApiDependencies } from '../../platform/request-context.ts';
import type { HeldConnection } from '../../platform/request-scopes.ts';
import { keyOfFile } from './archive-import-rows.ts';

/** So many keys are counted before their bytes are there: a process that dies leaves none that nobody knows of. */
const COUNTED_AT_ONCE = 200;

type Stored = { run: number; files: number };

/** Puts files of an archive into the store, each under a key of this run, and keeps with the connection where they lie. */
export function openFileStore(running: RunningOperation, held: HeldConnection, readingId: string) {
  const { operation, parts } = running;
  let counted = 0;
  let place = 0;
  return async (name: string, pieces: AsyncIterable<Uint8Array>): Promise<void> => {
    if (place === counted) {
      counted += COUNTED_AT_ONCE;
      await countFiles(running, readingId, counted);
    }
    place += 1;
    const key = keyOfFile(operation.workspace_id, readingId, { run: operation.run, place });
    const draft = await parts.mediaStore.begin();
    try {
      for await (const piece of pieces) await draft.append(piece);
      const [bytes, sha256] = [draft.size(), draft.sha256()];
      await draft.keepAs(key);
      await held.query(
        'INSERT INTO archive_files (there, here, bytes, sha256) VALUES ($1, $2, $3, $4) ON CONFLICT (there) DO NOTHING',
        [name, key, bytes, sha256],
      );
    } finally {
      await draft.discard();
    }
  };
}

async function countFiles(running: RunningOperation, readingId: string, files: number): Promise<void> {
  const { operation } = running;
  await inNameOf(running, async (scope) => {
    if (!(await lockOperation(scope, operation.id, operation.run))) throw new OperationLost();
    await scope.query(
      'UPDATE archive_imports SET stored_run = $3, stored_files = $4 WHERE workspace_id = $1 AND id = $2',
      [scope.workspaceId, readingId, operation.run, files],
    );
  });
}

/** Takes away what a run put into the store and no row came to speak of. */
export async function removeStored(
  { mediaStore }: Pick<ApiDependencies, 'mediaStore'>,
  { workspaceId, readingId }: { workspaceId: string; readingId: string },
  { run, files }: Stored,
): Promise<void> {
  for (let place = 1; place <= files; place += 1)
    await mediaStore.remove(keyOfFile(workspaceId, readingId, { run, place }));
}
