import type { ChartSeries } from './chart-series.ts';

/** What became of messages has one colour each, in every chart and bar; a chart gives each colour a dash of its own too. */
export const outcomeColors = {
  sent: 4,
  delivered: 2,
  read: 1,
  failed: 6,
  unknown: 3,
  cancelled: 5,
} as const satisfies Record<string, ChartSeries['color']>;
