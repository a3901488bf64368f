import { classNames } from './class-names.ts';
import type { ChartColor } from './charts/chart-series.ts';
import { SeriesFill, SeriesMark } from './charts/series-mark.tsx';
import { useUiWords } from './ui-words.tsx';

export interface ProgressProps {
  label: string;
  done: number;
  total: number;
  /** Seconds until the end at the present rate; left out while unknown. */
  secondsLeft?: number | undefined;
  tone?: 'primary' | 'danger' | undefined;
  hideLabel?: boolean | undefined;
  /** For shares of something that the caller tells in its own words. */
  hideCounts?: boolean | undefined;
}

/** A bar with counts and, when known, how long it still takes. */
export function Progress({
  label,
  done,
  total,
  secondsLeft,
  tone = 'primary',
  hideLabel,
  hideCounts,
}: ProgressProps) {
  const words = useUiWords();
  const share = total === 0 ? 0 : Math.min(1, done / total);
  const counts = words.doneOf(words.number(done), words.number(total));
  return (
    <div className="min-w-0">
      <div className="mb-1.5 flex flex-wrap items-baseline justify-between gap-x-3 text-sm">
        <span className={hideLabel ? 'sr-only' : 'font-medium'}>{label}</span>
        <span className="text-muted tabular-nums">
          {[
            hideCounts ? '' : counts,
            secondsLeft === undefined ? '' : words.finishIn(words.duration(secondsLeft)),
          ]
            .filter(Boolean)
            .join(' · ')}
        </span>
      </div>
      <div
        role="progressbar"
        aria-label={label}
        aria-valuemin={0}
        aria-valuemax={total}
        aria-valuenow={Math.min(done, total)}
        aria-valuetext={counts}
        className="h-2 overflow-hidden rounded-full bg-sunken"
      >
        <div
          className={classNames(
            'h-full origin-left rounded-full transition-transform duration-200',
            tone === 'danger' ? 'bg-danger' : 'bg-primary',
          )}
          style={{ transform: `scaleX(${share})` }}
        />
      </div>
    </div>
  );
}

export interface ProgressPart {
  label: string;
  value: number;
  color: ChartColor;
}

/** One bar split by outcome (sent, delivered, read, failed…) with its legend of counts. */
export function ProgressParts({
  label,
  parts,
  total,
  legend = parts,
}: {
  label: string;
  parts: readonly ProgressPart[];
  total: number;
  /** Without those that the caller marks where it tells of them. */
  legend?: readonly ProgressPart[] | undefined;
}) {
  const words = useUiWords();
  return (
    <div className="min-w-0">
      <div
        role="img"
        aria-label={`${label}: ${parts.map((part) => `${part.label} ${words.number(part.value)}`).join(', ')}`}
        className="flex h-2 gap-px overflow-hidden rounded-full bg-sunken"
      >
        {parts.map((part) => (
          <span
            key={part.label}
            className="h-full transition-[width] duration-200"
            style={{ width: total === 0 ? 0 : `${(part.value / total) * 100}%` }}
          >
            <SeriesFill color={part.color} />
          </span>
        ))}
      </div>
      <ul aria-hidden className="mt-2 flex empty:hidden flex-wrap gap-x-4 gap-y-1 text-sm text-muted">
        {legend.map((part) => (
          <li key={part.label} className="flex items-center gap-1.5">
            <SeriesMark color={part.color} />
            {part.label}
            <span className="font-medium text-text tabular-nums">{words.number(part.value)}</span>
          </li>
        ))}
      </ul>
    </div>
  );
}
