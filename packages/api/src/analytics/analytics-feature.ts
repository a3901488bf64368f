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
  tables: {
    message_rollups: 'figures',
    message_rollup_deltas: 'figures',
    message_rollup_sums: 'figures',
    inbox_rollups: 'figures, of members and teams',
    inbox_rollup_deltas: 'figures, of members and teams',
    inbox_rollup_sums: 'figures, of members and teams',
    contact_rollups: 'figures',
    contact_rollup_deltas: 'figures',
    rollup_names: 'what deleted campaigns and templates were called',
    reply_checks: 'ids of messages and places in a run that are looked at within seconds',
    rollup_backfill: 'how far a count is',
    report_links: 'filters that staff show to others; no contact is named in them',
    report_views: 'filters that staff keep; no contact is named in them',
  },
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
