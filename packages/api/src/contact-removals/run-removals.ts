import type { Caller } from '@app/domain/auth/caller';
import type { Fingerprints } from '../platform/erased-people.ts';
import type { ApiDependencies } from '../platform/request-context.ts';
import { changeAcrossWorkspaces, changeInNameOf } from '../platform/system-work.ts';
import type { WorkspaceScope } from '../platform/workspace-scope.ts';
import {
  findStoppedInAllWorkspaces,
  postponeRemoval,
  stepRemoval,
  type RemovalStep,
  type RunningRemoval,
} from './contact-removals.ts';

type Parts = Pick<ApiDependencies, 'db' | 'clock' | 'facts' | 'secrets' | 'liveEvents' | 'logger'>;

const TELL_EVERY_MS = 1_000;
/** Without a sign of life for this long, the process that did a removal is gone. */
const SILENT_FOR_MS = 20_000;

/** Deletes or brings back bit by bit, each in a transaction of its own, until all is done. Several callers at once take turns. */
export async function runRemoval(parts: Parts, caller: Caller, running: RunningRemoval): Promise<void> {
  let toldAt = performance.now();
  for (;;) {
    const step = await changeInNameOf(
      parts,
      caller,
      (scope) => runStep(scope, parts.secrets, running),
      'long',
    );
    if (!step || step.isOver) return;
    const now = performance.now();
    if (now - toldAt > TELL_EVERY_MS) {
      toldAt = now;
      await showProgress(parts, caller.workspaceId, running);
    }
  }
}

/** One bit; the last one tells how many it were. Null when there is nothing to do any more. */
export async function runStep(
  scope: WorkspaceScope,
  secrets: Fingerprints,
  running: RunningRemoval,
): Promise<RemovalStep | null> {
  const done = await stepRemoval(scope, secrets, running);
  if (!done?.isOver) return done;
  const { removed, restored } = done.removal;
  const [type, count] =
    running.state === 'removing'
      ? (['contacts.deleted', removed] as const)
      : (['contacts.restored', restored] as const);
  if (count > 0) await scope.tell({ type, subject: running.removalId, values: { count } });
  return done;
}

/** How far it is is no fact: browsers look again, and nobody else follows it. After the commit. */
export async function showProgress(
  { liveEvents }: Pick<Parts, 'liveEvents'>,
  workspaceId: string,
  { removalId }: RunningRemoval,
): Promise<void> {
  await liveEvents.publish(workspaceId, 'contacts', { removalId });
}

/** Takes up removals whose process died. Run it now and then. */
export async function resumeRemovals(parts: Parts): Promise<void> {
  const before = new Date(parts.clock().getTime() - SILENT_FOR_MS);
  const stopped = await changeAcrossWorkspaces(parts, 'upkeep', ({ client }) =>
    findStoppedInAllWorkspaces(client, before),
  );
  for (const { caller, ...running } of stopped) {
    try {
      await runRemoval(parts, caller, running);
    } catch (error) {
      const { removalId } = running;
      parts.logger.warn({ err: error, removalId }, 'a deletion could not go on and is tried again');
      // Behind the others, so that those that fail leave them their turn.
      await changeInNameOf(parts, caller, (scope) => postponeRemoval(scope, removalId));
    }
  }
}
