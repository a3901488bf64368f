import type { FlowProblem } from '@app/domain/flows/check-flow';
import type { FlowFile } from '@app/domain/flows/flow-file';
import { textOf } from '@app/domain/flows/step-type';
import { isFormPage } from '@app/domain/flows/triggers/form-trigger';
import type { WorkspaceScope } from '../../platform/workspace-scope.ts';

/**
 * Takes the addresses of the forms of a published flow, and gives back those that it has no more. Answers with what keeps it from being published: an
 * address belongs to one form, whichever workspace has it.
 */
export async function takeAddresses(
  scope: WorkspaceScope,
  workflowId: string,
  flow: FlowFile,
): Promise<FlowProblem[]> {
  const forms = formsOf(flow);
  await scope.query(
    'DELETE FROM flow_forms WHERE workspace_id = $1 AND flow_id = $2 AND slug <> ALL ($3::text[])',
    [scope.workspaceId, workflowId, forms.map(({ slug }) => slug)],
  );
  const problems = forms
    .filter(({ slug }, index) => forms.findIndex((other) => other.slug === slug) !== index)
    .map(({ triggerId, slug }) => taken(triggerId, slug));
  for (const { slug, triggerId } of forms) {
    // Of another workspace nothing is seen: that the row did not become this flow's says it is taken.
    const { rowCount } = await scope.query(
      `INSERT INTO flow_forms AS f (slug, workspace_id, flow_id, trigger_id) VALUES ($1, $2, $3, $4) ON CONFLICT DO NOTHING`,
      [slug, scope.workspaceId, workflowId, triggerId],
    );
    const { rowCount: isOwn } = await scope.query(
      'UPDATE flow_forms SET trigger_id = $4 WHERE slug = $1 AND workspace_id = $2 AND flow_id = $3',
      [slug, scope.workspaceId, workflowId, triggerId],
    );
    if (!rowCount && !isOwn) problems.push(taken(triggerId, slug));
  }
  return problems;
}

function formsOf({ triggers }: FlowFile): { slug: string; triggerId: string }[] {
  return triggers
    .filter(({ type, config }) => type === 'form_submission' && isFormPage(config))
    .map(({ id, config }) => ({ slug: textOf(config, 'slug'), triggerId: id }))
    .filter(({ slug }) => slug !== '');
}

function taken(triggerId: string, slug: string): FlowProblem {
  return { code: 'field_invalid', place: 'trigger', id: triggerId, field: 'slug', value: slug };
}
