import { SLA_COLUMNS, readSla, writeSla, type SlaRow } from '@app/database/conversations/settle-sla';
import { newsBetween } from '@app/domain/conversations/teamwork/conversation-sla';
import type { ApiDependencies } from '../../platform/request-context.ts';
import { sweepEach } from '../../platform/jobs/sweep-each.ts';
import { changeAsSystem } from '../../platform/system-work.ts';
import type { WorkspaceScope } from '../../platform/workspace-scope.ts';

const AT_ONCE = 500;
/** After an hour away a process has more to tell than it does at once; what is left waits half a minute. */
const MOST_ROUNDS = 10;

/** Tells of each target once that it is about to be missed, and once that it is. */
export async function emitSlaDue(parts: ApiDependencies): Promise<void> {
  for (let round = 0; round < MOST_ROUNDS; round += 1) if ((await tellSome(parts)) < AT_ONCE) return;
}

async function tellSome(parts: ApiDependencies): Promise<number> {
  const now = parts.clock();
  const { rows } = await parts.db.systemPool.query<{ id: string; workspace_id: string }>(
    `SELECT id, workspace_id FROM conversations WHERE next_news_at <= $1 ORDER BY next_news_at LIMIT ${AT_ONCE}`,
    [now],
  );
  await sweepEach(parts, rows, ({ id, workspace_id: workspaceId }) =>
    changeAsSystem(parts, 'upkeep', workspaceId, (scope) => tellOne(scope, id, now)),
  );
  return rows.length;
}

type Row = SlaRow & { contact_id: string; next_news_at: Date; is_blocked: boolean };

/** Whoever comes second finds nothing left to tell. */
async function tellOne(scope: WorkspaceScope, id: string, now: Date): Promise<void> {
  const { rows } = await scope.query<Row>(
    `SELECT c.id, c.contact_id, c.next_news_at, k.status = 'blocked' AS is_blocked, ${SLA_COLUMNS}
       FROM conversations c JOIN contacts k ON k.id = c.contact_id
      WHERE c.workspace_id = $1 AND c.id = $2 AND c.next_news_at <= $3 FOR NO KEY UPDATE OF c`,
    [scope.workspaceId, id, now],
  );
  const [row] = rows;
  if (!row) return;
  const clock = readSla(row);
  const span = { since: row.next_news_at.getTime(), now: now.getTime() };
  // Nobody has to answer who is blocked.
  for (const { kind, is, at } of row.is_blocked ? [] : newsBetween(clock, span))
    await scope.emit({
      type: is === 'soon' ? 'conversation.due_soon' : 'conversation.due_missed',
      subject: id,
      values: { contactIds: [row.contact_id], target: kind, at: new Date(at).toISOString() },
    });
  await writeSla(scope, [{ id, clock, toldUntil: now.getTime() }]);
}
