import type { WorkspaceSettings } from '@app/database/workspaces/workspaces-tables';
import { readProfile, type BusinessProfile } from '@app/domain/settings/general-settings';
import type { ReadScope } from '../platform/workspace-scope.ts';
import { findGeneralSettings } from './general-settings.ts';

/** Its own, else that of the workspace. */
export async function readShownProfile(scope: ReadScope, channelId: string): Promise<BusinessProfile> {
  const { profiles } = await readProfiles(scope);
  return readProfile(profiles[channelId] ?? (await findGeneralSettings(scope)));
}

/** The profiles that numbers have of their own. */
export async function readProfiles({ query, workspaceId }: ReadScope) {
  const { rows } = await query<{ settings: WorkspaceSettings }>(
    'SELECT settings FROM workspaces WHERE id = $1',
    [workspaceId],
  );
  const settings = rows[0]?.settings ?? {};
  return { version: settings.versions?.numbers ?? 0, profiles: settings.numberProfiles ?? {} };
}
