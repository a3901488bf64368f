import { QueryClientProvider } from '@tanstack/react-query';
import { createMemoryHistory, createRootRoute, createRouter, RouterProvider } from '@tanstack/react-router';
import { afterEach, beforeAll, expect, test, vi } from 'vitest';
import { loadMessages } from '../../src/shared/messages.ts';
import { NotificationList } from '../../src/shared/notifications/notification-list.tsx';
import { queryClient } from '../../src/shared/query-client.ts';
import { eventually, find, findAll, press, pressKey, show, shownText } from '../screen.tsx';

beforeAll(() => loadMessages('notifications'));
afterEach(() => {
  vi.unstubAllGlobals();
  queryClient.clear();
});

const DAY_MS = 86_400_000;
const told = (id: string, daysAgo: number, isRead: boolean, name: string) => ({
  ...{ id, isRead, kind: 'campaign_completed', subject: id, values: { name, sent: 2, failed: 0 } },
  createdAt: new Date(Date.now() - daysAgo * DAY_MS).toISOString(),
});
const all = [told('a', 0, false, 'Spring'), told('b', 0, true, 'Summer'), told('c', 1, true, 'Autumn')];

/** A server whose second page begins with what stood on the first. */
function openList(items = all) {
  const asked: string[] = [];
  vi.stubGlobal('fetch', async (request: Request) => {
    const { pathname, search } = new URL(request.url);
    const wish = decodeURIComponent(search) + (request.method === 'POST' ? await request.clone().text() : '');
    asked.push(`${pathname.split('/').at(-1)} ${wish}`);
    if (pathname.endsWith('/summarize')) return Response.json({ json: { unread: 1 } });
    if (!pathname.endsWith('/list')) return Response.json({ json: { read: 1 } });
    if (wish.includes('unread'))
      return Response.json({ json: { items: items.filter(({ isRead }) => !isRead), nextCursor: null } });
    return wish.includes('cursor')
      ? Response.json({ json: { items: items.slice(1), nextCursor: null } })
      : Response.json({ json: { items: items.slice(0, 2), nextCursor: items.length > 2 ? 'on' : null } });
  });
  const history = createMemoryHistory();
  const List = () => <NotificationList onClose={() => undefined} />;
  const router = createRouter({ routeTree: createRootRoute({ component: List }), history });
  show(
    <QueryClientProvider client={queryClient}>
      <RouterProvider router={router as never} />
    </QueryClientProvider>,
  );
  return asked;
}

const entries = () => findAll('link', /^(Unread: )?Campaign/).map(({ textContent }) => textContent);

test('by days, each once, with earlier ones on a press, and arrow keys over all of them', async () => {
  openList();
  press(await find('button', 'Show earlier ones'));
  await eventually(() => expect(entries()).toHaveLength(3));
  expect(findAll('heading', 'Today')).toHaveLength(1);
  expect(findAll('heading', 'Yesterday')).toHaveLength(1);
  const [first, , last] = findAll('link', /^(Unread: )?Campaign/);
  first?.focus();
  pressKey('End');
  expect(document.activeElement).toBe(last);
  pressKey('ArrowUp');
  pressKey('ArrowUp');
  expect(document.activeElement).toBe(first);
});

test('what is not read yet can be seen alone, and be read one by one', async () => {
  const asked = openList();
  press(await find('tab', /^Unread/));
  await eventually(() =>
    expect(entries()).toEqual(['Unread: Campaign Spring is complete: 2 sent, 0 failed']),
  );
  press(await find('button', 'Mark as read'));
  await eventually(() => expect(asked.some((one) => one.startsWith('markRead'))).toBe(true));
});

test('where there is nothing, it says so', async () => {
  openList([]);
  await eventually(() => expect(shownText()).toContain('Nothing new'));
  press(await find('tab', /^Unread/));
  await eventually(() => expect(shownText()).toContain('You have read everything'));
});
