import { beforeAll, expect, test } from 'vitest';
import type { Reports } from '../../src/features/analytics/analytics-queries.ts';
import { AbTestsTable } from '../../src/features/analytics/results/ab-tests-table.tsx';
import { loadMessages } from '../../src/shared/messages.ts';
import { find, show } from '../screen.tsx';

beforeAll(() => loadMessages('analytics'));

const variants = (winner?: number) =>
  [0, 1].map((at) => ({ base: 100, hits: 50 + at, interval: null, isWinner: at === winner }));
const abTest = (name: string, outcome: string, winner?: number) => ({
  ...{ campaignId: name, name, metric: 'read', outcome, endedAt: '2026-11-28T09:00:00.000Z' },
  variants: variants(winner),
});

test('a test names its winner, or why it has none', async () => {
  const abTests = [
    abTest('Spring', 'winner', 1),
    abTest('Summer', 'too_few'),
    abTest('Autumn', 'no_difference'),
  ];
  show(<AbTestsTable results={{ abTests } as unknown as Reports['getResults']} />);
  const table = await find('table', 'Which variant of each A/B test was better?');
  expect([...table.querySelectorAll('tbody th')].map((cell) => cell.textContent)).toEqual([
    'Spring – A (read)',
    'Spring – B (read), winner',
    ...['A', 'B'].map((letter) => `Summer – ${letter} (read), no winner: too few delivered`),
    ...['A', 'B'].map((letter) => `Autumn – ${letter} (read), no winner: the difference can be chance`),
  ]);
});
