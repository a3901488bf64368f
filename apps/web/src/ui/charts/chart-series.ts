export interface ChartSeries {
  /** The figure's name in each point. */
  key: string;
  label: string;
  /** One of the six chart colours. */
  color: 1 | 2 | 3 | 4 | 5 | 6;
}

/** One place on the axis: its label and a figure per series. */
export interface ChartPoint {
  label: string;
  values: Record<string, number>;
}

export interface ChartPart {
  label: string;
  value: number;
  color: ChartSeries['color'];
}

export function chartColor(color: ChartSeries['color']): string {
  return `var(--chart-${color})`;
}

/** Lines are told apart without colour, too. */
export const chartDashes: Record<ChartSeries['color'], string | undefined> = {
  1: undefined,
  2: '6 3',
  3: '2 3',
  4: '8 3 2 3',
  5: '1 2',
  6: '10 4',
};
