import { noteSeen } from '@app/database/auth/write-members';
import { newId } from '@app/database/new-id';
import { ONLINE_WINDOW_MS } from '@app/domain/activity/activity-rules';
import { callerOf } from '../platform/guard-access.ts';
import type { ApiDependencies, Session } from '../platform/request-context.ts';
import type { StreamWatcher } from '../platform/stream-live-events.ts';
import { changeInNameOf, type SystemParts } from '../platform/system-work.ts';
import type { WorkspaceScope } from '../platform/workspace-scope.ts';

/** Keeps who is online from the event streams that browsers hold open. */
export function trackPresence(
  parts: SystemParts & Pick<ApiDependencies, 'stopping'>,
): (session: Session) => StreamWatcher {
  const { db, clock, logger, stopping } = parts;
  return (session) => {
    const { workspaceId, user } = session;
    const caller = callerOf(session);
    const streamId = newId();
    let written = Promise.resolve();
    // One after the other, or a stream that ends at once would stay in the list. None may fail the stream itself.
    const quietly = (work: () => Promise<void>) => {
      // Where a process stops nobody leaves: browsers come back at once, and who does not is gone when the beats end.
      const unlessStopping = () => (stopping.aborted ? undefined : work());
      written = written.then(unlessStopping).catch((error: unknown) => {
        if (!stopping.aborted) logger.warn({ err: error }, 'presence could not be written');
      });
    };
    const countStreams = async (scope: WorkspaceScope, olderThan: string | null = null) => {
      const fresh = new Date(clock().getTime() - ONLINE_WINDOW_MS);
      const { rows } = await scope.query<{ n: number }>(
        `SELECT count(*)::int AS n FROM presence_streams
          WHERE workspace_id = $1 AND user_id = $2 AND seen_at > $3 AND ($4::uuid IS NULL OR id < $4)`,
        [workspaceId, user.id, fresh, olderThan],
      );
      return rows[0]?.n ?? 0;
    };
    const touch = async () => {
      const now = clock();
      await db.systemPool.query(
        `INSERT INTO presence_streams (id, workspace_id, user_id, seen_at) VALUES ($1, $2, $3, $4)
         ON CONFLICT (id) DO UPDATE SET seen_at = excluded.seen_at`,
        [streamId, workspaceId, user.id, now],
      );
    };
    return {
      onOpen: () =>
        quietly(async () => {
          const now = clock();
          await db.systemPool.query('DELETE FROM presence_streams WHERE workspace_id = $1 AND seen_at < $2', [
            workspaceId,
            new Date(now.getTime() - ONLINE_WINDOW_MS),
          ]);
          await touch();
          // By a transaction of its own: it sees every stream that was opened or closed up to here.
          await changeInNameOf(parts, caller, async (scope) => {
            await noteSeen(scope, { workspaceId, userId: user.id }, { at: now, isBack: true });
            // Only older ones: of two that open at once, one tells; one that ends now cannot fall in between.
            if ((await countStreams(scope, streamId)) === 0)
              await scope.emit({ type: 'user.came', subject: user.id, values: {} });
          });
        }),
      onBeat: () => quietly(touch),
      onClose: () =>
        quietly(async () => {
          await db.systemPool.query('DELETE FROM presence_streams WHERE id = $1', [streamId]);
          await changeInNameOf(parts, caller, async (scope) => {
            await noteSeen(scope, { workspaceId, userId: user.id }, { at: clock() });
            if ((await countStreams(scope)) === 0)
              await scope.emit({ type: 'user.left', subject: user.id, values: {} });
          });
        }),
    };
  };
}
