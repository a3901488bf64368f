import { beforeAll, expect, test } from 'vitest';
import type { Reports } from '../../src/features/analytics/analytics-queries.ts';
import { CampaignComparison, measureOf } from '../../src/features/analytics/results/campaign-comparison.tsx';
import { loadMessages } from '../../src/shared/messages.ts';
import { eventually, find, show, shownText } from '../screen.tsx';

beforeAll(() => loadMessages('analytics'));

/** Campaigns in the order of the server: those that sent most first, and the last one read best. */
function resultsOf(count: number) {
  const items = Array.from({ length: count }, (_, at) => ({
    ...{ id: String(at), name: `Campaign ${at + 1}`, isDeleted: false },
    ...{ sent: 2_000 - at, delivered: 1_000, read: at, failed: 0, replied: 0, clicked: 0, converted: 0 },
    ...{ refused: 0, optOuts: 0, cost: 0, revenue: 0 },
  }));
  return { items, total: count, currency: 'EUR' } as unknown as Reports['getResults'];
}

const bars = () => document.querySelectorAll('[data-drawing] svg > rect');
const rows = async () => [
  ...(await find('table', /Which campaign worked best/)).querySelectorAll('tbody tr'),
];

test('of many campaigns the largest are drawn, and the table has each, the best first', async () => {
  show(<CampaignComparison results={resultsOf(400)} />);
  expect(await rows()).toHaveLength(400);
  expect((await rows())[0]?.textContent).toContain('Campaign 400');
  expect(bars()).toHaveLength(20);
  expect(shownText()).toContain('Bars show the 20 campaigns that sent most; 380 more are in the table.');
});

test('of few each has its bar, and nothing is said of others', async () => {
  show(<CampaignComparison results={resultsOf(20)} />);
  await eventually(async () => expect(await rows()).toHaveLength(20));
  expect(bars()).toHaveLength(20);
  expect(shownText()).not.toContain('in the table');
});

test('deleted campaigns with long names are told apart below their bars, and the table says that they are deleted', async () => {
  const { items, ...results } = resultsOf(2);
  const names = ['Offers of the spring for Germany', 'Offers of the spring for France'];
  const deleted = items.map((one, at) => ({ ...one, name: names[at] ?? '', isDeleted: true }));
  show(<CampaignComparison results={{ ...results, items: deleted }} />);
  await eventually(async () => expect(await rows()).toHaveLength(2));
  const below = [...document.querySelectorAll('[data-drawing] svg text')].map(
    ({ textContent }) => textContent,
  );
  expect(below).toEqual(expect.arrayContaining(['Offers of…r Germany', 'Offers of…or France']));
  expect((await rows()).map((row) => row.textContent).join()).toContain('for Germany (deleted)');
});

test('delivered and failed are parts of what was tried: sent, and refused by the platform', () => {
  const [one] = resultsOf(1).items;
  const tried = { ...one!, sent: 90, refused: 10, delivered: 80, failed: 15 };
  expect([measureOf(tried, 'delivered'), measureOf(tried, 'failed')]).toEqual([80, 15]);
});
