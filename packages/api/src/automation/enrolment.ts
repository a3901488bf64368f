import { newId } from '@app/database/new-id';
import { chosenContactsSql } from '@app/delivery/audience-sql';
import { knowAudience } from '@app/delivery/known-audience';
import type { ChosenAudience } from '@app/domain/delivery/audience';
import type { FlowFile } from '@app/domain/flows/flow-file';
import { runClasses } from '@app/flows/flow-host';
import { wakeFlows } from '@app/flows/flow-inputs';
import { addStarts } from '@app/flows/flow-starts';
import type { ReadScope, WorkspaceScope } from '../platform/workspace-scope.ts';
import { resolveAudience } from '../sending/audience-segments.ts';
import { addSweeps } from './engine/sweeps/sweep.ts';

type NotActive = 'workflow_not_found' | 'workflow_not_active';
/** A deleted segment matches no contacts, so the contacts that it should exclude would enter. */
type SegmentGone = 'campaign_segment_deleted';
type Chosen = { contactIds?: readonly string[] | undefined; audience?: ChosenAudience | undefined };

/**
 * Enters contacts by hand; re-entry counts for them as for others. Up to a thousand named contacts enter at once. An audience is looked up a slice at
 * a time, and its contacts enter at the pace of the workflow.
 */
export async function enrolContacts(
  scope: WorkspaceScope,
  { workflowId, ...chosen }: { workflowId: string } & Chosen,
): Promise<{ enrolled: number } | NotActive | 'contact_not_found' | SegmentGone> {
  const flow = await findActive(scope, workflowId);
  if (typeof flow === 'string') return flow;
  const { name, version } = flow;
  const source = `enrolment/${newId()}`;
  const enrolled = chosen.audience
    ? await sweepAudience(scope, { workflowId, version, source, audience: chosen.audience })
    : await startContacts(scope, { workflowId, version, source, contactIds: chosen.contactIds ?? [] });
  if (typeof enrolled === 'number' && enrolled > 0)
    await scope.emit({
      type: 'workflow.contacts_enrolled',
      ...{ subject: workflowId, values: { name, count: enrolled } },
    });
  return typeof enrolled === 'number' ? { enrolled } : enrolled;
}

async function findActive(
  scope: WorkspaceScope,
  workflowId: string,
): Promise<{ name: string; version: number } | NotActive> {
  const { rows } = await scope.query<{ name: string; status: string; published: number | null }>(
    `SELECT name, status, published FROM flows WHERE workspace_id = $1 AND id = $2 AND kind = 'workflow' FOR SHARE`,
    [scope.workspaceId, workflowId],
  );
  const [flow] = rows;
  if (!flow) return 'workflow_not_found';
  if (flow.status !== 'active' || flow.published === null) return 'workflow_not_active';
  return { name: flow.name, version: flow.published };
}

type Enrolment = { workflowId: string; version: number; source: string };

async function startContacts(
  scope: WorkspaceScope,
  { workflowId, version, source, contactIds }: Enrolment & { contactIds: readonly string[] },
): Promise<number | 'contact_not_found'> {
  const ids = [...new Set(contactIds)];
  const { rowCount } = await scope.query(
    'SELECT FROM contacts WHERE workspace_id = $1 AND id = ANY ($2::uuid[])',
    [scope.workspaceId, ids],
  );
  if (rowCount !== ids.length) return 'contact_not_found';
  return addStarts(
    scope,
    ids.map((contactId) => ({
      ...{ flowId: workflowId, version, triggerId: null, contactId, channelId: null, source, values: {} },
      ...{ class: ids.length > 1 ? runClasses.bulk : runClasses.event, depth: 0, at: scope.clock() },
    })),
  );
}

async function sweepAudience(
  scope: WorkspaceScope,
  { workflowId, version, source, audience: planned }: Enrolment & { audience: ChosenAudience },
): Promise<number | SegmentGone> {
  const { audience, deletedSegmentIds } = await resolveAudience(scope, planned);
  if (deletedSegmentIds.length > 0) return 'campaign_segment_deleted';
  const values: unknown[] = [];
  const named = await knowAudience(scope, scope.workspaceId, audience);
  const { rows } = await scope.query<{ n: number }>(
    `SELECT count(*)::int AS n FROM contacts c WHERE ${chosenContactsSql(scope.workspaceId, named, values)} AND c.status <> 'blocked'`,
    values,
  );
  const at = scope.clock();
  await addSweeps(scope, [
    {
      ...{ flowId: workflowId, version, triggerId: null, source, at, dueAt: at, depth: 0, values: {} },
      chosen: { kind: 'audience', audience },
    },
  ]);
  await wakeFlows(scope, runClasses.bulk);
  return rows[0]!.n; // a count has one row
}

export type EnrolmentPreview = {
  chosen: number;
  willEnter: number;
  blocked: number;
  enteredBefore: number;
  inProgress: number;
  optedOut: number;
  perMinute: number;
};

/** Who of the audience would enter now, and why the others would not. Re-entry is that of the published version. */
export async function previewEnrolment(
  scope: ReadScope,
  { workflowId, audience: planned }: { workflowId: string; audience: ChosenAudience },
  defaultPerMinute: number,
): Promise<EnrolmentPreview | NotActive | SegmentGone> {
  const { rows: flows } = await scope.query<{ status: string; settings: FlowFile['settings'] | null }>(
    `SELECT f.status, v.content->'settings' AS settings FROM flows f
       LEFT JOIN flow_versions v ON v.flow_id = f.id AND v.number = f.published
      WHERE f.workspace_id = $1 AND f.id = $2 AND f.kind = 'workflow'`,
    [scope.workspaceId, workflowId],
  );
  const [flow] = flows;
  if (!flow) return 'workflow_not_found';
  if (flow.status !== 'active' || flow.settings === null) return 'workflow_not_active';
  const { reentry, runsPerMinute } = flow.settings;
  const { audience, deletedSegmentIds } = await resolveAudience(scope, planned);
  if (deletedSegmentIds.length > 0) return 'campaign_segment_deleted';
  const values: unknown[] = [workflowId, reentry];
  const named = await knowAudience(scope, scope.workspaceId, audience);
  const { rows } = await scope.query<Record<keyof EnrolmentPreview, number>>(
    `SELECT count(*)::int AS chosen, count(*) FILTER (WHERE is_blocked)::int AS blocked,
            count(*) FILTER (WHERE NOT is_blocked AND entered)::int AS "enteredBefore",
            count(*) FILTER (WHERE NOT is_blocked AND inside)::int AS "inProgress",
            count(*) FILTER (WHERE NOT is_blocked AND NOT entered AND NOT inside)::int AS "willEnter",
            count(*) FILTER (WHERE NOT is_blocked AND NOT entered AND NOT inside AND opted_out)::int AS "optedOut"
       FROM (SELECT c.status = 'blocked' AS is_blocked, c.reach = 'opted_out' AS opted_out,
               $2::text = 'once' AND EXISTS (SELECT FROM flow_entries e WHERE e.flow_id = $1::uuid AND e.contact_id = c.id) AS entered,
               $2::text = 'one_at_a_time' AND EXISTS (SELECT FROM flow_runs r WHERE r.flow_id = $1::uuid AND r.contact_id = c.id
                 AND r.status = 'running' AND NOT r.is_test) AS inside
          FROM contacts c WHERE ${chosenContactsSql(scope.workspaceId, named, values)}) AS asked`,
    values,
  );
  return { ...rows[0]!, perMinute: runsPerMinute ?? defaultPerMinute }; // a count has one row
}
