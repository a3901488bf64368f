import type { ApiDependencies } from '../../platform/request-context.ts';
import { sweepEach } from '../../platform/jobs/sweep-each.ts';
import { changeAcrossWorkspaces, changeAsSystem } from '../../platform/system-work.ts';
import type { WorkspaceScope } from '../../platform/workspace-scope.ts';
import { emitItemEvent } from './store-items.ts';

type Due = { event: string; at: string; until: string };
type DueRow = {
  id: string;
  contact_id: string | null;
  kind: string;
  is_on: boolean;
  said: string[];
  due: Due[];
};

/** Emits what happens because nothing changed: a checkout that nobody completed, a meeting that is near. Each once. */
export async function emitDueItems(parts: ApiDependencies): Promise<void> {
  const { rows } = await changeAcrossWorkspaces(parts, 'upkeep', ({ client }) =>
    client.query<{ workspace_id: string; ids: string[] }>(
      `SELECT workspace_id, array_agg(id) AS ids FROM (
         SELECT workspace_id, id FROM integration_items WHERE due_at <= $1 ORDER BY due_at LIMIT 500) AS due GROUP BY workspace_id`,
      [parts.clock()],
    ),
  );
  await sweepEach(parts, rows, ({ workspace_id: workspaceId, ids }) =>
    changeAsSystem(parts, 'upkeep', workspaceId, (scope) => emitSome(scope, ids)),
  );
}

async function emitSome(scope: WorkspaceScope, ids: readonly string[]): Promise<void> {
  const now = scope.clock();
  const { rows } = await scope.query<DueRow>(
    `SELECT t.id, t.contact_id, i.kind, i.status <> 'disconnected' AND i.is_started AS is_on, t.said, t.due
       FROM integration_items t JOIN integrations i ON i.workspace_id = t.workspace_id AND i.id = t.integration_id
      WHERE t.workspace_id = $1 AND t.id = ANY ($2::uuid[]) AND t.due_at <= $3 FOR UPDATE OF t SKIP LOCKED`,
    [scope.workspaceId, ids, now],
  );
  for (const { id, contact_id: contactId, kind, is_on: isOn, said, due } of rows) {
    const isDue = ({ at }: Due) => new Date(at) <= now;
    const told = due.filter((one) => isDue(one) && new Date(one.until) > now && !said.includes(one.event));
    const rest = due.filter((one) => !isDue(one));
    await scope.query(
      `UPDATE integration_items SET said = said || $3::text[], due = $4, due_at = $5 WHERE workspace_id = $1 AND id = $2`,
      [
        ...[scope.workspaceId, id, told.map(({ event }) => event), JSON.stringify(rest)],
        rest[0] ? new Date(rest[0].at) : null,
      ],
    );
    if (contactId !== null && isOn)
      for (const { event } of told) await emitItemEvent(scope, { contactId, kind, event, itemId: id });
  }
}
