import { classNames } from '../class-names.ts';
import { Panel } from '../page-frame.tsx';
import { Skeleton, SkeletonRegion } from '../states.tsx';
import { RING_HEIGHT } from './ring-height.ts';

/** Where a chart will stand: its words, and as much room as it takes, until what draws it is there. */
export function ChartPlace({
  title,
  unit,
  isRing = false,
  hasLegend = false,
  className,
}: {
  title: string;
  unit: string;
  isRing?: boolean;
  hasLegend?: boolean;
  className?: string | undefined;
}) {
  return (
    <Panel
      title={title}
      purpose={unit}
      className={className}
      actions={<span aria-hidden className="size-7" />}
    >
      <SkeletonRegion>
        <Skeleton className={classNames('w-full', isRing ? RING_HEIGHT : 'h-64')} />
      </SkeletonRegion>
      {hasLegend ? <div aria-hidden className="mt-3 h-7" /> : null}
    </Panel>
  );
}
