import { useId, useRef, useState } from 'react';
import type { PointerEvent, ReactNode } from 'react';
import { classNames } from '../class-names.ts';
import { useUiWords } from '../ui-words.tsx';
import {
  arcPath,
  labelStep,
  labelWidth,
  namesBelowBars,
  placeLabel,
  roundTicks,
  shortLabel,
  smoothPath,
} from './chart-scale.ts';
import { chartColor, chartDash } from './chart-series.ts';
import type { ChartPart, ChartPoint, ChartSeries } from './chart-series.ts';
import { SeriesMark, SeriesPattern } from './series-mark.tsx';
import { useChartSize } from './use-chart-size.ts';

interface DrawingProps {
  series: readonly ChartSeries[];
  points: readonly ChartPoint[];
  format?: ((value: number) => string) | undefined;
  /** The point that was reached by keyboard. */
  walked?: number | undefined;
}

type Kind = 'line' | 'area' | 'bar';

const margin = { top: 8, right: 12, bottom: 28, left: 56 };
const BAR_GAP = 2;
const WIDEST_BAR = 36;

export const LineDrawing = (props: DrawingProps) => <Plot {...props} kind="line" />;
export const AreaDrawing = (props: DrawingProps) => <Plot {...props} kind="area" />;
export const BarDrawing = (props: DrawingProps) => <Plot {...props} kind="bar" />;

/** The labels below the places, and every how many of them is drawn. Only what has names of its own is shortened to the room of a bar. */
function labelsBelow(
  kind: Kind,
  points: readonly ChartPoint[],
  { width, band }: { width: number; band: number },
) {
  const names = points.map(({ label, name = label }) => name);
  if (kind === 'bar' && points.some(({ name }) => name !== undefined)) return namesBelowBars(names, band);
  const labels = points.map(({ label }) => (kind === 'bar' ? shortLabel(label) : label));
  return { labels, every: labelStep(labels, width) };
}

/** Axes, the figures of each series and, under the pointer, the figures of one place in words. */
function Plot({ series, points, format, walked, kind }: DrawingProps & { kind: Kind }) {
  const words = useUiWords();
  const show = format ?? words.number;
  const frame = useRef<HTMLDivElement>(null);
  const { width, height } = useChartSize(frame);
  const [underPointer, setUnderPointer] = useState<number>();
  const pointed = underPointer ?? walked;
  const right = width - margin.right;
  const bottom = height - margin.bottom;
  const ticks = roundTicks(
    points.reduce((most, { values }) => Math.max(most, ...series.map(({ key }) => values[key] ?? 0)), 0),
    format === undefined,
  );
  const top = ticks.at(-1) ?? 1;
  const y = (value: number) => bottom - (value / top) * (bottom - margin.top);
  const band = (right - margin.left) / Math.max(kind === 'bar' ? points.length : points.length - 1, 1);
  // One place makes no line: it stands in the middle, as a dot.
  const isDot = kind !== 'bar' && points.length === 1;
  const x = (index: number) => margin.left + band * (kind === 'bar' || isDot ? index + 0.5 : index);
  const { labels, every } = labelsBelow(kind, points, { width: right - margin.left, band });
  // A label at the right edge ends there, and comes closer to the one before it.
  const hasRoomAtTheEnd = every * band >= 1.5 * labelWidth(labels);
  const places = (key: string) =>
    points.map(({ values }, index) => ({ x: x(index), y: y(values[key] ?? 0) }));

  function followPointer(event: PointerEvent<SVGSVGElement>) {
    const offset = event.clientX - event.currentTarget.getBoundingClientRect().left - margin.left;
    const index = kind === 'bar' ? Math.floor(offset / band) : Math.round(offset / band);
    setUnderPointer(Math.min(Math.max(index, 0), points.length - 1));
  }

  const point = pointed === undefined ? undefined : points[pointed];
  return (
    <div ref={frame} className="relative h-full w-full">
      <svg
        width={width}
        height={height}
        viewBox={`0 0 ${width} ${height}`}
        className="block"
        onPointerMove={followPointer}
        onPointerLeave={() => setUnderPointer(undefined)}
      >
        {ticks.map((tick) => (
          <g key={tick}>
            <line x1={margin.left} x2={right} y1={y(tick)} y2={y(tick)} stroke="var(--border)" />
            <AxisText x={margin.left - 10} y={y(tick) + 4} anchor="end">
              {show(tick)}
            </AxisText>
          </g>
        ))}
        {labels.map((label, index) => {
          if (index % every !== 0) return null;
          const place = placeLabel(label, { x: x(index), isFirst: index === 0, right, width });
          return place.anchor === 'end' && !hasRoomAtTheEnd ? null : (
            <AxisText key={`${index}${label}`} {...place} y={height - 8}>
              {label}
            </AxisText>
          );
        })}
        {pointed !== undefined && point ? (
          <rect
            x={kind === 'bar' ? x(pointed) - band / 2 : x(pointed) - 0.5}
            width={kind === 'bar' ? band : 1}
            y={margin.top}
            height={Math.max(bottom - margin.top, 0)}
            fill={kind === 'bar' ? 'var(--hover)' : 'var(--muted)'}
            fillOpacity={kind === 'bar' ? 1 : 0.5}
          />
        ) : null}
        {series.map((one, index) =>
          kind === 'bar' ? (
            <Bars
              key={one.key}
              places={places(one.key)}
              color={one.color}
              bottom={bottom}
              band={band}
              index={index}
              count={series.length}
            />
          ) : (
            <g key={one.key}>
              {kind === 'area' && !isDot ? (
                <path
                  d={`${smoothPath(places(one.key))}V${bottom}H${margin.left}Z`}
                  fill={chartColor(one.color)}
                  fillOpacity={0.14}
                />
              ) : null}
              <path
                d={smoothPath(places(one.key))}
                fill="none"
                stroke={chartColor(one.color)}
                strokeWidth={2}
                strokeDasharray={chartDash(one.color)}
              />
              {isDot || (pointed !== undefined && point) ? (
                <circle
                  cx={x(pointed ?? 0)}
                  cy={y(points[pointed ?? 0]?.values[one.key] ?? 0)}
                  r={4}
                  fill={chartColor(one.color)}
                  stroke="var(--raised)"
                />
              ) : null}
            </g>
          ),
        )}
      </svg>
      {pointed !== undefined && point ? (
        <PointedFigures
          point={point}
          series={series}
          show={show}
          x={x(pointed)}
          width={width}
          hasLines={kind !== 'bar'}
        />
      ) : null}
    </div>
  );
}

function AxisText({
  x,
  y,
  anchor,
  children,
}: {
  x: number;
  y: number;
  anchor: 'middle' | 'end';
  children: ReactNode;
}) {
  return (
    <text x={x} y={y} textAnchor={anchor} fontSize={12} fill="var(--muted)">
      {children}
    </text>
  );
}

function Bars({
  places,
  color,
  bottom,
  band,
  index,
  count,
}: {
  places: readonly { x: number; y: number }[];
  color: ChartSeries['color'];
  bottom: number;
  band: number;
  index: number;
  count: number;
}) {
  const id = useId();
  const width = Math.max(Math.min((band * 0.8) / count - BAR_GAP, WIDEST_BAR), 1);
  const offset = (index - count / 2) * (width + BAR_GAP) + BAR_GAP / 2;
  return (
    <>
      <SeriesPattern id={id} color={color} />
      {places.map(({ x, y }) => (
        <rect
          key={x}
          x={x + offset}
          y={y}
          width={width}
          height={Math.max(bottom - y, 0)}
          rx={Math.min(3, width / 2)}
          fill={`url(#${id})`}
        />
      ))}
    </>
  );
}

function PointedFigures({
  point,
  series,
  show,
  x,
  width,
  hasLines,
}: {
  point: ChartPoint;
  series: readonly ChartSeries[];
  show: (value: number) => string;
  x: number;
  width: number;
  hasLines: boolean;
}) {
  // Beside the pointer, on the side that has room.
  const side = x > width / 2 ? { right: width - x + 12 } : { left: x + 12 };
  return (
    <div
      className="pointer-events-none absolute top-3 min-w-32 rounded-card border border-border bg-raised px-3 py-2 text-sm shadow-raised"
      style={side}
    >
      <p className="text-muted">{point.label}</p>
      {series.map((one) => (
        <p key={one.key} className="flex items-center gap-2">
          <SeriesMark color={one.color} isLine={hasLines} />
          <span className="flex-1">{one.label}</span>
          <span className="pl-3 font-medium tabular-nums">{show(point.values[one.key] ?? 0)}</span>
        </p>
      ))}
    </div>
  );
}

const RING = { radius: 40, width: 15, reached: 19, gap: 0.006 } as const;

/** A ring of shares; names and figures stand beside it. */
export function PieDrawing({
  parts,
  format,
  walked,
}: {
  parts: readonly ChartPart[];
  format?: ((value: number) => string) | undefined;
  /** The part that was reached by keyboard. */
  walked?: number | undefined;
}) {
  const words = useUiWords();
  const show = format ?? words.number;
  const id = useId();
  const total = parts.reduce((sum, part) => sum + part.value, 0);
  const shown = parts.filter(({ value }) => value > 0);
  // A whole ring has no neighbour to keep away from.
  const gap = shown.length > 1 ? RING.gap : 0;
  return (
    <div className="flex h-full items-center gap-4 max-sm:flex-col">
      <div className="relative h-full min-h-0 min-w-0 flex-1 max-sm:w-full">
        <svg viewBox="0 0 100 100" width="100%" height="100%">
          {shown.map(({ label, color }, index) => (
            <SeriesPattern key={label} id={`${id}${index}`} color={color} />
          ))}
          {shown.map((part, index) => {
            const before = shown.slice(0, index).reduce((sum, { value }) => sum + value, 0) / total;
            // An arc that ends where it begins would not be drawn at all.
            const end = Math.min((before * total + part.value) / total, before + 0.9999);
            const from = before + gap;
            return (
              <path
                key={`${id}${part.label}`}
                d={arcPath(from, Math.max(end - gap, from + 0.002), RING.radius)}
                fill="none"
                stroke={`url(#${id}${index})`}
                strokeWidth={part === parts[walked ?? -1] ? RING.reached : RING.width}
              >
                <title>{`${part.label}: ${show(part.value)}`}</title>
              </path>
            );
          })}
          {/* Part of the picture: it grows and shrinks with the ring, and is in the file of it. */}
          <text
            x={50}
            y={50}
            textAnchor="middle"
            dominantBaseline="central"
            fontSize={Math.min(15, 88 / show(total).length)}
            fontWeight={600}
            fill="var(--text)"
          >
            {show(total)}
          </text>
        </svg>
      </div>
      <ul className="flex shrink-0 flex-col gap-2">
        {parts.map((part, index) => (
          <li
            key={part.label}
            className={classNames(
              'flex items-center gap-2 rounded-md text-sm',
              index === walked && 'bg-hover',
            )}
          >
            <SeriesMark color={part.color} />
            <span className="flex-1 pr-3 text-muted">{part.label}</span>
            <span className="font-medium tabular-nums">{show(part.value)}</span>
          </li>
        ))}
      </ul>
    </div>
  );
}
