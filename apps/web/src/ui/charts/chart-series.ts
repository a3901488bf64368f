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

/** The figures as RFC 4180 text with a header row; values that a spreadsheet would run as formulas are quoted. */
export function chartCsv(
  labelHeader: string,
  series: readonly ChartSeries[],
  points: readonly ChartPoint[],
): string {
  const rows = [
    [labelHeader, ...series.map((one) => one.label)],
    ...points.map((point) => [point.label, ...series.map((one) => String(point.values[one.key] ?? ''))]),
  ];
  return rows.map((row) => row.map(csvCell).join(',')).join('\r\n') + '\r\n';
}

function csvCell(text: string): string {
  const isNumber = /^-?\d+(\.\d+)?$/.test(text);
  const safe = !isNumber && /^[=+\-@\t\r]/.test(text) ? `'${text}` : text;
  return /[",\r\n]/.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe;
}
