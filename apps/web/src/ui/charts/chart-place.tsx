import { classNames } from '../class-names.ts';
import { Panel } from '../page-frame.tsx';
import { Skeleton, SkeletonRegion } from '../states.tsx';

/** Where a chart will stand: its words, and as much room as it takes, until what draws it is there. */
export function ChartPlace({
  title,
  unit,
  isLow = false,
  hasLegend = false,
  className,
}: {
  title: string;
  unit: string;
  isLow?: boolean;
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
        <Skeleton className={classNames('w-full', isLow ? 'h-44' : 'h-64')} />
      </SkeletonRegion>
      {hasLegend ? <div aria-hidden className="mt-3 h-7" /> : null}
    </Panel>
  );
}
