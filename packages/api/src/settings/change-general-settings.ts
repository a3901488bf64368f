import { saveWorkspaceSettings } from '@app/database/auth/write-settings';
import { readProfile, type GeneralSettings } from '@app/domain/settings/general-settings';
import type { Jobs } from '../platform/jobs/enqueue-job.ts';
import type { WorkspaceScope } from '../platform/workspace-scope.ts';
import { findGeneralSettings, type StoredGeneral } from './general-settings.ts';
import { useLogo } from './logos.ts';
import { enqueueProfiles } from './push-profile.ts';

export type GeneralChange = Partial<GeneralSettings> & { version: number };

/**
 * What platforms show of it is handed to them afterwards. `settings_changed` when somebody else saved since the version was
 * read, `media_not_found` when its logo is not here.
 */
export async function changeGeneralSettings(
  scope: WorkspaceScope,
  jobs: Jobs,
  { version, language, ...changes }: GeneralChange,
): Promise<StoredGeneral | 'settings_changed' | 'media_not_found'> {
  if (!(await useLogo(scope, changes.logo))) return 'media_not_found';
  const before = await findGeneralSettings(scope);
  const isSaved = await saveWorkspaceSettings(scope, scope.workspaceId, {
    part: 'general',
    version,
    settings: changes,
    language,
  });
  if (!isSaved) return 'settings_changed';
  await scope.emit({ type: 'settings.updated', subject: scope.workspaceId, values: { part: 'general' } });
  const kept = await findGeneralSettings(scope);
  if (JSON.stringify(readProfile(before)) !== JSON.stringify(readProfile(kept)))
    await enqueueProfiles(jobs, scope, kept.version);
  return kept;
}
