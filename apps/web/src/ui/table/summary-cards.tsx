import { ArrowDownRight, ArrowRight, ArrowUpRight } from 'lucide-react';
import type { ReactNode } from 'react';
import { classNames } from '../class-names.ts';
import { Skeleton } from '../states.tsx';
import { useUiWords } from '../ui-words.tsx';

/** The row of figures under a page's title. */
export function SummaryCards({
  children,
  label,
  low,
}: {
  children: ReactNode;
  label?: string | undefined;
  /** On small screens they are as low as a line, so that the list below is in sight: in so many lines, of which words decide. */
  low?: 'one-line' | 'two-lines' | undefined;
}) {
  return (
    <dl
      aria-label={label}
      className={classNames(
        'sm:grid sm:auto-cols-fr sm:grid-flow-col sm:grid-cols-none sm:gap-3 lg:gap-4',
        low
          ? classNames(
              'flex flex-wrap gap-1.5 max-sm:[&>div]:flex-auto max-sm:[&>div]:px-2 max-sm:[&>div]:py-1 max-sm:[&_dd]:text-base max-sm:[&_dd]:leading-5 max-sm:[&_dt]:text-xs',
              // A long word makes its card wider, and is never cut.
              low === 'one-line'
                ? 'max-sm:[&>div]:min-w-max'
                : 'max-sm:[&:has(>:nth-child(5))>div]:basis-24 max-sm:[&>div]:basis-[40%]',
            )
          : 'grid grid-cols-2 gap-3 max-sm:[&>:last-child:nth-child(odd)]:col-span-2',
      )}
    >
      {children}
    </dl>
  );
}

export interface SummaryCardProps {
  label: string;
  /** Undefined while it loads: a skeleton then stands in its place. A number is written as the language does. */
  value: ReactNode | undefined;
  icon?: ReactNode;
  /** A `StatDelta` or a short remark. */
  note?: ReactNode;
}

export function SummaryCard({ label, value, icon, note }: SummaryCardProps) {
  const words = useUiWords();
  return (
    <div className="flex min-w-0 flex-col rounded-card border border-border bg-raised px-3.5 py-2.5 sm:px-4 sm:py-3.5">
      {/* A narrow card, as on paper, has room for its words alone. */}
      <dt className="flex items-center justify-between gap-2 text-sm text-muted sm:@container">
        <span className="min-w-0 leading-5 text-pretty">{label}</span>
        {icon ? (
          <span aria-hidden className="hidden text-muted sm:@min-[8rem]:block [&_svg]:size-4">
            {icon}
          </span>
        ) : null}
      </dt>
      <dd className="text-2xl leading-8 sm:mt-1 font-semibold tracking-tight tabular-nums">
        {value === undefined ? (
          <Skeleton className="my-1 h-6 w-20" />
        ) : typeof value === 'number' ? (
          words.number(value)
        ) : (
          value
        )}
      </dd>
      {note ? <dd className="mt-0.5 text-sm text-muted">{note}</dd> : null}
    </div>
  );
}

/** A change against before; `better` says whether up is good. The arrow and the sign tell it without colour. */
export function StatDelta({
  change,
  text,
  label,
  better = 'up',
}: {
  /** The change itself; only its sign counts here. */
  change: number;
  /** The change in words of the locale, such as +12.5%. */
  text: string;
  label: ReactNode;
  better?: 'up' | 'down' | undefined;
}) {
  const good = change === 0 ? undefined : change > 0 === (better === 'up');
  const Arrow = change === 0 ? ArrowRight : change > 0 ? ArrowUpRight : ArrowDownRight;
  return (
    <span className="flex flex-wrap items-center gap-x-1.5">
      <span
        className={classNames(
          'inline-flex items-center gap-0.5 font-medium tabular-nums',
          good === true && 'text-success',
          good === false && 'text-danger',
        )}
      >
        <Arrow aria-hidden className="size-3.5" />
        {text}
      </span>
      <span>{label}</span>
    </span>
  );
}
