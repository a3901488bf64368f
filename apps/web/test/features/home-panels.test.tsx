import { QueryClientProvider } from '@tanstack/react-query';
import { createMemoryHistory, createRootRoute, createRouter, RouterProvider } from '@tanstack/react-router';
import { afterEach, beforeAll, beforeEach, expect, test, vi } from 'vitest';
import {
  attentionOptions,
  startOptions,
  type Attention,
  type GettingStarted,
} from '../../src/features/dashboard/dashboard-queries.ts';
import { HomePanels } from '../../src/features/dashboard/panels/home-panels.tsx';
import { loadMessages } from '../../src/shared/messages.ts';
import { queryClient } from '../../src/shared/query-client.ts';
import { eventually, find, findAll, press, show, shownText } from '../screen.tsx';

beforeAll(() => loadMessages('home', 'deliveries', 'connection'));
/** What was sent. */
let sent: string[] = [];
beforeEach(() => {
  sent = [];
  vi.stubGlobal('fetch', async (request: Request) => {
    const body = await request.text();
    if (!request.url.includes('setStartHidden')) return new Promise(() => undefined);
    sent.push(body);
    return new Response(body, { headers: { 'content-type': 'application/json' } });
  });
});
afterEach(() => {
  vi.unstubAllGlobals();
  queryClient.clear();
});

const nothing: GettingStarted = { steps: [], connection: 'none', phones: null, isHidden: false };

function open(items: Attention[], start: GettingStarted = nothing): void {
  queryClient.setQueryData(attentionOptions.queryKey, { items });
  queryClient.setQueryData(startOptions.queryKey, start);
  const router = createRouter({
    routeTree: createRootRoute({ component: HomePanels }),
    history: createMemoryHistory(),
  });
  show(
    <QueryClientProvider client={queryClient}>
      <RouterProvider router={router as never} />
    </QueryClientProvider>,
  );
}

test('the way to the first campaign says how far one is, and what is done needs no button', async () => {
  open([], {
    connection: 'sandbox',
    phones: null,
    isHidden: false,
    steps: [
      { step: 'number', isDone: true },
      { step: 'contacts', isDone: true },
      { step: 'template', isDone: false },
      { step: 'campaign', isDone: false },
    ],
  });
  await find('heading', 'Getting started');
  await find('list', 'Getting started');
  expect(shownText()).toContain('2 of 4 done');
  expect(shownText()).toContain('Connected to the sandbox');
  expect(findAll('link').map((link) => link.textContent)).toEqual([
    'Create template',
    'Create campaign',
    'Bulk message',
  ]);
  expect(findAll('heading', 'Needs attention')).toEqual([]);
  press(await find('button', 'Hide getting started'));
  await eventually(() => expect(findAll('heading', 'Getting started')).toEqual([]));
  expect(sent).toHaveLength(1);
  expect(sent[0]).toContain('"isHidden":true');
});

test('neither is there for who hid the one while nothing waits', async () => {
  open([], { ...nothing, steps: [{ step: 'contacts', isDone: false }], isHidden: true });
  await eventually(() => expect(queryClient.isFetching()).toBe(0));
  expect(findAll('heading')).toEqual([]);
});

test('what waits leads to where it is put right', async () => {
  const one = { id: 'a', name: 'Spring', code: null, about: null, failed: null };
  open([
    { kind: 'campaign_paused', total: 1, named: [{ ...one, code: 'failures' }] },
    { kind: 'chats_unassigned', total: 100, named: [] },
    { kind: 'campaign_failed', total: 1, named: [{ ...one, failed: 2 }] },
    {
      kind: 'template_rejected',
      total: 4,
      named: [1, 2, 3].map((n) => ({ ...one, id: `t${n}`, name: `t${n}` })),
    },
  ]);
  await find('list', 'Needs attention');
  expect(findAll('link').map((link) => [link.textContent, link.getAttribute('href')])).toEqual([
    ['The campaign Spring is paused', '/dashboard/campaigns/a'],
    ['99+ unread conversations have nobody assigned', '/dashboard/inbox?tab=unread&assignee=nobody'],
    ['Spring: 2 messages failed and can be sent again', '/dashboard/campaigns/a'],
    ...[1, 2, 3].map((n) => [
      `The template t${n} was rejected`,
      `/dashboard/templates?dialog=edit&template=t${n}`,
    ]),
    ['1 more like this', '/dashboard/templates?status=rejected'],
  ]);
  expect(shownText()).toContain('Too many of the last messages failed');
});
