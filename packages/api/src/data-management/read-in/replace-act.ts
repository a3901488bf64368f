import { foldContactCounts } from '@app/database/contacts/count-contacts';
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
import { endAct } from '../../platform/long-acts/end-act.ts';
import {
  ActCancelled,
  ActFailed,
  ActLost,
  type LongActKind,
  type RunningAct,
} from '../../platform/long-acts/long-act-kind.ts';
import { lockAct } from '../../platform/long-acts/long-act-rows.ts';
import { inNameOf } from '../../platform/long-acts/run-act.ts';
import { checkStarter } from '../../platform/long-acts/starter-rights.ts';
import { holdConnection } from '../../platform/request-scopes.ts';
import type { WorkspaceScope } from '../../platform/workspace-scope.ts';
import { followKeptPeople, keepAllWords } from './follow-people.ts';
import { holdWorkspace } from './hold-workspace.ts';
import { judgeSettings } from './judge-settings.ts';
import { removeLeftovers } from './leftovers.ts';
import { withReading, type ReadingWork } from './reading-act.ts';
import { endOfUndo, findReading } from './reading-rows.ts';
import { sayFault, stageReading, type Staged } from './stage-reading.ts';
import { openFileStore } from './store-files.ts';
import { takeBefore, type Before } from './take-before.ts';

const UNIQUE = '23505';

/**
 * Puts what an archive holds in the place of what the workspace holds, in one transaction: whenever the process dies, it is one or the other. What was here
 * is written down first, while its contacts are held. Taken back, what was written down comes the same way.
 */
export const archiveReplacement: LongActKind = {
  name: 'archive-replacement',
  async run(running) {
    try {
      await withReading(running, (work) => replaceOnce(running, work));
    } catch (error) {
      // Somebody may have written from a number of the archive at that moment: once more, then it is the archive's own.
      if (!isTwice(error)) throw error;
      await withReading(running, (work) => replaceOnce(running, work));
    }
  },
  onEnd: async () => undefined,
};

function isTwice(error: unknown): boolean {
  const cause = error instanceof ActFailed ? error.cause : null;
  return cause instanceof ArchiveInvalid && Object(cause.cause).code === UNIQUE;
}

async function replaceOnce(
  running: RunningAct,
  { reading, source, signal, onRead }: ReadingWork,
): Promise<void> {
  const { act, parts } = running;
  await removeLeftovers(parts, reading);
  try {
    await holdConnection({ ...parts, ...running }, async (held) => {
      const staged = await stageReading(held, running, source, {
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
          await holdWorkspace(scope, act.id);
          const before = source.isBack ? null : await takeBefore(running, reading.id, signal);
          const figures = await replaceAll(scope, running, { staged, place });
          await keepOutcome(scope, reading.id, before);
          await checkStarter(scope, act.kind, running.caller);
          const now = await lockAct(scope, act.id, act.run);
          if (!now) throw new ActLost();
          if (now.state === 'cancelling') throw new ActCancelled();
          signal.throwIfAborted();
          await scope.tell({
            type: 'data.archive_read_in',
            subject: scope.workspaceId,
            values: { ...figures, isBack: source.isBack },
          });
          if (!(await endAct(scope, archiveReplacement, act, { state: 'done' }))) throw new ActLost();
        }),
      );
    });
  } catch (error) {
    // An answer that was lost may still have kept them: the row knows.
    const left = await inNameOf(running, (scope) => findReading(scope, reading.id)).catch(() => null);
    if (left)
      await removeLeftovers(parts, left, act.run).catch((problem: unknown) =>
        parts.logger.warn(
          { err: problem, act: act.id },
          'bytes of an archive that came to nothing may be left',
        ),
      );
    throw error;
  }
}

async function replaceAll(
  scope: WorkspaceScope,
  { parts }: RunningAct,
  { staged, place }: { staged: Staged; place: Place },
): Promise<{ contacts: number; messages: number; campaigns: number }> {
  const { secrets } = parts;
  await keepAllWords(scope, secrets);
  await removeRows(scope, scope.workspaceId);
  const added = await addRows(scope, staged, place);
  await replaceSettings(scope, staged, place);
  await judgeSettings(scope);
  await writeChannelSecrets(scope, await moveSecrets(scope, staged.secrets ?? [], place), secrets);
  await followKeptPeople(scope, parts);
  // What was under way there, or here before, may have left: a person says what goes on.
  await pauseRestoredRuns(scope);
  await holdRestoredMessages(scope, { alsoLater: true });
  await foldContactCounts(scope, scope.workspaceId);
  const count = (table: string) => added.get(table) ?? 0;
  return { contacts: count('contacts'), messages: count('messages'), campaigns: count('campaigns') };
}

/** Rows speak of the stored files from now on, and the file that came is needed no more. */
async function keepOutcome(scope: WorkspaceScope, id: string, before: Before | null): Promise<void> {
  const now = scope.clock();
  await scope.query(
    before
      ? `UPDATE archive_readings SET state = 'over', stored_files = 0, replaced_at = $3, before_bytes = $4, before_sealed = $5, undoable_until = $6
          WHERE workspace_id = $1 AND id = $2`
      : `UPDATE archive_readings SET stored_files = 0, undone_at = $3 WHERE workspace_id = $1 AND id = $2`,
    [scope.workspaceId, id, now, ...(before ? [before.bytes, before.sealed, endOfUndo(now)] : [])],
  );
}
