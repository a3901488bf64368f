import { giveBackCampaigns } from '../campaigns/adopt-campaigns.ts';
import { undoImport } from '../contact-imports/undo-import.ts';
import { readFieldUsage, removeCustomField } from '../custom-fields/custom-fields-queries.ts';
import type { ApiDependencies } from '../platform/request-context.ts';
import type { WorkspaceScope } from '../platform/workspace-scope.ts';
import { giveBackTemplates } from '../templates/adopt-templates.ts';
import { giveBackSettings } from './adopt-settings.ts';
import { takeBackRecord } from './data-imports.ts';

export type UndoneDataImport = {
  removed: number;
  restored: number;
  kept: number;
};

/**
 * Undoes a whole data import: what it added is deleted and what it changed is restored, except for what was changed since.
 * Null where there is nothing to undo. Emits `data.import_undone`.
 */
export async function undoDataImport(
  scope: WorkspaceScope,
  { secrets, jobs }: Pick<ApiDependencies, 'secrets' | 'jobs'>,
  importId: string,
): Promise<UndoneDataImport | null> {
  const before = await takeBackRecord(scope, importId);
  if (!before) return null;
  const { removed, restored, kept } = (await undoImport(scope, secrets, importId)) ?? {
    ...{ removed: 0, restored: 0, kept: 0 },
  };
  const stayed = [
    await giveBackCampaigns(scope, before.campaigns),
    await giveBackTemplates(scope, before.templates),
    await giveBackSettings(scope, jobs, before.settings),
    await giveBackFields(scope, before.fields),
  ];
  const values = { removed, restored };
  await scope.emit({ type: 'data.import_undone', subject: scope.workspaceId, values });
  return {
    removed,
    restored,
    kept: stayed.reduce((sum, count) => sum + count, kept),
  };
}

/** One that has values, or that something is chosen by, stays. */
async function giveBackFields(scope: WorkspaceScope, fieldIds: readonly string[]): Promise<number> {
  let stayed = 0;
  for (const fieldId of fieldIds) {
    const usage = await readFieldUsage(scope, fieldId);
    if (!usage) continue;
    const isUsed = usage.contacts + usage.segments.length + usage.campaigns.length > 0;
    if (isUsed) stayed += 1;
    else await removeCustomField(scope, fieldId);
  }
  return stayed;
}
