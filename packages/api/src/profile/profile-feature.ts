import type { ServerFeature } from '../platform/features/server-feature.ts';
import { avatarFiles } from './avatar-files.ts';
import { profileApi } from './profile-api.ts';

export const profileFeature = {
  name: 'profile',
  router: { profile: profileApi },
  files: () => avatarFiles,
} satisfies ServerFeature;
