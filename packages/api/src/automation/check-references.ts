import {
  findFlowProblems,
  listFlowReferences,
  listFlowRules,
  type FlowProblem,
  type FlowReference,
} from '@app/domain/flows/check-flow';
import type { ReferenceKind } from '@app/domain/flows/field';
import type { FlowFile } from '@app/domain/flows/flow-file';
import { findPastTriggers } from '@app/domain/flows/flow-schedule';
import { conditionsOf, fieldKindsOf, isFieldKind } from '@app/domain/segments/segment-rules';
import type { CustomFieldType } from '@app/domain/custom-fields/custom-field';
import type { TemplateStatus } from '@app/domain/templates/template';
import { standingOf } from '@app/domain/templates/platform-status';
import { readZone } from './engine/sweeps/due-triggers.ts';
import { findGoneSecrets } from './flow-secrets.ts';
import type { ReadScope } from '../platform/workspace-scope.ts';

/** Where each kind of reference is looked up: ids of the workspace ($1) among those that are asked for ($2). */
const FIND: Record<ReferenceKind, string> = {
  template: 'SELECT id FROM templates WHERE workspace_id = $1 AND id = ANY ($2::uuid[])',
  campaign: 'SELECT id FROM campaigns WHERE workspace_id = $1 AND id = ANY ($2::uuid[])',
  workflow: `SELECT id FROM flows WHERE workspace_id = $1 AND id = ANY ($2::uuid[]) AND kind = 'workflow'`,
  bot_flow: 'SELECT id FROM bot_flows WHERE workspace_id = $1 AND id = ANY ($2::uuid[])',
  segment: 'SELECT id FROM segments WHERE workspace_id = $1 AND id = ANY ($2::uuid[])',
  channel: 'SELECT id FROM channels WHERE workspace_id = $1 AND id = ANY ($2::uuid[])',
  custom_field: 'SELECT id FROM custom_fields WHERE workspace_id = $1 AND id = ANY ($2::uuid[])',
  user: 'SELECT user_id AS id FROM memberships WHERE workspace_id = $1 AND user_id = ANY ($2::uuid[]) AND is_active',
  media: 'SELECT id FROM media WHERE workspace_id = $1 AND id = ANY ($2::uuid[])',
  team: 'SELECT id FROM teams WHERE workspace_id = $1 AND id = ANY ($2::uuid[])',
};

/**
 * Everything that keeps the flow from being published: what its file says, and what it refers to and is not there or cannot be used. `published` is the
 * version that it would replace.
 */
export async function checkFlow(
  scope: ReadScope,
  flow: FlowFile,
  published: FlowFile | null = null,
): Promise<FlowProblem[]> {
  const references = listFlowReferences(flow);
  const own = findFlowProblems(flow);
  return [
    ...own,
    ...(await findPast(scope, flow, { published, own })),
    ...(await findGone(scope, references)),
    ...(await findFieldsOfOtherTypes(scope, references)),
    // The editor of the chatbot says so where the template is chosen.
    ...(flow.kind === 'workflow' ? await findUnapproved(scope, references) : []),
    ...(await findGoneFields(scope, flow)),
    ...(await findGoneSecrets(scope, flow)),
  ];
}

/** Triggers whose only time is over: they would never start a run. */
async function findPast(
  scope: ReadScope,
  { triggers }: FlowFile,
  { published, own }: { published: FlowFile | null; own: readonly FlowProblem[] },
): Promise<FlowProblem[]> {
  const timed = triggers.filter(
    ({ id, type }) =>
      type === 'time_based' && !own.some((problem) => problem.place === 'trigger' && problem.id === id),
  );
  if (timed.length === 0) return [];
  const workspaceZone = await readZone(scope);
  return findPastTriggers(timed, { published, workspaceZone, now: scope.clock().getTime() });
}

async function findGone(scope: ReadScope, references: readonly FlowReference[]): Promise<FlowProblem[]> {
  const gone: FlowProblem[] = [];
  for (const [kind, asked] of Map.groupBy(references, (reference) => reference.kind)) {
    const ids = [...new Set(asked.map(({ id }) => id.toLowerCase()))];
    const { rows } = await scope.query<{ id: string }>(FIND[kind], [scope.workspaceId, ids]);
    const there = new Set(rows.map(({ id }) => id));
    for (const { id, place, of, field } of asked)
      if (!there.has(id.toLowerCase()))
        gone.push({ code: 'reference_gone', place, id: of, field, value: id });
  }
  return gone;
}

/** A date of the contact, for example, must be a field that holds a date. */
async function findFieldsOfOtherTypes(
  scope: ReadScope,
  references: readonly FlowReference[],
): Promise<FlowProblem[]> {
  const asked = references.filter(({ customFieldType }) => customFieldType !== undefined);
  if (asked.length === 0) return [];
  const { rows } = await scope.query<{ id: string; type: CustomFieldType }>(
    'SELECT id, type FROM custom_fields WHERE workspace_id = $1 AND id = ANY ($2::uuid[])',
    [scope.workspaceId, asked.map(({ id }) => id)],
  );
  const types = new Map(rows.map(({ id, type }) => [id, type]));
  return asked
    .filter(({ id, customFieldType }) => ![undefined, customFieldType].includes(types.get(id.toLowerCase())))
    .map(({ id, place, of, field }) => ({ code: 'field_of_other_type', place, id: of, field, value: id }));
}

/** Templates that could not be sent as things stand. */
async function findUnapproved(
  scope: ReadScope,
  references: readonly FlowReference[],
): Promise<FlowProblem[]> {
  const asked = references.filter(({ kind }) => kind === 'template');
  if (asked.length === 0) return [];
  const { rows } = await scope.query<{ id: string; status: TemplateStatus; platform_status: string | null }>(
    'SELECT id, status, platform_status FROM templates WHERE workspace_id = $1 AND id = ANY ($2::uuid[])',
    [scope.workspaceId, asked.map(({ id }) => id)],
  );
  const unapproved = new Set(
    rows
      .filter((row) => standingOf(row.status, row.platform_status, null) !== 'approved')
      .map(({ id }) => id),
  );
  return asked
    .filter(({ id }) => unapproved.has(id.toLowerCase()))
    .map(({ id, place, of, field }) => ({ code: 'template_not_approved', place, id: of, field, value: id }));
}

/** Rules that ask for a custom field that is not there, or is of another type. */
async function findGoneFields(scope: ReadScope, flow: FlowFile): Promise<FlowProblem[]> {
  const all = listFlowRules(flow).flatMap(({ rules, ...of }) =>
    conditionsOf(rules)
      .filter(({ kind }) => isFieldKind(kind))
      .map((condition) => ({ ...of, condition })),
  );
  if (all.length === 0) return [];
  const { rows } = await scope.query<{ id: string; type: CustomFieldType }>(
    'SELECT id, type FROM custom_fields WHERE workspace_id = $1 AND id = ANY ($2::uuid[])',
    [scope.workspaceId, all.map(({ condition }) => condition.field)],
  );
  const types = new Map(rows.map(({ id, type }) => [id, type]));
  return all
    .filter(({ condition: { kind, field = '' } }) => {
      const type = types.get(field.toLowerCase());
      return type === undefined || !fieldKindsOf(type).includes(kind);
    })
    .map(({ place, of, field, condition }) => ({
      ...{ code: 'reference_gone', place, id: of, field, value: condition.field ?? null },
    }));
}
