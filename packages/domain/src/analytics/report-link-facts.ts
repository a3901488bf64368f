import { defineFact } from '../events/fact-definition.ts';
import { text } from '../events/fact-values.ts';

const common = {
  version: 1,
  subject: 'report-link',
  values: { name: text },
  live: [],
  forWebhooks: false,
} as const;

export const reportLinkFacts = {
  'report_link.created': defineFact({ ...common, audit: { type: 'create', resource: 'analytics' } }),
  'report_link.deleted': defineFact({ ...common, audit: { type: 'delete', resource: 'analytics' } }),
  /** What somebody keeps for themselves concerns nobody: no entry of the log, and no name. */
  'report_views.changed': defineFact({
    ...{ ...common, subject: 'user', values: {}, audit: null },
    live: [{ topic: 'report-views' }],
  }),
};
