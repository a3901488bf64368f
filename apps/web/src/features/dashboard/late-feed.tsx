import { Suspense } from 'react';
import { loadMessages } from '../../shared/messages.ts';
import { lazyDetail } from '../../ui/load-file.ts';
import { Skeleton, SkeletonRegion } from '../../ui/states.tsx';
import { WhenNear } from './when-near.tsx';

const FEED_LENGTH = 10;
let isThere = false;

/** The feed with its words. */
export async function loadFeed() {
  const [{ ActivityFeed }] = await Promise.all([
    import('../../shared/activity/activity-feed.tsx'),
    loadMessages('activity', 'activity-facts'),
  ]);
  isThere = true;
  return ActivityFeed;
}

const Feed = lazyDetail(loadFeed);

/** What the team did. It stands below the first screen, so it comes after the page. */
export function LateFeed() {
  return (
    <WhenNear isThere={isThere} placeholder={<Placeholder />}>
      <Suspense fallback={<Placeholder />}>
        <Feed length={FEED_LENGTH} viewedPage="dashboard" />
      </Suspense>
    </WhenNear>
  );
}

function Placeholder() {
  return (
    <SkeletonRegion className="grid min-h-96 content-start gap-4 rounded-card border border-border bg-raised px-5 py-4">
      <Skeleton className="w-40" />
      {[1, 2, 3, 4].map((row) => (
        <Skeleton key={row} className="h-8" />
      ))}
    </SkeletonRegion>
  );
}
