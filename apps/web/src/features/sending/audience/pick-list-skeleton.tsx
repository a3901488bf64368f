import { classNames } from '../../../ui/class-names.ts';
import { Skeleton, SkeletonRegion } from '../../../ui/states.tsx';

export const listFrame = 'rounded-card border border-border bg-raised';

/** Stands until the contacts are there, and until the list that shows them is. */
export function PickListSkeleton({ compact }: { compact: boolean }) {
  return (
    <SkeletonRegion className={classNames(listFrame, 'overflow-hidden')}>
      {Array.from({ length: compact ? 5 : 8 }, (_, index) => (
        <span key={index} className="flex h-[52px] items-center gap-3 border-b border-border px-3">
          <Skeleton className="size-[18px]" />
          <Skeleton className="size-6 rounded-full" />
          <span className="flex-1">
            <Skeleton className="h-3.5 w-40" />
            <Skeleton className="mt-1.5 h-3 w-56" />
          </span>
        </span>
      ))}
    </SkeletonRegion>
  );
}
