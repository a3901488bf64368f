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
