import { randomBytes } from 'node:crypto';
import { ActLost, type RunningAct } from '../../platform/long-acts/long-act-kind.ts';
import { lockAct } from '../../platform/long-acts/long-act-rows.ts';
import { inNameOf } from '../../platform/long-acts/run-act.ts';
import { keyOfBefore } from './reading-rows.ts';

/** What was here, as an archive with all its secrets, under a passphrase that nobody was told. */
export type Before = { bytes: number; sealed: string };

/** Call it while the contacts of the workspace are held: it reads on a connection of its own. */
export async function takeBefore(
  running: RunningAct,
  readingId: string,
  signal: AbortSignal,
): Promise<Before> {
  const { act, parts } = running;
  const { workspace_id: workspaceId, run } = act;
  await inNameOf(running, async (scope) => {
    if (!(await lockAct(scope, act.id, run))) throw new ActLost();
    await scope.query('UPDATE archive_readings SET before_run = $3 WHERE workspace_id = $1 AND id = $2', [
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
