import { formatNumber, formatRate } from '../../../shared/formats.ts';
import { t } from '../../../shared/messages.ts';
import { Skeleton, SkeletonRegion } from '../../../ui/states.tsx';

/** Each with its figure and its part of all. */
export function Shares({ rows }: { rows: readonly { label: string; n: number }[] | undefined }) {
  if (!rows) return <Waiting />;
  if (rows.length === 0) return <p className="py-4 text-muted">{t('chatbot.nothingYet')}</p>;
  const all = rows.reduce((sum, { n }) => sum + n, 0);
  return (
    <ul className="flex flex-col gap-2.5">
      {rows.map(({ label, n }) => (
        <li key={label}>
          <p className="flex justify-between gap-3">
            <span>{label}</span>
            <span className="text-muted tabular-nums">
              {formatNumber(n)} · {formatRate(n, all)}
            </span>
          </p>
          <div aria-hidden className="mt-1 h-2 overflow-hidden rounded-full bg-sunken">
            <div className="h-full rounded-full bg-primary" style={{ width: `${(n / all) * 100}%` }} />
          </div>
        </li>
      ))}
    </ul>
  );
}

export function Waiting() {
  return (
    <SkeletonRegion className="flex flex-col gap-3">
      <Skeleton className="w-3/4" />
      <Skeleton className="w-1/2" />
    </SkeletonRegion>
  );
}
