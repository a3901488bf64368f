import { keepFactDays } from '../facts/fact-days.ts';
import { liveFromFacts } from '../facts/live-from-facts.ts';
import { pruneLog } from '../facts/prune-log.ts';
import { pruneActs } from '../idempotency.ts';
import { pruneJobs } from '../jobs/failed-jobs.ts';
import { pruneLiveEvents } from '../live-events.ts';
import { platformPersonData } from './platform-person-data.ts';
import type { ServerFeature, UpkeepWork } from './server-feature.ts';

/** What no feature has for itself, in the form of one. */
export const platformFeature = {
  name: 'platform',
  tables: {
    live_events: 'ids for open browsers, for some minutes',
    event_consumers: 'how far whom has read',
    job_schedules: 'times',
    'jobs.job': 'ids and figures of work in the background, kept for a day, or a month where it failed',
    'jobs.version': 'of the queue itself',
    'jobs.queue': 'of the queue itself',
    'jobs.schedule': 'of the queue itself',
    'jobs.subscription': 'of the queue itself',
    'jobs.bam': 'of the queue itself',
    'jobs.warning': 'of the queue itself',
    'jobs.queue_stats': 'of the queue itself',
    'jobs.job_dependency': 'of the queue itself',
    'drizzle.__drizzle_migrations': 'which migrations were applied',
  },
  consumers: [liveFromFacts],
  personData: platformPersonData,
  upkeep: {
    seldom: [
      ...[pruneLiveEvents, keepFactDays, pruneActs, pruneJobs].map(
        (work): UpkeepWork =>
          ({ db }) =>
            work(db),
      ),
      pruneLog,
    ],
  },
} satisfies ServerFeature;
