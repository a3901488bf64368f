import type { BusinessProfile } from '@app/domain/settings/general-settings';
import { useQuery } from '@tanstack/react-query';
import { ProfileState } from '../../shared/business-profile/profile-state.tsx';
import { profileStateOptions } from './settings-queries.ts';

/** What the platform shows beside the number through which the workspace sends. */
export function ProfilePanel({ onTake }: { onTake: (profile: BusinessProfile) => void }) {
  const { data } = useQuery(profileStateOptions());
  return data?.channel ? <ProfileState push={data} onTake={onTake} /> : null;
}
