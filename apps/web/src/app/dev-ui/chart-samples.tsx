import type { ChartPoint, ChartSeries } from '../../ui/charts/chart-series.ts';
import { AreaChart, BarChart, LineChart, PieChart } from '../../ui/charts/charts.tsx';

const series: ChartSeries[] = [
  { key: 'sent', label: 'Sent', color: 1 },
  { key: 'delivered', label: 'Delivered', color: 2 },
  { key: 'read', label: 'Read', color: 3 },
];
const points: ChartPoint[] = ['Mon', 'Tue', 'Wed', 'Thu', 'Fri', 'Sat', 'Sun'].map((label, index) => {
  const sent = 800 + ((index * 337) % 500);
  return { label, values: { sent, delivered: Math.round(sent * 0.9), read: Math.round(sent * 0.63) } };
});
const shared = { unit: 'messages', labelHeader: 'Day', series, points };

export function ChartSamples() {
  return (
    <div className="grid gap-4 lg:grid-cols-2">
      <LineChart {...shared} title="How many messages arrived this week?" />
      <AreaChart {...shared} title="How does volume develop?" />
      <BarChart {...shared} title="Which day works best?" />
      <PieChart
        title="Campaign Status"
        unit="campaigns"
        labelHeader="Status"
        valueHeader="Campaigns"
        parts={[
          { label: 'Completed', value: 12, color: 1 },
          { label: 'Running', value: 3, color: 2 },
          { label: 'Scheduled', value: 2, color: 3 },
          { label: 'Draft', value: 5, color: 5 },
        ]}
      />
      <LineChart {...shared} points={undefined} title="Still loading" />
      <BarChart
        {...shared}
        points={points.map(({ label }) => ({ label, values: {} }))}
        title="Nothing to show"
      />
    </div>
  );
}
