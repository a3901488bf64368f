import { useState } from 'react';
import { afterEach, beforeAll, beforeEach, expect, test, vi } from 'vitest';
import { AbTestPanel } from '../../src/features/campaigns/ab-test/ab-test-panel.tsx';
import { CampaignAbout } from '../../src/features/campaigns/campaign-about.tsx';
import type { CampaignDetails } from '../../src/features/campaigns/campaigns-queries.ts';
import { orpc } from '../../src/shared/api.ts';
import { loadMessages } from '../../src/shared/messages.ts';
import { queryClient } from '../../src/shared/query-client.ts';
import { showPage } from '../page.tsx';
import { eventually, find, press, shownText } from '../screen.tsx';

const ID = '0190a0e4-2b1c-7c55-9d5e-0a4b6f1c2d3a';
const figures = (recipients: number) => ({
  ...{ recipients, sent: recipients, delivered: recipients, read: 0, replied: 0, failed: 0 },
  ...{ base: recipients, hits: 0, interval: null },
});
const planned = {
  ...{ state: 'planned', plan: null, endsAt: null, verdict: null, chosen: null, waiting: 0 },
  ...{ variants: [], rest: null, holdout: null },
};
const testing = { ...planned, state: 'testing', variants: [figures(32), figures(31)] };
const variant = { message: { customMessage: 'B' }, share: 50, variables: {} };
const rule = {
  ...{ metric: 'read', expectedRate: 50, smallestDifference: 40, windowHours: 1, decides: 'automatic' },
  ...{ share: 50, holdoutPercent: 10, variants: [variant] },
};
const counts = {
  ...{ total: 0, pending: 0, sent: 0, delivered: 0 },
  read: 0,
  failed: 0,
  cancelled: 0,
  unknown: 0,
};
const draft = {
  ...{ id: ID, name: 'Spring', status: 'draft', startedAt: null, scheduledAt: null, completedAt: null },
  ...{
    counts,
    audienceSize: 130,
    plannedCost: 6.5,
    pricePerMessage: 0.05,
    priceCurrency: 'USD',
    abTest: rule,
  },
  ...{
    customMessage: 'A',
    template: null,
    content: null,
    createdAt: '2026-11-25T10:00:00Z',
    quietHours: null,
  },
  ...{
    segments: [],
    audience: { filter: {} },
    languages: null,
    channelId: null,
    bestTime: null,
    hours: null,
  },
} as unknown as CampaignDetails;
/** Of 130 contacts 13 are held out. */
const begun = {
  ...{ ...draft, status: 'running', startedAt: '2026-11-25T10:01:00Z', plannedCost: 5.85 },
  counts: { ...counts, total: 130, pending: 117, cancelled: 13 },
} as CampaignDetails;
let answer: object = planned;

beforeAll(() => Promise.all([loadMessages('ab-tests'), loadMessages('campaigns'), loadMessages('sending')]));
beforeEach(() => {
  answer = planned;
  queryClient.setQueryData(orpc.auth.getSession.queryKey({ input: {} }), {
    permissions: ['campaigns:read'],
  } as never);
  vi.stubGlobal('fetch', (request: Request) =>
    request.url.includes('getTest')
      ? Promise.resolve(Response.json({ json: answer }))
      : new Promise(() => undefined),
  );
});
afterEach(() => {
  vi.useRealTimers();
  vi.unstubAllGlobals();
  queryClient.clear();
});

function Page() {
  const [campaign, setCampaign] = useState(draft);
  return (
    <>
      <button type="button" onClick={() => setCampaign(begun)}>
        Start
      </button>
      <AbTestPanel campaign={campaign} test={campaign.abTest!} />
      <CampaignAbout campaign={campaign} />
    </>
  );
}

function open(): void {
  showPage(Page);
}

test('a test shows its variants as soon as its campaign begins, and the planned cost leaves the holdout group out', async () => {
  open();
  await eventually(() => expect(shownText()).toContain('The test begins when the campaign starts.'));
  answer = testing;
  press(await find('button', 'Start'));
  await eventually(() => expect(shownText()).toContain('32'));
  expect(shownText()).not.toContain('The test begins when the campaign starts.');
  expect(shownText()).toMatch(/Planned cost\s*\$5\.85/);
});

test('what the others got is counted on after the test', async () => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'setInterval', 'clearInterval'] });
  const chosen = { variant: 1, by: 'person', at: '2026-11-25T12:00:00Z' };
  const verdict = { outcome: 'too_few', variant: null, at: '2026-11-25T12:00:00Z' };
  answer = { ...testing, state: 'decided', verdict, chosen, rest: { ...figures(21), delivered: 4 } };
  open();
  await vi.waitFor(() => expect(shownText()).toMatch(/with B\s*21\s*4/));
  answer = { ...answer, rest: { ...figures(21), delivered: 19 } };
  await vi.advanceTimersByTimeAsync(15_000);
  await vi.waitFor(() => expect(shownText()).toMatch(/with B\s*21\s*19/));
});
