import { Panel } from '../../ui/page-frame.tsx';
import { Skeleton, SkeletonRegion } from '../../ui/states.tsx';

/** As high as a panel with so many rows, until it is there: nothing below it moves then. */
export function PanelPlace({
  title,
  rows,
  rowClass = 'h-16',
}: {
  title: string;
  rows: number;
  rowClass?: string;
}) {
  return (
    <Panel title={title} flush>
      <SkeletonRegion className="divide-y divide-border px-5 pb-1">
        {Array.from({ length: rows }, (_, row) => (
          <div key={row} className={`flex items-center ${rowClass}`}>
            <Skeleton className="w-full" />
          </div>
        ))}
      </SkeletonRegion>
    </Panel>
  );
}
