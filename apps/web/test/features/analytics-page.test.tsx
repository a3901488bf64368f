import { defaultRolePermissions } from '@app/domain/auth/permissions';
import { QueryClientProvider } from '@tanstack/react-query';
import { createMemoryHistory, createRootRoute, createRouter, RouterProvider } from '@tanstack/react-router';
import { afterEach, beforeAll, beforeEach, expect, test, vi } from 'vitest';
import { AnalyticsPage } from '../../src/features/analytics/analytics-page.tsx';
import { orpc } from '../../src/shared/api.ts';
import { loadMessages } from '../../src/shared/messages.ts';
import { queryClient } from '../../src/shared/query-client.ts';
import { eventually, find, findAll, press, show, shownText } from '../screen.tsx';

const ID = '0193a6f0-0000-7000-8000-000000000001';
const counts = { sent: 0, delivered: 0, read: 0, failed: 0, replied: 0, received: 0 };
const days = { from: '2026-11-01', to: '2026-11-28' };
const none = { value: null, change: null };
const summary = {
  ...{ ...days, before: { ...days, until: null }, messages: { value: 0, change: null }, counts },
  ...{ deliveryRate: none, readRate: none, responseRate: none, isComplete: true },
};
/** What the server answers by the name of the request; without an answer it lets wait. */
let answers: Record<string, object> = {};
let asked: string[] = [];

beforeAll(() => loadMessages('analytics'));
beforeEach(() => {
  asked = [];
  answers = {};
  const key = orpc.auth.getSession.queryKey({ input: {} });
  queryClient.setQueryData(key, {
    ...{ user: { id: 'u' }, workspace: { id: 'w' }, permissions: defaultRolePermissions.admin },
  } as never);
  vi.stubGlobal('fetch', (request: Request) => {
    const name = new URL(request.url).pathname.split('/').at(-1) ?? '';
    asked.push(name);
    const answer = answers[name];
    return answer ? Promise.resolve(Response.json({ json: answer })) : new Promise(() => undefined);
  });
});
afterEach(() => {
  vi.unstubAllGlobals();
  queryClient.clear();
});

function open(search: string) {
  const router = createRouter({
    routeTree: createRootRoute({ component: AnalyticsPage }),
    history: createMemoryHistory({ initialEntries: [`/${search}`] }),
  });
  show(
    <QueryClientProvider client={queryClient}>
      <RouterProvider router={router as never} />
    </QueryClientProvider>,
  );
  return router;
}
const nameOne = (kind: string, isGone: boolean, name: string | null = null) =>
  (answers.getFilters = { items: [{ kind, value: ID, name, isGone }] });

test('for a segment that is gone nothing is counted: one notice says so, and takes the filter away', async () => {
  nameOne('segment', true);
  const router = open(`?segment=${ID}`);
  const remove = await find('button', 'Remove the filter');
  expect(findAll('status').map((one) => one.textContent)).toContain(
    'This segment no longer exists.Remove the filter',
  );
  expect(findAll('alert')).toEqual([]);
  expect(
    asked.filter((name) => name.startsWith('get') && name !== 'getFilters' && name !== 'getChoices'),
  ).toEqual(
    // What can be chosen instead is that of the period, without the segment.
    ['getCampaigns', 'getTemplates'],
  );
  press(remove);
  await eventually(() => expect(asked).toContain('getSummary'));
  expect(router.state.location.search).toEqual({});
  expect(shownText()).not.toContain('no longer exists');
});

test('on paper it is the same: the page stays, with the notice', async () => {
  nameOne('segment', true);
  open(`?segment=${ID}&print=all`);
  await find('button', 'Remove the filter');
  expect(findAll('tab').length).toBeGreaterThan(1);
});

test('a segment that is there is counted as soon as the server has said so', async () => {
  nameOne('segment', false, 'Buyers');
  open(`?segment=${ID}`);
  await find('button', 'Remove the filter Segment: Buyers');
  await eventually(() => expect(asked).toContain('getSummary'));
  expect(asked.indexOf('getFilters')).toBeLessThan(asked.indexOf('getSummary'));
  expect(findAll('button', 'Remove the filter')).toEqual([]);
});

test.each([
  ['campaign', 'This campaign no longer exists. What it sent still counts.'],
  ['template', 'This template no longer exists. What was sent with it still counts.'],
  ['sender', 'This sender no longer exists.'],
  ['agent', 'This member is no longer in the workspace. What they wrote still counts.'],
  ['team', 'This team no longer exists.'],
])('a filter of %s that is gone is said beside the figures', async (kind, text) => {
  nameOne(kind, true, kind === 'campaign' ? 'Spring' : null);
  open(`?${kind}=${ID}`);
  await find('button', 'Remove the filter');
  expect(shownText()).toContain(text);
  expect(shownText()).toContain(kind === 'campaign' ? 'Campaign: Spring (deleted)' : ': Deleted');
  await eventually(() => expect(asked).toContain('getSummary'));
});

test('several filters that are gone are one notice, and go with one press; what is there stays', async () => {
  const items = ['campaign', 'sender', 'team'].map((kind) => ({ kind, value: ID, name: null, isGone: true }));
  answers.getFilters = { items: [...items, { kind: 'template', value: ID, name: 'Offer', isGone: false }] };
  const router = open(`?campaign=${ID}&sender=${ID}&team=${ID}&template=${ID}`);
  const remove = await find('button', 'Remove the filters');
  const notices = findAll('status').filter((one) => one.textContent?.includes('no longer exists'));
  expect(notices).toHaveLength(1);
  expect([...(notices[0]?.querySelectorAll('li') ?? [])].map((one) => one.textContent)).toEqual([
    'This campaign no longer exists. What it sent still counts.',
    'This sender no longer exists.',
    'This team no longer exists.',
  ]);
  press(remove);
  await eventually(() => expect(router.state.location.search).toEqual({ template: ID }));
  expect(shownText()).not.toContain('no longer exists');
});

test('a tag that no contact can have narrows nothing', async () => {
  for (const tag of ['x'.repeat(61), '%00', '%20']) {
    queryClient.removeQueries({ queryKey: orpc.analytics.key() });
    asked = [];
    open(`?tag=${tag}`);
    await eventually(() => expect(asked).toContain('getSummary'));
    expect(asked).not.toContain('getFilters');
    expect(shownText()).not.toContain('Tag:');
  }
});

test('what can be chosen opens while nothing is', async () => {
  const none = { tags: [], segments: [], channels: [], senders: [], agents: [], teams: [] };
  answers.getChoices = { ...none, countries: ['DE'] };
  open('');
  press(await find('button', 'Filters'));
  await eventually(() => expect(findAll('combobox', 'Country')).toHaveLength(1));
});

test('where nothing was sent there is no rate', async () => {
  answers.getSummary = summary;
  open('');
  const figures = await eventually(() => {
    const terms = [...document.querySelectorAll('dl[aria-label="Key figures"] > div')];
    const shown = terms.map((one) =>
      [...one.querySelectorAll('dt, dd:nth-of-type(1)')].map((part) => part.textContent),
    );
    expect(shown).toHaveLength(4);
    expect(shown[0]?.[1]).toBe('0');
    return shown;
  });
  expect(figures).toEqual([
    ['Messages', '0'],
    ['Delivery Rate', '–'],
    ['Read Rate', '–'],
    ['Response Rate', '–'],
  ]);
});

test('where nothing was sent the page says what brings figures', async () => {
  answers.getSummary = summary;
  const router = open('');
  await eventually(() => expect(shownText()).toContain('Nothing was sent or received in this period.'));
  press(await find('button', 'Show the last year'));
  await eventually(() => expect(router.state.location.search).toMatchObject({ period: '1year' }));
  await find('link', 'Go to campaigns');
});

test('where nothing is behind a filter it can be taken away', async () => {
  answers.getSummary = summary;
  nameOne('campaign', false, 'Spring');
  const router = open(`?campaign=${ID}`);
  await eventually(() => expect(shownText()).toContain('With these filters nothing was sent'));
  press(await find('button', 'Clear filters'));
  await eventually(() => expect(router.state.location.search).not.toHaveProperty('campaign'));
});

test('where a message failed, and nothing was sent, the charts speak for themselves', async () => {
  answers.getSummary = { ...summary, counts: { ...counts, failed: 1, refused: 1 } };
  open('');
  await eventually(() => expect(shownText()).toContain('Response Rate'));
  expect(shownText()).not.toContain('Nothing was sent or received');
});

test('for the last days that can be written nothing is asked, and the page says why', async () => {
  open('?period=custom&from=9999-12-01&to=9999-12-31');
  await eventually(() => expect(shownText()).toContain('Choose an end that is not before the beginning'));
  expect(asked).not.toContain('getSummary');
});
