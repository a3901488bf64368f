import { useId } from 'react';
import { classNames } from '../class-names.ts';
import { chartColor, chartDash, chartPattern, TILE, type ChartColor } from './chart-series.ts';

/** What a surface of this colour is filled with, for `url(#id)`. */
export function SeriesPattern({ id, color }: { id: string; color: ChartColor }) {
  const pattern = chartPattern(color);
  return (
    <pattern id={id} width={TILE} height={TILE} patternUnits="userSpaceOnUse">
      <rect width={TILE} height={TILE} fill={chartColor(color)} />
      {pattern ? <path d={pattern} fill="none" stroke="var(--raised)" strokeWidth={1.25} /> : null}
    </pattern>
  );
}

/** A surface of this colour, as large as the place it is in. */
export function SeriesFill({ color }: { color: ChartColor }) {
  const id = useId();
  return (
    <svg aria-hidden width="100%" height="100%" className="block">
      <SeriesPattern id={id} color={color} />
      <rect width="100%" height="100%" fill={`url(#${id})`} />
    </svg>
  );
}

/** What stands for a series in a legend: its surface, or a piece of its line. One that is switched off is empty. */
export function SeriesMark({
  color,
  isLine = false,
  isOff = false,
}: {
  color: ChartColor;
  isLine?: boolean | undefined;
  isOff?: boolean | undefined;
}) {
  if (isLine)
    return (
      <svg aria-hidden width={22} height={4} className={classNames('shrink-0', isOff && 'opacity-40')}>
        <line
          x2={22}
          y1={2}
          y2={2}
          strokeWidth={2}
          stroke={chartColor(color)}
          strokeDasharray={chartDash(color)}
        />
      </svg>
    );
  return (
    <span
      aria-hidden
      className={classNames('size-3 shrink-0 overflow-hidden rounded-[3px]', isOff && 'opacity-25')}
    >
      <SeriesFill color={color} />
    </span>
  );
}
