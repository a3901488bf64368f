import { randomBytes } from 'node:crypto';
import { OperationLost, type RunningOperation } from '../../platform/operations/operation-kind.ts';
import { lockOperation } from '../../platform/operations/operation-rows.ts';
import { inNameOf } from '../../platform/operations/run-operation.ts';
import { keyOfBefore } from './archive-import-rows.ts';

/** What was here, as an archive with all its secrets, under a passphrase that nobody was told. */
export type Before = { bytes: number; sealed: string };

/** Call it while the contacts of the workspace are held: it reads on a connection of its own. */
export async function takeBefore(
  running: RunningOperation,
  readingId: string,
  signal: AbortSignal,
): Promise<Before> {
  const { operation, parts } = running;
  const { workspace_id: workspaceId, run } = operation;
  await inNameOf(running, async (scope) => {
    if (!(await lockOperation(scope, operation.id, run))) throw new OperationLost();
    await scope.query('UPDATE archive_imports SET before_run = $3 WHERE workspace_id = $1 AND id = $2', [
      ...[workspaceId, readingId, run],
    ]);
  });
  const passphrase = randomBytes(32).toString('base64url');
  const draft = await parts.mediaStore.begin();
  try {
    await parts.takeArchive({
      ...{ workspaceId, withSecrets: true, passphrase, now: parts.clock() },
      async sink(bytes) {
        signal.throwIfAborted();
        await draft.append(bytes);
      },
      onTable: () => undefined,
      onFile: () => undefined,
    });
    const bytes = draft.size();
    await draft.keepAs(keyOfBefore(workspaceId, readingId, run));
    return { bytes, sealed: await parts.secrets.seal(passphrase) };
  } finally {
    await draft.discard();
  }
}
