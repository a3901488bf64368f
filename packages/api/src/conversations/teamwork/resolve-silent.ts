import { settleSla } from '@app/database/conversations/settle-sla';
import { readInboxSettings } from '@app/domain/conversations/inbox-settings';
import type { ApiDependencies } from '../../platform/request-context.ts';
import { sweepEach } from '../../platform/jobs/sweep-each.ts';
import { changeAsSystem } from '../../platform/system-work.ts';
import type { WorkspaceScope } from '../../platform/workspace-scope.ts';

const AT_ONCE = 500;
/** The others wait for the next time: nobody waits for them. */
const MOST_ROUNDS = 20;
const DAY_MS = 86_400_000;

/** Resolves what nobody spoke in for as long as the workspace says. Whoever still waits for an answer is not given up. */
export async function resolveSilent(parts: ApiDependencies): Promise<void> {
  const now = parts.clock();
  const { rows } = await parts.db.systemPool.query<{
    workspace_id: string;
    settings: Record<string, unknown>;
  }>(
    `SELECT workspace_id, settings FROM inbox_settings WHERE jsonb_typeof(settings->'autoResolveDays') = 'number'`,
  );
  await sweepEach(parts, rows, async ({ workspace_id: workspaceId, settings }) => {
    const { autoResolveDays: days } = readInboxSettings(settings);
    if (days === null) return;
    const before = new Date(now.getTime() - days * DAY_MS);
    for (let round = 0; round < MOST_ROUNDS; round += 1) {
      const resolved = await changeAsSystem(parts, 'upkeep', workspaceId, (scope) =>
        resolveBefore(scope, before, now),
      );
      if (resolved < AT_ONCE) return;
    }
  });
}

async function resolveBefore(scope: WorkspaceScope, before: Date, now: Date): Promise<number> {
  const { rows } = await scope.query<{ id: string; contact_id: string; status: 'open' | 'waiting' }>(
    `WITH silent AS (
       SELECT id FROM conversations
        WHERE workspace_id = $1 AND status IN ('open', 'waiting') AND NOT is_archived AND last_activity_at < $2 AND waiting_since IS NULL
        ORDER BY last_activity_at LIMIT ${AT_ONCE}
     ), theirs AS (
       SELECT c.id, c.status FROM conversations c JOIN silent ON silent.id = c.id
        WHERE c.workspace_id = $1 AND c.status IN ('open', 'waiting') AND c.last_activity_at < $2 AND c.waiting_since IS NULL
        ORDER BY c.contact_id, c.channel_id FOR NO KEY UPDATE OF c)
     UPDATE conversations c SET status = 'resolved', awaits_assignee = false, version = c.version + 1 FROM theirs
      WHERE c.id = theirs.id RETURNING c.id, c.contact_id, theirs.status`,
    [scope.workspaceId, before],
  );
  await settleSla(scope, { conversationIds: rows.map(({ id }) => id), begun: new Set(), now });
  await scope.emitMany(
    rows.map(({ id, contact_id: contactId, status }) => ({
      type: 'conversation.status_changed',
      subject: id,
      values: { contactIds: [contactId], status: 'resolved', before: status, snoozedUntil: null },
    })),
  );
  return rows.length;
}
