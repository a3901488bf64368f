import { addCampaign } from '@app/database/campaigns/write-campaigns';
import type { CampaignVariables } from '@app/database/campaigns/campaigns-tables';
import { newId } from '@app/database/new-id';
import { personOf } from '@app/domain/auth/caller';
import type { QuietHours } from '@app/domain/campaigns/quiet-hours';
import type { Adoption, ImportRules } from '@app/domain/data-management/data-import';
import type { WorkspaceScope } from '../platform/workspace-scope.ts';

export type OfferedCampaign = {
  row: number;
  name: string;
  template: string | null;
  customMessage: string | null;
  inContactLanguage: boolean;
  variables: CampaignVariables;
  quietHours: QuietHours | null;
};

/**
 * Takes campaigns of elsewhere, each of another name, by which one is known. New ones are drafts for nobody and at no time: whatever they did
 * elsewhere, nothing is sent by taking them. Those that are here stay as they are. A try changes nothing.
 */
export async function adoptCampaigns(
  scope: WorkspaceScope,
  offered: readonly OfferedCampaign[],
  { isDryRun, replaces }: Pick<ImportRules, 'isDryRun' | 'replaces'>,
): Promise<Adoption<string>[]> {
  const { workspaceId } = scope;
  const { rows: here } = await scope.query<{ name: string; message: string | null; template: string | null }>(
    `SELECT name, custom_message AS message, template_name AS template FROM campaigns
      WHERE workspace_id = $1 AND name = ANY ($2::text[]) ORDER BY created_at, id`,
    [workspaceId, offered.map(({ name }) => name)],
  );
  const known = new Map(replaces ? [] : here.map((row) => [row.name, row]));
  const templateIds = await findTemplateIds(scope, offered);
  const fieldIds = await findFieldIds(scope);
  const adopted: Adoption<string>[] = [];
  for (const campaign of offered) {
    const { row, name, template, customMessage } = campaign;
    const old = known.get(name);
    if (old) {
      const isSame = old.message === customMessage && old.template === template;
      adopted.push({ row, name, ...(isSame ? { outcome: 'same' } : { outcome: 'kept', problem: 'exists' }) });
      continue;
    }
    if (isDryRun) {
      adopted.push({ row, name, outcome: 'added' });
      continue;
    }
    const id = newId(scope.clock().getTime());
    await addCampaign(scope.tx, {
      ...{ id, workspaceId, name, customMessage, quietHours: campaign.quietHours },
      templateId: template === null ? null : (templateIds.get(template) ?? null),
      templateName: template,
      inContactLanguage: template !== null && campaign.inContactLanguage,
      variables: keepKnown(campaign.variables, fieldIds),
      ...{
        audience: { contactIds: [] },
        audienceSize: 0,
        status: 'draft',
        createdBy: personOf(scope.caller),
      },
    });
    adopted.push({ row, name, outcome: 'added', before: id });
  }
  return adopted;
}

/** Takes that back, but for those that somebody changed or started since. Answers with how many stayed. */
export async function giveBackCampaigns(scope: WorkspaceScope, ids: readonly string[]): Promise<number> {
  await scope.query(
    `DELETE FROM campaigns WHERE workspace_id = $1 AND id = ANY ($2::uuid[]) AND version = 1 AND status = 'draft' AND run_no IS NULL`,
    [scope.workspaceId, ids],
  );
  const { rows } = await scope.query<{ stayed: number }>(
    'SELECT count(*)::integer AS stayed FROM campaigns WHERE workspace_id = $1 AND id = ANY ($2::uuid[])',
    [scope.workspaceId, ids],
  );
  return rows[0]?.stayed ?? 0;
}

/** Of several of one name the newest. */
async function findTemplateIds(
  { query, workspaceId }: WorkspaceScope,
  offered: readonly OfferedCampaign[],
): Promise<ReadonlyMap<string, string>> {
  const names = offered.flatMap(({ template }) => (template === null ? [] : [template]));
  const { rows } = await query<{ id: string; name: string }>(
    'SELECT id, name FROM templates WHERE workspace_id = $1 AND name = ANY ($2::text[]) ORDER BY created_at, id',
    [workspaceId, names],
  );
  return new Map(rows.map(({ id, name }) => [name, id]));
}

async function findFieldIds({ query, workspaceId }: WorkspaceScope): Promise<ReadonlySet<string>> {
  const { rows } = await query<{ id: string }>('SELECT id FROM custom_fields WHERE workspace_id = $1', [
    workspaceId,
  ]);
  return new Set(rows.map(({ id }) => id));
}

/** A custom field of elsewhere means nothing here: its placeholder is chosen anew. */
function keepKnown(variables: CampaignVariables, fieldIds: ReadonlySet<string>): CampaignVariables {
  return Object.fromEntries(
    Object.entries(variables).filter(
      ([, variable]) => !('customField' in variable) || fieldIds.has(variable.customField),
    ),
  );
}
