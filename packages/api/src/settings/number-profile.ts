import { saveWorkspaceSettings } from '@app/database/auth/write-settings';
import type { BusinessProfile } from '@app/domain/settings/general-settings';
import { canonicalJson } from '../platform/canonical-json.ts';
import type { Jobs } from '../platform/jobs/enqueue-job.ts';
import type { ReadScope, WorkspaceScope } from '../platform/workspace-scope.ts';
import { useLogo } from './logos.ts';
import { findNumber, findProfileState, enqueueProfile, type ProfileState } from './push-profile.ts';
import { readProfiles, readShownProfile } from './shown-profile.ts';

export type NumberProfile = {
  /** Of all profiles of numbers together. */
  version: number;
  /** False while the number shows that of the workspace. */
  isOwn: boolean;
  profile: BusinessProfile;
  push: ProfileState;
};

/** What a number is to show; null for one that is not there. */
export async function findNumberProfile(scope: ReadScope, channelId: string): Promise<NumberProfile | null> {
  if (!(await findNumber(scope, channelId))) return null;
  const { version, profiles } = await readProfiles(scope);
  const own = profiles[channelId];
  return {
    ...{ version, isOwn: own !== undefined, push: await findProfileState(scope, channelId) },
    profile: await readShownProfile(scope, channelId),
  };
}

/** Null in place of a profile: the number shows that of the workspace. What it shows is handed to the platform afterwards. */
export async function changeNumberProfile(
  scope: WorkspaceScope,
  jobs: Jobs,
  { channelId, version, profile }: { channelId: string; version: number; profile: BusinessProfile | null },
): Promise<NumberProfile | 'channel_not_found' | 'settings_changed' | 'media_not_found'> {
  if (!(await findNumber(scope, channelId))) return 'channel_not_found';
  if (!(await useLogo(scope, profile?.logo))) return 'media_not_found';
  const { profiles } = await readProfiles(scope);
  const { [channelId]: before, ...others } = profiles;
  const numberProfiles = profile === null ? others : { ...others, [channelId]: profile };
  const isSaved = await saveWorkspaceSettings(scope, scope.workspaceId, {
    ...{ part: 'numbers', version, settings: { numberProfiles } },
  });
  if (!isSaved) return 'settings_changed';
  await scope.emit({ type: 'settings.updated', subject: scope.workspaceId, values: { part: 'numbers' } });
  if (canonicalJson(before ?? null) !== canonicalJson(profile))
    await enqueueProfile(jobs, scope, version + 1, { channelId });
  const kept = await findNumberProfile(scope, channelId);
  if (!kept) throw new Error('A number vanished within a transaction that saw it.');
  return kept;
}
