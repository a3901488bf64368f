import { QueryClientProvider } from '@tanstack/react-query';
import { createMemoryHistory, createRootRoute, createRouter, RouterProvider } from '@tanstack/react-router';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { countsOf, type CampaignDetails } from '../../src/features/campaigns/campaigns-queries.ts';
import { useCampaignReading } from '../../src/features/campaigns/use-campaign-reading.ts';
import { orpc } from '../../src/shared/api.ts';
import { queryClient } from '../../src/shared/query-client.ts';
import { eventually, show, shownText } from '../screen.tsx';

const CAMPAIGN = '0190a0e4-2b1c-7c55-9d5e-0a4b6f1c2d3a';
const counts = (total: number, failed: number) => ({
  ...{ total, pending: total - failed, sent: 0, delivered: 0, read: 0, failed, cancelled: 0, unknown: 0 },
});
const why = (count: number) => ({
  outcome: 'failed',
  errorCode: 131026,
  count,
  explanation: '',
  canSucceed: false,
});
let asked: { what: string; reasons: unknown }[] = [];
/** By now, as the server says. */
let failed = 1;
let total = 0;

beforeEach(() => {
  asked = [];
  failed = 1;
  vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval'] });
  vi.stubGlobal('fetch', async (request: Request) => {
    const what = /campaigns\/(\w+)/.exec(request.url)?.[1] ?? '';
    const { json } = await request.json();
    asked.push({ what, reasons: json.reasons });
    const figures = { status: 'running', counts: counts(total, failed) };
    if (what === 'countReasons') return Response.json({ json: { ...figures, reasons: [why(failed)] } });
    const reasons = json.reasons === 'yes' ? [why(failed)] : undefined;
    return Response.json({ json: { ...figures, items: [], nextCursor: null, reasons } });
  });
});
afterEach(() => {
  vi.unstubAllGlobals();
  vi.useRealTimers();
  queryClient.clear();
});

function Probe() {
  const campaign = {
    id: CAMPAIGN,
    status: 'running',
    startedAt: '2026-11-25T10:00:00Z',
    counts: counts(total, 0),
  };
  const { shown, reasons } = useCampaignReading(campaign as unknown as CampaignDetails);
  return (
    <p>
      {shown.counts.failed} failed, {reasons?.[0]?.count ?? 'no'} with a reason
    </p>
  );
}

function open(recipients: number): void {
  total = recipients;
  queryClient.setQueryData(orpc.auth.getSession.queryKey({ input: {} }), {
    permissions: ['contacts:read', 'campaigns:read'],
  } as never);
  const history = createMemoryHistory({ initialEntries: ['/'] });
  const router = createRouter({ routeTree: createRootRoute({ component: Probe }), history });
  show(
    <QueryClientProvider client={queryClient}>
      <RouterProvider router={router as never} />
    </QueryClientProvider>,
  );
}

test('figures, rows and reasons of a campaign come with one answer', async () => {
  open(20_000);
  await eventually(() => expect(shownText()).toContain('1 failed, 1 with a reason'));
  expect(asked).toEqual([{ what: 'listRecipients', reasons: 'yes' }]);
});

test('the reasons of a large one are asked for by themselves, and anew when they are of earlier figures', async () => {
  open(20_001);
  await eventually(() => expect(shownText()).toContain('1 failed, 1 with a reason'));
  expect(asked.map(({ what }) => what).toSorted()).toEqual(['countReasons', 'listRecipients']);
  expect(asked.every(({ reasons }) => reasons === undefined)).toBe(true);
  // Without other figures nobody looks through them again.
  vi.advanceTimersByTime(60_000);
  failed = 3;
  await queryClient.invalidateQueries({ queryKey: orpc.campaigns.listRecipients.key() });
  await eventually(() => expect(shownText()).toContain('3 failed, 1 with a reason'));
  expect(asked.filter(({ what }) => what === 'countReasons')).toHaveLength(1);
  vi.advanceTimersByTime(20_000);
  await eventually(() => expect(shownText()).toContain('3 failed, 3 with a reason'));
});

test('until the recipients of a large audience are frozen, all who were chosen are waiting', () => {
  const started = { audienceSize: 6_000, counts: counts(0, 0) } as unknown as CampaignDetails;
  expect(countsOf(started)).toMatchObject({ total: 6_000, pending: 6_000, sent: 0 });
  // Then those who may receive it count.
  const frozen = { audienceSize: 6_000, counts: counts(5_900, 4) } as unknown as CampaignDetails;
  expect(countsOf(frozen)).toMatchObject({ total: 5_900, pending: 5_896, failed: 4 });
});
