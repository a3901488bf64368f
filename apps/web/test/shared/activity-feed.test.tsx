import { QueryClientProvider } from '@tanstack/react-query';
import { createMemoryHistory, createRootRoute, createRouter, RouterProvider } from '@tanstack/react-router';
import { afterEach, beforeAll, beforeEach, expect, test, vi } from 'vitest';
import { ActivityFeed } from '../../src/shared/activity/activity-feed.tsx';
import type { Activity } from '../../src/shared/activity/activity.ts';
import { activitySummaryOptions } from '../../src/shared/activity/activity-queries.ts';
import { loadMessages } from '../../src/shared/messages.ts';
import { queryClient } from '../../src/shared/query-client.ts';
import { eventually, find, findAll, press, show } from '../screen.tsx';

beforeAll(() => loadMessages('activity', 'activity-facts'));
let answered: Activity[] = [];
let asked: string[] = [];
beforeEach(() => {
  asked = [];
  vi.stubGlobal('fetch', async (request: Request) => {
    if (!request.url.includes('activity/list')) return new Promise(() => undefined);
    asked.push(decodeURIComponent(request.url) + (await request.text()));
    return Response.json({ json: { items: answered, nextCursor: null } });
  });
  queryClient.setQueryData(activitySummaryOptions.queryKey, {
    ...{ logins: 7, created: 1, sent: 2, activeUsers: 3 },
    users: [{ id: 'u1', name: 'Ayla Kaya' }],
  });
});
afterEach(() => {
  vi.unstubAllGlobals();
  queryClient.clear();
});

let lastId = 0;
const entry = (more: Partial<Activity>): Activity => ({
  id: `e${(lastId += 1)}`,
  ...{ userId: 'u1', userName: 'Ayla Kaya', userAvatar: null, type: 'login', resource: 'auth' },
  fact: { type: 'user.signed_in', values: {} },
  ...{ description: null, subject: null, occurredAt: '2026-01-05T10:00:00.000Z' },
  ...{ ipAddress: null, userAgent: null },
  ...more,
});
const updated = (name: string, subject: Activity['subject']) =>
  entry({
    ...{ type: 'update', resource: 'contacts', subject },
    fact: { type: 'contact.updated', values: { name } },
  });

function open(address = '/') {
  const history = createMemoryHistory({ initialEntries: [address] });
  const router = createRouter({ routeTree: createRootRoute({ component: ActivityFeed }), history });
  show(
    <QueryClientProvider client={queryClient}>
      <RouterProvider router={router as never} />
    </QueryClientProvider>,
  );
  return history;
}

test('an entry leads to what it tells of, and is plain text when that is gone', async () => {
  answered = [updated('Mira', { kind: 'contact', id: 'c1' }), updated('Noor', null)];
  open();
  expect((await find('link', 'Updated contact Mira')).getAttribute('href')).toBe('/dashboard/contacts/c1');
  expect(findAll('link')).toHaveLength(1);
  expect((await find('list', 'User Activity Feed')).textContent).toContain('Updated contact Noor');
});

test('what one person repeats is one row that opens, whatever others did between; what they did themself parts it', async () => {
  const other = { userId: 'u2', userName: 'Victor Lindqvist' };
  answered = [
    ...[entry({ ipAddress: '192.0.2.7' }), entry(other), entry({ ipAddress: '192.0.2.8' }), entry({})],
    ...[updated('Mira', null), entry({})],
  ];
  open();
  const list = await find('list', 'User Activity Feed');
  await eventually(() =>
    expect([...list.children].map((row) => row.querySelector('p')?.textContent)).toEqual([
      'Ayla Kaya Signed in 3 times',
      'Victor Lindqvist Signed in',
      'Ayla Kaya Updated contact Mira',
      'Ayla Kaya Signed in',
    ]),
  );
  press(await find('button', 'Show each'));
  await eventually(() => expect(list.querySelectorAll('ol li')).toHaveLength(3));
  expect(list.querySelector('ol')?.textContent).toContain('192.0.2.8');
});

test('filters stand in the address, and are taken out of it', async () => {
  answered = [];
  const history = open('/?type=login&person=u1');
  await eventually(() => expect(asked.join()).toMatch(/"type":"login".*"userId":"u1"/));
  press(
    (
      await eventually(() => {
        const clear = findAll('button', 'Clear filters');
        expect(clear.length).toBeGreaterThan(0);
        return clear;
      })
    )[0]!,
  );
  await eventually(() => expect(history.location.search).toBe(''));
});

test('a figure is heard after its label', async () => {
  answered = [];
  open();
  await find('heading', 'The last 24 hours');
  const [term, figure] = document.querySelectorAll('dl > div:first-child > *');
  expect([term?.tagName, term?.textContent, figure?.textContent]).toEqual(['DT', 'Logins', '7']);
});
