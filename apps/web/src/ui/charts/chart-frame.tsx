import { Ellipsis } from 'lucide-react';
import { useRef, useState } from 'react';
import type { KeyboardEvent, ReactNode } from 'react';
import { IconButton } from '../button.tsx';
import { classNames } from '../class-names.ts';
import { Menu } from '../overlays/menu.tsx';
import { Panel } from '../page-frame.tsx';
import { SkeletonRegion, Skeleton } from '../states.tsx';
import { useUiWords } from '../ui-words.tsx';
import type { ChartPoint, ChartSeries } from './chart-series.ts';
import { SeriesHead } from './series-head.tsx';
import { RING_HEIGHT } from './ring-height.ts';
import { SeriesMark } from './series-mark.tsx';

const loadFiles = () => import('./chart-files.ts');

export interface ChartFrameProps {
  /** The question that the chart answers. */
  title: string;
  /** What the figures count: messages, %. */
  unit: string;
  /** The header of the points' column in the table: Day. */
  labelHeader: string;
  series: readonly ChartSeries[];
  /** Undefined while they load. */
  points: readonly ChartPoint[] | undefined;
  format?: ((value: number) => string) | undefined;
  actions?: ReactNode;
  /** Makes the figures of the table, while it is shown, buttons; undefined for one that cannot be pressed. */
  onPress?: ((point: number, key: string) => (() => void) | undefined) | undefined;
  /** What the figures come to, in a line below them; '' keeps its place. */
  note?: string | undefined;
  /** The legend shows each line with its dash. */
  hasLines?: boolean | undefined;
  /** What stands in the legend of its picture; the series that are shown unless it is said. */
  legend?: readonly ChartSeries[] | undefined;
  isLow?: boolean | undefined;
  /** A ring needs less height than a curve, but on a phone its list stands below it. */
  isRing?: boolean | undefined;
  className?: string | undefined;
  /** Those of the points that are drawn, where there are too many for all. */
  drawn?: readonly ChartPoint[] | undefined;
  /** `walked`: the point that was reached by keyboard. */
  children: (shown: readonly ChartSeries[], walked: number | undefined) => ReactNode;
}

/** Title, unit, a legend that toggles, the same figures as a table, and CSV or PNG to keep. */
export function ChartFrame(props: ChartFrameProps) {
  const { title, unit, labelHeader, series, points, actions, className, children } = props;
  const words = useUiWords();
  const format = props.format ?? words.number;
  const [hidden, setHidden] = useState<readonly string[]>([]);
  const [asTable, setAsTable] = useState(false);
  const height = props.isRing ? RING_HEIGHT : props.isLow ? 'h-44' : 'h-64';
  const drawing = useRef<HTMLDivElement>(null);
  const shown = series.filter((one) => !hidden.includes(one.key));
  const empty = points?.every((point) => series.every((one) => (point.values[one.key] ?? 0) === 0)) === true;

  return (
    <Panel
      title={title}
      purpose={unit}
      className={className}
      actions={
        <>
          {actions}
          <ChartMenu
            asTable={asTable}
            onToggleTable={() => setAsTable(!asTable)}
            onCsv={async () => (await loadFiles()).saveCsv({ title, labelHeader, series, points })}
            onPng={async () =>
              (await loadFiles()).savePng(drawing.current, {
                ...{ title, unit, series: props.legend ?? shown, note: props.note },
                hasLines: props.hasLines === true,
              })
            }
          />
        </>
      }
    >
      {points === undefined ? (
        <SkeletonRegion>
          <Skeleton className={classNames('w-full', height)} />
        </SkeletonRegion>
      ) : asTable ? null : (
        <Walk title={title} points={props.drawn ?? points} series={shown} format={format} isEmpty={empty}>
          {(walked) => (
            <div ref={drawing} data-drawing aria-hidden className={classNames('relative min-w-0', height)}>
              {empty ? (
                <p className="grid h-full place-items-center text-muted">{words.noData}</p>
              ) : (
                children(shown, walked)
              )}
            </div>
          )}
        </Walk>
      )}
      {/* There before the figures are, so that nothing below moves when they come. */}
      {asTable || series.length < 2 ? null : (
        <Legend
          series={series}
          hidden={hidden}
          hasLines={props.hasLines === true}
          onToggle={(key) =>
            setHidden(hidden.includes(key) ? hidden.filter((one) => one !== key) : [...hidden, key])
          }
        />
      )}
      {props.note === undefined ? null : <p className="mt-3 min-h-5 font-medium">{props.note}</p>}
      {points === undefined ? null : (
        <div className={asTable ? 'overflow-x-auto' : 'sr-only'}>
          <table className="w-full text-left tabular-nums">
            <caption className="sr-only">{`${title} (${unit})`}</caption>
            <SeriesHead labelHeader={labelHeader} series={series} />
            <tbody>
              {points.map((point, index) => (
                <tr key={`${index}${point.label}`} className="border-t border-border">
                  <th scope="row" className="py-1.5 pr-4 font-normal">
                    {point.label}
                  </th>
                  {series.map((one) => (
                    <td key={one.key} className="px-2 py-1.5 text-right">
                      <Figure press={asTable ? props.onPress?.(index, one.key) : undefined}>
                        {format(point.values[one.key] ?? 0)}
                      </Figure>
                    </td>
                  ))}
                </tr>
              ))}
            </tbody>
          </table>
        </div>
      )}
    </Panel>
  );
}

/** What is drawn takes the focus: arrow keys, Home and End go from point to point, and each is said. */
function Walk({
  title,
  points,
  series,
  format,
  isEmpty,
  children,
}: {
  title: string;
  points: readonly ChartPoint[];
  series: readonly ChartSeries[];
  format: (value: number) => string;
  isEmpty: boolean;
  children: (walked: number | undefined) => ReactNode;
}) {
  const [at, setAt] = useState<number>();
  const last = points.length - 1;
  // A shorter period has fewer points.
  const walked = at === undefined || last < 0 ? undefined : Math.min(at, last);
  const point = walked === undefined ? undefined : points[walked];
  if (isEmpty) return children(undefined);

  function walk(event: KeyboardEvent) {
    const next = nextPoint(event.key, walked, last);
    if (next === undefined || event.altKey || event.ctrlKey || event.metaKey) return;
    event.preventDefault();
    setAt(next);
  }

  return (
    // oxlint-disable-next-line jsx-a11y/no-noninteractive-element-interactions -- arrow keys belong to what is drawn
    <div
      tabIndex={0}
      role="application"
      aria-label={title}
      aria-keyshortcuts="ArrowRight ArrowLeft Home End"
      className="rounded-md"
      onKeyDown={walk}
      onBlur={() => setAt(undefined)}
    >
      {children(walked)}
      <p aria-live="polite" className="sr-only">
        {point
          ? `${point.label}: ${series.map((one) => `${one.label} ${format(point.values[one.key] ?? 0)}`).join(', ')}`
          : ''}
      </p>
    </div>
  );
}

function nextPoint(key: string, from: number | undefined, last: number): number | undefined {
  switch (key) {
    case 'ArrowRight':
    case 'ArrowDown':
      return from === undefined ? 0 : Math.min(from + 1, last);
    case 'ArrowLeft':
    case 'ArrowUp':
      return from === undefined ? last : Math.max(from - 1, 0);
    case 'Home':
      return 0;
    case 'End':
      return last;
    default:
      return undefined;
  }
}

function Figure({ press, children }: { press: (() => void) | undefined; children: string }) {
  if (!press) return children;
  return (
    <button type="button" onClick={press} className="underline decoration-dotted underline-offset-4">
      {children}
    </button>
  );
}

function Legend({
  series,
  hidden,
  hasLines,
  onToggle,
}: {
  series: readonly ChartSeries[];
  hidden: readonly string[];
  hasLines: boolean;
  onToggle: (key: string) => void;
}) {
  return (
    <ul className="mt-3 flex flex-wrap gap-x-1 gap-y-1">
      {series.map((one) => {
        const on = !hidden.includes(one.key);
        return (
          <li key={one.key}>
            <button
              type="button"
              aria-pressed={on}
              onClick={() => onToggle(one.key)}
              className={classNames(
                'flex h-7 items-center gap-2 rounded-md px-2 text-sm hover:bg-hover',
                !on && 'text-muted line-through',
              )}
            >
              <SeriesMark color={one.color} isLine={hasLines} isOff={!on} />
              {one.label}
            </button>
          </li>
        );
      })}
    </ul>
  );
}

function ChartMenu({
  asTable,
  onToggleTable,
  onCsv,
  onPng,
}: {
  asTable: boolean;
  onToggleTable: () => void;
  onCsv: () => void;
  onPng: () => void;
}) {
  const words = useUiWords();
  return (
    <Menu
      trigger={
        <IconButton label={words.chartActions} size="small">
          <Ellipsis aria-hidden />
        </IconButton>
      }
      entries={[
        { label: asTable ? words.showChart : words.showTable, onSelect: onToggleTable },
        { label: words.downloadCsv, onSelect: onCsv },
        { label: words.downloadPng, onSelect: onPng, disabled: asTable },
      ]}
    />
  );
}
