import { QueryClientProvider } from '@tanstack/react-query';
import { afterEach, beforeAll, beforeEach, expect, test, vi } from 'vitest';
import { PreflightPanel } from '../../src/features/sending/preflight-panel.tsx';
import { loadMessages } from '../../src/shared/messages.ts';
import { queryClient } from '../../src/shared/query-client.ts';
import { eventually, find, show, shownText } from '../screen.tsx';

beforeAll(() => loadMessages('sending'));
beforeEach(() => vi.stubGlobal('fetch', () => new Promise(() => undefined)));
afterEach(() => {
  vi.unstubAllGlobals();
  queryClient.clear();
});

const nobody = {
  ...{ blocked: 0, optedOut: 0, withoutNumber: 0, windowClosed: 0, held: 0, promotionsCapped: 0, doubled: 0 },
};
const preflight = {
  ...{ ...nobody, chosen: 200, receiving: 200, estimatedCost: 10, priceCurrency: 'USD', budgetLeft: 9 },
  ...{ obstacle: null, templateObstacle: null, deletedSegmentIds: [], languages: null, valueProblems: [] },
  ...{ estimatedSeconds: 3, finishesAt: '2026-11-28T10:00:00Z', messagesPerSecond: 80, number: null },
};

async function open(holdoutPercent?: number): Promise<void> {
  const query = { data: preflight, isError: false, isFetching: false } as never;
  show(
    <QueryClientProvider client={queryClient}>
      <PreflightPanel query={query} holdoutPercent={holdoutPercent} />
    </QueryClientProvider>,
  );
  await eventually(() => expect(shownText()).toContain('people will get this message'));
}

test('contacts in the holdout group get nothing and cost nothing', async () => {
  await open(15);
  expect(shownText()).toContain('170 people will get this message');
  expect((await find('list', 'Left out')).textContent).toBe(
    'About 30 belong to the holdout group and get nothing',
  );
  expect(shownText()).not.toContain('Nobody is left out');
  expect(shownText()).toContain('$8.50');
  expect(shownText()).not.toContain('does not fit the budget');
});

test('without a holdout group nobody is left out', async () => {
  await open();
  expect(shownText()).toContain('200 people will get this message');
  expect(shownText()).toContain('Nobody is left out');
  expect(shownText()).toContain('does not fit the budget');
});
