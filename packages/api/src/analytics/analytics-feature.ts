import type { ServerFeature } from '../platform/features/server-feature.ts';
import { checkReplies } from '@app/database/analytics/check-replies';
import { analyticsApi } from './analytics-api.ts';
import { deleteOverLinks } from './links/mount-report-links.ts';
import { reportLinksApi } from './links/report-links-api.ts';
import { reportViewsApi } from './report-views-api.ts';
import { rollupBackfill } from './backfill-rollups.ts';

export const analyticsFeature = {
  name: 'analytics',
  router: { analytics: analyticsApi, reportLinks: reportLinksApi, reportViews: reportViewsApi },
  personData: {
    tables: {},
    erase: async () => {},
    // What one of them wrote may answer what another one got.
    merge: async (scope, { survivorId, otherIds }) => {
      await checkReplies(scope, [survivorId, ...otherIds]);
      return {};
    },
    unmerge: null,
  },
  schedules: [rollupBackfill],
  upkeep: { seldom: [deleteOverLinks] },
} satisfies ServerFeature;
