import type { ServerFeature } from '../platform/features/server-feature.ts';
import { checkReplies } from '@app/database/analytics/check-replies';
import { recountContacts } from '@app/database/analytics/outcome-source';
import { analyticsApi } from './analytics-api.ts';
import { deleteOverLinks } from './links/mount-report-links.ts';
import { reportLinksApi } from './links/report-links-api.ts';
import { reportViewsApi } from './report-views-api.ts';
import { rollupBackfill } from './backfill-rollups.ts';

export const analyticsFeature = {
  name: 'analytics',
  router: { analytics: analyticsApi, reportLinks: reportLinksApi, reportViews: reportViewsApi },
  personData: {
    tables: {
      outcome_events: {
        leftOut: 'when something happened that is listed elsewhere, once more, so that it is counted',
      },
    },
    erase: (scope, { ids }) => recountContacts(scope, scope.workspaceId, ids),
    // What one of them wrote may answer what another one got.
    merge: async (scope, { survivorId, otherIds }) => {
      await checkReplies(scope, [survivorId, ...otherIds]);
      await recountContacts(scope, scope.workspaceId, [survivorId, ...otherIds]);
      return {};
    },
    unmerge: async (scope, { survivorId, parts }) => {
      await recountContacts(scope, scope.workspaceId, [
        survivorId,
        ...parts.map(({ contactId }) => contactId),
      ]);
    },
  },
  schedules: [rollupBackfill],
  upkeep: { seldom: [deleteOverLinks] },
} satisfies ServerFeature;
