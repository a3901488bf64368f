import { applyContactCounts } from '@app/database/contacts/count-contacts';
import { writeChannelSecrets } from '@app/database/backup/carry-secrets';
import {
  addRows,
  moveSecrets,
  holdRunPlaces,
  numberRuns,
  removeRows,
  replaceSettings,
  type Place,
} from '@app/database/backup/read-in/replace-rows';
import { ArchiveInvalid } from '@app/database/backup/read-in/staged-archive';
import { pauseRestoredRuns } from '@app/delivery/hold-restored';
import { holdRestoredMessages } from '@app/delivery/messages/hold-restored-messages';
import { endOperation } from '../../platform/operations/end-operation.ts';
import {
  OperationCancelled,
  OperationFailed,
  OperationLost,
  type OperationKind,
  type RunningOperation,
} from '../../platform/operations/operation-kind.ts';
import { lockOperation } from '../../platform/operations/operation-rows.ts';
import { inNameOf } from '../../platform/operations/run-operation.ts';
import { checkStarter } from '../../platform/operations/starter-rights.ts';
import { holdConnection } from '../../platform/request-scopes.ts';
import type { WorkspaceScope } from '../../platform/workspace-scope.ts';
import { followKeptPeople, suppressAllContacts } from './follow-people.ts';
import { holdWorkspace } from './hold-workspace.ts';
import { validateSettings } from './validate-settings.ts';
import { removeLeftovers } from './leftovers.ts';
import { withArchiveImport, type ArchiveImportWork } from './archive-import-operation.ts';
import { endOfUndo, findArchiveImport } from './archive-import-rows.ts';
import { sayFault, stageArchiveImport, type Staged } from './stage-archive-import.ts';
import { openFileStore } from './store-files.ts';
import { takeBefore, type Before } from './take-before.ts';

const UNIQUE = '23505';

/**
 * Puts what an archive holds in the place of what the workspace holds, in one transaction: whenever the process dies, it is one or the other. What was here
 * is written down first, while its contacts are held. Taken back, what was written down comes the same way.
 */
export const archiveReplacement: OperationKind = {
  name: 'archive-replacement',
  async run(running) {
    try {
      await withArchiveImport(running, (work) => replaceOnce(running, work));
    } catch (error) {
      // Somebody may have written from a number of the archive at that moment: once more, then it is the archive's own.
      if (!isTwice(error)) throw error;
      await withArchiveImport(running, (work) => replaceOnce(running, work));
    }
  },
  onEnd: async () => undefined,
};

function isTwice(error: unknown): boolean {
  const cause = error instanceof OperationFailed ? error.cause : null;
  return cause instanceof ArchiveInvalid && Object(cause.cause).code === UNIQUE;
}

async function replaceOnce(
  running: RunningOperation,
  { reading, source, signal, onRead }: ArchiveImportWork,
): Promise<void> {
  const { operation, parts } = running;
  await removeLeftovers(parts, reading);
  try {
    await holdConnection({ ...parts, ...running }, async (held) => {
      const staged = await stageArchiveImport(held, running, source, {
        onRead,
        onFile: openFileStore(running, held, reading.id),
      });
      await sayFault(parts.logger, () => numberRuns(held, source));
      signal.throwIfAborted();
      const place: Place = { workspaceId: held.workspaceId, isBack: source.isBack, people: staged.people };
      await held.change((scope) =>
        sayFault(parts.logger, async () => {
          await scope.query(`SET LOCAL lock_timeout = '60s'`);
          await holdRunPlaces(scope);
          await holdWorkspace(scope, operation.id);
          const before = source.isBack ? null : await takeBefore(running, reading.id, signal);
          const figures = await replaceAll(scope, running, { staged, place });
          await keepOutcome(scope, reading.id, before);
          await checkStarter(scope, operation.kind, running.caller);
          const now = await lockOperation(scope, operation.id, operation.run);
          if (!now) throw new OperationLost();
          if (now.state === 'cancelling') throw new OperationCancelled();
          signal.throwIfAborted();
          await scope.emit({
            type: 'data.archive_read_in',
            subject: scope.workspaceId,
            values: { ...figures, isBack: source.isBack },
          });
          if (!(await endOperation(scope, archiveReplacement, operation, { state: 'done' })))
            throw new OperationLost();
        }),
      );
    });
  } catch (error) {
    // An answer that was lost may still have kept them: the row knows.
    const left = await inNameOf(running, (scope) => findArchiveImport(scope, reading.id)).catch(() => null);
    if (left)
      await removeLeftovers(parts, left, operation.run).catch((problem: unknown) =>
        parts.logger.warn(
          { err: problem, operation: operation.id },
          'bytes of an archive that came to nothing may be left',
        ),
      );
    throw error;
  }
}

async function replaceAll(
  scope: WorkspaceScope,
  { parts }: RunningOperation,
  { staged, place }: { staged: Staged; place: Place },
): Promise<{ contacts: number; messages: number; campaigns: number }> {
  const { secrets } = parts;
  await suppressAllContacts(scope, secrets);
  await removeRows(scope, scope.workspaceId);
  const added = await addRows(scope, staged, place);
  await replaceSettings(scope, staged, place);
  await validateSettings(scope);
  await writeChannelSecrets(scope, await moveSecrets(scope, staged.secrets ?? [], place), secrets);
  await followKeptPeople(scope, parts);
  // What was under way there, or here before, may have left: a person says what goes on.
  await pauseRestoredRuns(scope);
  await holdRestoredMessages(scope, { alsoLater: true });
  await applyContactCounts(scope, scope.workspaceId);
  const count = (table: string) => added.get(table) ?? 0;
  return { contacts: count('contacts'), messages: count('messages'), campaigns: count('campaigns') };
}

/** Rows speak of the stored files from now on, and the file that came is needed no more. */
async function keepOutcome(scope: WorkspaceScope, id: string, before: Before | null): Promise<void> {
  const now = scope.clock();
  await scope.query(
    before
      ? `UPDATE archive_imports SET state = 'over', stored_files = 0, replaced_at = $3, before_bytes = $4, before_sealed = $5, undoable_until = $6
          WHERE workspace_id = $1 AND id = $2`
      : `UPDATE archive_imports SET stored_files = 0, undone_at = $3 WHERE workspace_id = $1 AND id = $2`,
    [scope.workspaceId, id, now, ...(before ? [before.bytes, before.sealed, endOfUndo(now)] : [])],
  );
}
