import { settleSla } from '@app/database/conversations/settle-sla';
import type { ApiDependencies } from '../platform/request-context.ts';
import { sweepEach } from '../platform/jobs/sweep-each.ts';
import { changeAsSystem } from '../platform/system-work.ts';

const AT_ONCE = 500;

/** Conversations whose time has come are open again, each told as if somebody had opened it. */
export async function wakeSnoozed(parts: ApiDependencies): Promise<void> {
  const now = parts.clock();
  const { rows } = await parts.db.systemPool.query<{ id: string; workspace_id: string }>(
    `SELECT id, workspace_id FROM conversations WHERE status = 'snoozed' AND snoozed_until <= $1 ORDER BY snoozed_until LIMIT ${AT_ONCE}`,
    [now],
  );
  await sweepEach(parts, rows, ({ id, workspace_id: workspaceId }) =>
    changeAsSystem(parts, 'upkeep', workspaceId, async (scope) => {
      const { rows: woken } = await scope.query<{ contact_id: string }>(
        `UPDATE conversations SET status = 'open', snoozed_until = NULL, version = version + 1
          WHERE workspace_id = $1 AND id = $2 AND status = 'snoozed' AND snoozed_until <= $3 RETURNING contact_id`,
        [workspaceId, id, now],
      );
      if (!woken[0]) return;
      await settleSla(scope, { conversationIds: [id], begun: new Set(), now });
      await scope.emit({
        type: 'conversation.status_changed',
        subject: id,
        values: {
          contactIds: [woken[0].contact_id],
          status: 'open',
          before: 'snoozed',
          snoozedUntil: null,
        },
      });
    }),
  );
}
