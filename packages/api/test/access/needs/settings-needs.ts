import type { FeatureNeeds } from './feature-needs.ts';

export const settingsNeeds: FeatureNeeds = {
  endpoints: {
    'settings:read': `settings.getGeneral settings.getMessaging settings.getProfileState settings.getUsage settings.getNumberProfile
      settings.getNoticeDefaults`,
    'settings:manage': `settings.updateGeneral settings.updateMessaging settings.updatePlan settings.pushProfile settings.readProfile
      settings.updateNumberProfile settings.updateNoticeDefaults`,
  },
  addresses: {
    'signed in': ['GET /api/logos/:logoId'],
    'settings:manage': ['POST /api/settings/logo'],
  },
};
