import { useId, type ReactNode } from 'react';
import { classNames } from '../../ui/class-names.ts';

const fills = { fine: 'bg-primary', near: 'bg-warning', full: 'bg-danger' } as const;

/** How much of something is used, in words and as a bar. */
export function UseBar({
  label,
  hint,
  share,
  level,
}: {
  label: ReactNode;
  hint?: ReactNode;
  /** Null where there is no limit, and nothing to draw. */
  share: number | null;
  level: keyof typeof fills;
}) {
  const id = useId();
  const percent = share === null ? null : Math.round(Math.min(1, Math.max(0, share)) * 100);
  return (
    <div>
      <p id={id} className="font-medium tabular-nums">
        {label}
      </p>
      {percent === null ? null : (
        <div
          role="progressbar"
          aria-labelledby={id}
          aria-valuemin={0}
          aria-valuemax={100}
          aria-valuenow={percent}
          className="mt-1.5 h-2 overflow-hidden rounded-full bg-sunken"
        >
          <div className={classNames('h-full rounded-full', fills[level])} style={{ width: `${percent}%` }} />
        </div>
      )}
      {hint ? <p className="mt-1 text-sm text-muted">{hint}</p> : null}
    </div>
  );
}
