import type { Queries } from '@app/database/database';
import type pg from 'pg';
import type { ApiDependencies } from '../platform/request-context.ts';
import { recordActivity } from '../platform/audit-log.ts';
import { stepRemoval, type RemovalStep } from './contact-removals.ts';

type Parts = Pick<ApiDependencies, 'db' | 'clock' | 'secrets' | 'liveEvents' | 'logger'>;
type RemovalRef = { workspaceId: string; removalId: string };

const TELL_EVERY_MS = 1_000;
/** Without a sign of life for this long, the process that did a removal is gone. */
const SILENT_FOR_MS = 20_000;

/** Deletes or brings back bit by bit, each in a transaction of its own, until all is done. Several callers at once take turns. */
export async function runRemoval(parts: Parts, { workspaceId, removalId }: RemovalRef): Promise<void> {
  let toldAt = performance.now();
  for (;;) {
    const step = await parts.db.inWorkspaceFor('long', workspaceId, (tx, client) =>
      runStep(tx, client, parts, { workspaceId, removalId }),
    );
    if (!step) return;
    const now = performance.now();
    if (step.isOver || now - toldAt > TELL_EVERY_MS) {
      toldAt = now;
      await tellOfRemoval(parts, workspaceId, step);
    }
    if (step.isOver) return;
  }
}

/** One bit, in the caller's transaction; the audit log hears of the last one. Null when there is nothing to do any more. */
export async function runStep(
  tx: Queries,
  client: pg.PoolClient,
  { clock, secrets }: Pick<Parts, 'clock' | 'secrets'>,
  { workspaceId, removalId }: RemovalRef,
): Promise<RemovalStep | null> {
  const at = clock();
  const done = await stepRemoval(client, workspaceId, { removalId, secrets, at });
  if (!done?.isOver) return done;
  const { state, removed, restored } = done.removal;
  const count = state === 'removed' ? removed : restored;
  const actor = {
    workspaceId,
    userId: done.user.id,
    userName: done.user.name,
    ipAddress: null,
    userAgent: null,
  };
  if (count > 0)
    await recordActivity(
      tx,
      actor,
      {
        type: state === 'removed' ? 'delete' : 'create',
        resource: 'contacts',
        description: `${state === 'removed' ? 'Deleted' : 'Restored'} ${count} contacts`,
      },
      at,
    );
  return done;
}

/** After the commit. */
export async function tellOfRemoval(
  { liveEvents }: Pick<Parts, 'liveEvents'>,
  workspaceId: string,
  { isOver, removal }: RemovalStep,
): Promise<void> {
  await liveEvents.publish(workspaceId, 'contacts', { removalId: removal.id });
  if (isOver) await liveEvents.publish(workspaceId, 'activities');
}

/** Takes up removals whose process died. Run it now and then. */
export async function resumeRemovals(parts: Parts): Promise<void> {
  const { rows } = await parts.db.systemPool.query<{ id: string; workspace_id: string }>(
    `SELECT id, workspace_id FROM contact_removals WHERE state IN ('removing', 'restoring') AND touched_at < $1
      ORDER BY touched_at LIMIT 10`,
    [new Date(parts.clock().getTime() - SILENT_FOR_MS)],
  );
  for (const { id, workspace_id: workspaceId } of rows) {
    try {
      await runRemoval(parts, { workspaceId, removalId: id });
    } catch (error) {
      parts.logger.warn({ err: error, removalId: id }, 'a deletion could not go on and is tried again');
      // Behind the others, so that those that fail leave them their turn.
      await parts.db.systemPool.query('UPDATE contact_removals SET touched_at = $2 WHERE id = $1', [
        id,
        parts.clock(),
      ]);
    }
  }
}
