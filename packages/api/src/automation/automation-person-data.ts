import { newRunState } from '@app/domain/flows/run-state';
import type { PersonData } from '../platform/person-data/person-data.ts';
import type { WorkspaceScope } from '../platform/workspace-scope.ts';
import { readByTime } from '../platform/person-data/read-section.ts';

/** Ids of runs and of flows, by the contact that had them. */
type Moved = { runs: Record<string, string[]>; entries: Record<string, string[]> };

const OF_RUNS =
  'workspace_id = $1 AND run_id IN (SELECT id FROM flow_runs WHERE workspace_id = $1 AND contact_id = ANY ($2::uuid[]))';
const DELETE_OF_RUNS = {
  flow_inputs: `DELETE FROM flow_inputs WHERE ${OF_RUNS}`,
  flow_effects: `DELETE FROM flow_effects WHERE ${OF_RUNS}`,
};
const DELETE_SIMULATED =
  'DELETE FROM flow_simulation_contacts WHERE workspace_id = $1 AND contact_id = ANY ($2::uuid[])';

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
    flow_starts: { leftOut: 'who was to enter what: those who did stand with the runs' },
    flow_entries: { leftOut: 'who entered what, as the runs say' },
    flow_inputs: { leftOut: 'what moved a run: the messages stand among the messages' },
    flow_effects: { leftOut: 'what a run asked for: the messages stand among the messages' },
    flow_hooks: { leftOut: 'what a service sent last, as an example of its form' },
    flow_hook_calls: { leftOut: 'what services sent lately; the runs have what came of it' },
    flow_simulation_contacts: { leftOut: 'what might have been, and was not' },
    flow_log: { leftOut: 'which step was done when: the values stand with the runs' },
  },
  async erase(scope, { ids }) {
    const of = [scope.workspaceId, ids];
    await scope.query(
      `UPDATE flow_log l SET details = '{}' FROM flow_runs r
        WHERE r.workspace_id = $1 AND r.contact_id = ANY ($2::uuid[]) AND l.run_id = r.id AND l.workspace_id = $1`,
      of,
    );
    // Whoever it was about: the next call brings another example.
    await scope.query('UPDATE flow_hooks SET sample = NULL WHERE workspace_id = $1 AND sample IS NOT NULL', [
      scope.workspaceId,
    ]);
    await scope.query('UPDATE flow_hook_calls SET body = NULL WHERE workspace_id = $1 AND body IS NOT NULL', [
      scope.workspaceId,
    ]);
    // Who was picked by hand for an enrolment that goes on stands there by id.
    await scope.query(
      `UPDATE flow_sweeps w SET chosen = (SELECT replace(w.chosen::text, id::text, '00000000-0000-0000-0000-000000000000') FROM unnest($2::uuid[]) AS id
          WHERE w.chosen::text LIKE '%' || id::text || '%' LIMIT 1)::jsonb
        WHERE w.workspace_id = $1 AND w.ended_at IS NULL AND w.chosen->>'kind' = 'audience'
          AND EXISTS (SELECT FROM unnest($2::uuid[]) AS id WHERE w.chosen::text LIKE '%' || id::text || '%')`,
      of,
    );
    await scope.query(DELETE_SIMULATED, of);
    for (const table of ['flow_inputs', 'flow_effects'] as const)
      await scope.query(DELETE_OF_RUNS[table], of);
    await scope.query(
      'DELETE FROM flow_starts WHERE workspace_id = $1 AND contact_id = ANY ($2::uuid[])',
      of,
    );
    await scope.query(
      'DELETE FROM flow_entries WHERE workspace_id = $1 AND contact_id = ANY ($2::uuid[])',
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
    const { rows: entries } = await scope.query<{ contact_id: string; ids: string[] }>(
      `SELECT contact_id, array_agg(flow_id) AS ids FROM flow_entries
        WHERE workspace_id = $1 AND contact_id = ANY ($2::uuid[]) GROUP BY contact_id`,
      [scope.workspaceId, otherIds],
    );
    await scope.query(
      `INSERT INTO flow_entries (workspace_id, flow_id, contact_id, entered_at)
       SELECT $1, flow_id, $2, max(entered_at) FROM flow_entries WHERE workspace_id = $1 AND contact_id = ANY ($3::uuid[]) GROUP BY flow_id
       ON CONFLICT DO NOTHING`,
      [scope.workspaceId, survivorId, otherIds],
    );
    await scope.query('DELETE FROM flow_entries WHERE workspace_id = $1 AND contact_id = ANY ($2::uuid[])', [
      scope.workspaceId,
      otherIds,
    ]);
    await scope.query(
      `UPDATE flow_starts s SET contact_id = $2 WHERE workspace_id = $1 AND contact_id = ANY ($3::uuid[])
          AND NOT EXISTS (SELECT FROM flow_starts o WHERE o.flow_id = s.flow_id AND o.source = s.source AND o.contact_id = $2)`,
      [scope.workspaceId, survivorId, otherIds],
    );
    await scope.query(DELETE_SIMULATED, [scope.workspaceId, otherIds]);
    await endDoubled(scope, survivorId);
    return {
      runs: Object.fromEntries(rows.map(({ contact_id, ids }) => [contact_id, ids])),
      entries: Object.fromEntries(entries.map(({ contact_id, ids }) => [contact_id, ids])),
    };
  },
  async unmerge(scope, { survivorId, parts }, moved) {
    const { runs = {}, entries = {} } = moved as Partial<Moved>; // its own, from `merge`
    for (const { contactId } of parts) {
      await scope.query(
        `INSERT INTO flow_entries (workspace_id, flow_id, contact_id, entered_at)
         SELECT $1, flow_id, $2, entered_at FROM flow_entries WHERE workspace_id = $1 AND contact_id = $3 AND flow_id = ANY ($4::uuid[])
         ON CONFLICT DO NOTHING`,
        [scope.workspaceId, contactId, survivorId, entries[contactId] ?? []],
      );
      await scope.query(
        'UPDATE flow_runs SET contact_id = $2 WHERE workspace_id = $1 AND contact_id = $3 AND id = ANY ($4::uuid[])',
        [scope.workspaceId, contactId, survivorId, runs[contactId] ?? []],
      );
    }
  },
};

/** Of two runs of a flow that lets a contact be inside once, the newer ends as `merged`. */
async function endDoubled(scope: WorkspaceScope, survivorId: string): Promise<void> {
  await scope.query(
    `WITH doubled AS (
       SELECT r.id, r.flow_id FROM flow_runs r JOIN flow_versions v ON v.flow_id = r.flow_id AND v.number = r.version
        WHERE r.workspace_id = $1 AND r.contact_id = $2 AND r.status = 'running' AND v.content->'settings'->>'reentry' <> 'always'
          AND EXISTS (SELECT FROM flow_runs o WHERE o.contact_id = $2 AND o.flow_id = r.flow_id AND o.status = 'running'
                         AND (o.started_at, o.id) < (r.started_at, r.id))),
     ended AS (
       UPDATE flow_runs SET status = 'cancelled', end_code = 'merged', ended_at = $3, due_at = NULL, wait = NULL, step_id = NULL
        WHERE id IN (SELECT id FROM doubled) RETURNING flow_id)
     UPDATE flows f SET cancelled = f.cancelled + e.n FROM (SELECT flow_id, count(*) AS n FROM ended GROUP BY flow_id) AS e WHERE f.id = e.flow_id`,
    [scope.workspaceId, survivorId, scope.clock()],
  );
}
