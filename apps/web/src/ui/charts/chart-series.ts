/** The first six are those of outcomes (`outcome-colors.ts`), the others those of states (`campaign-status-look.ts`). */
export type ChartColor = 1 | 2 | 3 | 4 | 5 | 6 | 7 | 8 | 9 | 10 | 11 | 12;

export interface ChartSeries {
  /** The figure's name in each point. */
  key: string;
  label: string;
  color: ChartColor;
}

/** One place on the axis: its label and a figure per series. */
export interface ChartPoint {
  label: string;
  /** What stands below its bar, where the label says more than there is room for. */
  name?: string | undefined;
  values: Record<string, number>;
}

export interface ChartPart {
  label: string;
  value: number;
  color: ChartColor;
}

export function chartColor(color: ChartColor): string {
  return `var(--chart-${color})`;
}

/** Side of the square that a pattern repeats, in pixels. */
export const TILE = 6;

/** Series are told apart without colour, too: lines by their dashes, surfaces by what is drawn across each square of them. Both sets of colours have the same six. */
const marks: readonly { dash?: string; pattern?: string }[] = [
  {},
  { dash: '6 3', pattern: 'M-1,1L1,-1M0,6L6,0M5,7L7,5' },
  { dash: '2 3', pattern: 'M3,1.8V4.2M1.8,3H4.2' },
  { dash: '8 3 2 3', pattern: 'M-1,5L1,7M0,0L6,6M5,-1L7,1' },
  { dash: '1 2', pattern: 'M3,0V6' },
  { dash: '10 4', pattern: 'M3,0V6M0,3H6' },
];

export function chartDash(color: ChartColor): string | undefined {
  return marks[(color - 1) % marks.length]?.dash;
}

/** Undefined for a plain surface. */
export function chartPattern(color: ChartColor): string | undefined {
  return marks[(color - 1) % marks.length]?.pattern;
}
