import type { FeatureNeeds } from './feature-needs.ts';

export const rcsNeeds: FeatureNeeds = {
  endpoints: {
    'analytics:read': 'rcsAnalytics.getAnalytics',
    'campaigns:read': 'rcs.list rcs.get',
    'campaigns:create': 'rcs.create',
    'campaigns:update': 'rcs.update',
    'campaigns:delete': 'rcs.remove',
  },
  keys: { endpoints: 'rcs.list rcs.get rcs.create rcs.update rcs.remove rcsAnalytics.getAnalytics' },
};
