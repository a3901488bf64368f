import { useUiWords } from '../ui-words.tsx';
import { AreaDrawing, BarDrawing, LineDrawing, PieDrawing } from './chart-drawings.tsx';
import { ChartFrame } from './chart-frame.tsx';
import type { ChartFrameProps } from './chart-frame.tsx';
import type { ChartPart, ChartPoint } from './chart-series.ts';

export type ChartProps = Omit<ChartFrameProps, 'children'>;

export function LineChart(props: ChartProps) {
  return (
    <ChartFrame {...props} hasLines>
      {(series) => <LineDrawing series={series} points={props.points ?? []} format={props.format} />}
    </ChartFrame>
  );
}

export function AreaChart(props: ChartProps) {
  return (
    <ChartFrame {...props} hasLines>
      {(series) => <AreaDrawing series={series} points={props.points ?? []} format={props.format} />}
    </ChartFrame>
  );
}

/** `drawn`: those of the points that have a bar, where there are too many for all; the table and the file have each. */
export function BarChart({ drawn, ...props }: ChartProps & { drawn?: readonly ChartPoint[] | undefined }) {
  return (
    <ChartFrame {...props}>
      {(series) => <BarDrawing series={series} points={drawn ?? props.points ?? []} format={props.format} />}
    </ChartFrame>
  );
}

export interface PieChartProps extends Omit<ChartProps, 'points' | 'series'> {
  /** The column of figures in the table: Campaigns. */
  valueHeader: string;
  /** Undefined while they load. */
  parts: readonly ChartPart[] | undefined;
}

/** Shares of a whole as a ring; names and figures stand beside it. */
export function PieChart({ parts, valueHeader, ...props }: PieChartProps) {
  const words = useUiWords();
  const format = props.format ?? words.number;
  return (
    <ChartFrame
      {...props}
      isRing
      series={[{ key: 'value', label: valueHeader, color: 1 }]}
      legend={parts?.map(({ label, value, color }) => ({
        key: label,
        label: `${label}: ${format(value)}`,
        color,
      }))}
      points={parts?.map((part) => ({ label: part.label, values: { value: part.value } }))}
    >
      {() => <PieDrawing parts={parts ?? []} format={props.format} />}
    </ChartFrame>
  );
}
