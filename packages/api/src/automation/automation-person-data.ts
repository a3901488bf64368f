import { newRunState } from '@app/domain/flows/run-state';
import type { PersonData } from '../platform/person-data/person-data.ts';
import { readByTime } from '../platform/person-data/read-section.ts';

/** Ids of runs, by the contact that had them. */
type Moved = { runs: Record<string, string[]> };

export const automationPersonData: PersonData = {
  tables: {
    flow_runs: {
      section: 'workflows',
      read: readByTime(
        `SELECT r.started_at AS at, r.id, f.name AS workflow, r.status, r.started_at AS "startedAt", r.ended_at AS "endedAt",
                r.state->'trigger' AS "startedBy", r.state->'steps' AS "values"
           FROM flow_runs r JOIN flows f ON f.id = r.flow_id
          WHERE r.workspace_id = $1 AND r.contact_id = ANY ($2::uuid[]) AND (r.started_at, r.id) > ($3::timestamptz, $4::uuid)
          ORDER BY at, id LIMIT $5`,
        ({ ids }) => ids,
      ),
    },
    flow_log: { leftOut: 'which step was done when: the values stand with the runs' },
  },
  async erase(scope, { ids }) {
    const of = [scope.workspaceId, ids];
    await scope.query(
      `UPDATE flow_log l SET details = '{}' FROM flow_runs r
        WHERE r.workspace_id = $1 AND r.contact_id = ANY ($2::uuid[]) AND l.run_id = r.id AND l.workspace_id = $1`,
      of,
    );
    const { rows } = await scope.query<{ flow_id: string; n: number }>(
      `WITH ended AS (
         UPDATE flow_runs SET status = 'cancelled', end_code = 'contact_gone', ended_at = $3, due_at = NULL, wait = NULL, step_id = NULL
          WHERE workspace_id = $1 AND contact_id = ANY ($2::uuid[]) AND status = 'running' RETURNING flow_id)
       SELECT flow_id, count(*)::int AS n FROM ended GROUP BY flow_id ORDER BY flow_id`,
      [...of, scope.clock()],
    );
    await scope.query(
      `UPDATE flows f SET cancelled = f.cancelled + e.n FROM jsonb_to_recordset($2::jsonb) AS e (flow_id uuid, n integer)
        WHERE f.workspace_id = $1 AND f.id = e.flow_id`,
      [scope.workspaceId, JSON.stringify(rows)],
    );
    await scope.query(
      `UPDATE flow_runs SET contact_id = NULL, state = $3 WHERE workspace_id = $1 AND contact_id = ANY ($2::uuid[])`,
      [...of, JSON.stringify(newRunState({}, 0))],
    );
  },
  async merge(scope, { survivorId, otherIds }): Promise<Moved> {
    const { rows } = await scope.query<{ contact_id: string; ids: string[] }>(
      `SELECT contact_id, array_agg(id) AS ids FROM flow_runs
        WHERE workspace_id = $1 AND contact_id = ANY ($2::uuid[]) GROUP BY contact_id`,
      [scope.workspaceId, otherIds],
    );
    await scope.query(
      'UPDATE flow_runs SET contact_id = $2 WHERE workspace_id = $1 AND contact_id = ANY ($3::uuid[])',
      [scope.workspaceId, survivorId, otherIds],
    );
    return { runs: Object.fromEntries(rows.map(({ contact_id, ids }) => [contact_id, ids])) };
  },
  async unmerge(scope, { survivorId, parts }, moved) {
    const { runs = {} } = moved as Partial<Moved>; // its own, from `merge`
    for (const { contactId } of parts)
      await scope.query(
        'UPDATE flow_runs SET contact_id = $2 WHERE workspace_id = $1 AND contact_id = $3 AND id = ANY ($4::uuid[])',
        [scope.workspaceId, contactId, survivorId, runs[contactId] ?? []],
      );
  },
};
