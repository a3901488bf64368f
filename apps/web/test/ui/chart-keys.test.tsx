import { expect, test } from 'vitest';
import { BarChart, LineChart, PieChart } from '../../src/ui/charts/charts.tsx';
import { eventually, find, show } from '../screen.tsx';

const series = [
  { key: 'sent', label: 'Sent', color: 1 },
  { key: 'read', label: 'Read', color: 2 },
] as const;
const points = ['Mon', 'Tue', 'Wed'].map((label, at) => ({ label, values: { sent: 1_000 + at, read: at } }));
const words = { title: 'Volume', unit: 'Messages', labelHeader: 'Day' };

const said = () => document.querySelector('[role=application] [aria-live]')?.textContent;
async function press(key: string, name = /^Volume/): Promise<void> {
  const chart = await find('application', name);
  chart.focus();
  chart.dispatchEvent(new KeyboardEvent('keydown', { key, bubbles: true, cancelable: true }));
}

test('arrow keys, Home and End walk the points of a chart, and each is said', async () => {
  show(<LineChart {...words} series={series} points={points} />);
  for (const [key, expected] of [
    ['ArrowRight', 'Mon: Sent 1,000, Read 0'],
    ['ArrowRight', 'Tue: Sent 1,001, Read 1'],
    ['End', 'Wed: Sent 1,002, Read 2'],
    ['ArrowRight', 'Wed: Sent 1,002, Read 2'],
    ['ArrowLeft', 'Tue: Sent 1,001, Read 1'],
    ['Home', 'Mon: Sent 1,000, Read 0'],
    ['ArrowLeft', 'Mon: Sent 1,000, Read 0'],
  ] as const) {
    await press(key);
    await eventually(() => expect([key, said()]).toEqual([key, expected]));
  }
  // The point is marked as it is under the pointer, and no longer when the focus is elsewhere.
  expect(document.querySelectorAll('[data-drawing] circle')).toHaveLength(2);
  (await find('application', /^Volume/)).blur();
  await eventually(() => expect(said()).toBe(''));
});

test('of many points those are walked that are drawn; a ring is walked too, an empty chart is not', async () => {
  const draw = show(<BarChart {...words} series={series} points={points} drawn={points.slice(0, 2)} />);
  await press('End');
  await eventually(() => expect(said()).toBe('Tue: Sent 1,001, Read 1'));
  draw(
    <PieChart
      {...words}
      title="Statuses"
      valueHeader="Messages"
      parts={[
        { label: 'Read', value: 3, color: 1 },
        { label: 'Failed', value: 1, color: 2 },
      ]}
    />,
  );
  await press('ArrowLeft', /^Statuses/);
  await eventually(() => expect(said()).toBe('Failed: Messages 1'));
  draw(<LineChart {...words} series={series} points={[{ label: 'Mon', values: { sent: 0 } }]} />);
  await eventually(() => expect(document.querySelector('[role=application]')).toBeNull());
});
