import { useUiWords } from '../ui-words.tsx';
import { AreaDrawing, BarDrawing, LineDrawing, PieDrawing } from './chart-drawings.tsx';
import { ChartFrame } from './chart-frame.tsx';
import type { ChartFrameProps } from './chart-frame.tsx';
import type { ChartPart } from './chart-series.ts';

export type ChartProps = Omit<ChartFrameProps, 'children'>;

export function LineChart(props: ChartProps) {
  return (
    <ChartFrame {...props} hasLines>
      {(series, walked) => (
        <LineDrawing series={series} points={props.points ?? []} format={props.format} walked={walked} />
      )}
    </ChartFrame>
  );
}

export function AreaChart(props: ChartProps) {
  return (
    <ChartFrame {...props} hasLines>
      {(series, walked) => (
        <AreaDrawing series={series} points={props.points ?? []} format={props.format} walked={walked} />
      )}
    </ChartFrame>
  );
}

/** With `drawn` only these have a bar; the table and the file have each. */
export function BarChart(props: ChartProps) {
  return (
    <ChartFrame {...props}>
      {(series, walked) => (
        <BarDrawing
          series={series}
          points={props.drawn ?? props.points ?? []}
          format={props.format}
          walked={walked}
        />
      )}
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
      {(_, walked) => <PieDrawing parts={parts ?? []} format={props.format} walked={walked} />}
    </ChartFrame>
  );
}
