import { QueryClientProvider } from '@tanstack/react-query';
import { createMemoryHistory, createRootRoute, createRouter, RouterProvider } from '@tanstack/react-router';
import { defaultRolePermissions, type Role } from '@app/domain/auth/permissions';
import { afterEach, beforeAll, expect, test, vi } from 'vitest';
import { CommandPalette } from '../../src/app/palette/command-palette.tsx';
import { orpc } from '../../src/shared/api.ts';
import { loadMessages } from '../../src/shared/messages.ts';
import { queryClient } from '../../src/shared/query-client.ts';
import { ConfirmProvider } from '../../src/ui/overlays/confirm.tsx';
import { goOffline } from '../offline.ts';
import { eventually, find, findAll, pressKey, show, shownText, type } from '../screen.tsx';

beforeAll(() => loadMessages('palette', 'workspaces'));
afterEach(() => {
  asked = [];
  vi.unstubAllGlobals();
  queryClient.clear();
});

let asked: string[] = [];
const names = ['Ana Lima', 'Anders Holm', 'Anja Vogt'];
const people = (from: readonly string[]) =>
  from.map((name, index) => ({ id: `c${index}`, name, phone: null, email: null }));

/** The palette of this role, over a server that finds these people whatever is asked for. */
function open(role: Role, found = names, others: Record<string, object[]> = {}) {
  const key = orpc.auth.getSession.queryKey({ input: {} });
  const session = { user: { id: 'u' }, workspace: { id: 'w' }, permissions: defaultRolePermissions[role] };
  queryClient.setQueryData(key, session as never);
  vi.stubGlobal('fetch', async (request: Request) => {
    const { pathname } = new URL(request.url);
    asked.push(pathname);
    const [, kind = ''] = /(\w+)\/list$/.exec(pathname) ?? [];
    const items = kind === 'contacts' ? people(found) : (others[kind] ?? []);
    return Response.json({ json: { items, nextCursor: null, workspaces: [] } });
  });
  const history = createMemoryHistory({ initialEntries: ['/dashboard'] });
  const component = () => <CommandPalette onClose={() => undefined} onShortcuts={() => undefined} />;
  const router = createRouter({ routeTree: createRootRoute({ component }), history });
  show(
    <QueryClientProvider client={queryClient}>
      <ConfirmProvider>
        <RouterProvider router={router} />
      </ConfirmProvider>
    </QueryClientProvider>,
  );
  return history;
}

const offered = () => findAll('option').map(({ textContent }) => textContent);

async function searchAna() {
  type(await find('combobox'), 'an');
  await eventually(() => expect(offered()).toEqual(expect.arrayContaining(names)));
}

const marked = () => document.querySelector('[role="option"][aria-selected="true"]')?.textContent;

/** The pages and acts that are called alike come first. */
async function mark(name: string) {
  for (const expected of offered().slice(1, offered().indexOf(name) + 1)) {
    pressKey('ArrowDown');
    await eventually(() => expect(marked()).toBe(expected));
  }
}

test('the arrow to the right shows what can be done with the marked one, and its verbs go there', async () => {
  const history = open('admin');
  await searchAna();
  await mark('Anders Holm');
  pressKey('ArrowRight');
  await eventually(() => expect(offered()).toEqual(['Open', 'Send message', 'Edit']));
  await mark('Send message');
  pressKey('Enter');
  await eventually(() => expect(history.location.href).toBe('/dashboard/inbox?dialog=new-chat&contact=c1'));
});

test.each(['ArrowLeft', 'Escape', 'Backspace'])(
  '%s leads from the verbs back to what was found',
  async (back) => {
    open('admin');
    await searchAna();
    await mark('Anders Holm');
    pressKey('ArrowRight');
    await eventually(() => expect(offered()).toContain('Edit'));
    pressKey(back);
    await eventually(() => expect(offered()).toEqual(expect.arrayContaining(names)));
    expect(findAll('dialog')).toHaveLength(1);
  },
);

test('of one or two found the verbs stand below it, those that the role may do', async () => {
  open('viewer', ['Ana Lima']);
  type(await find('combobox'), 'ana');
  await eventually(() => expect(offered()).toContain('Ana Lima'));
  expect(offered()).not.toContain('Edit');
  expect(offered()).not.toContain('Send message');
});

test('without a connection it searches what is on this device, and says so', async () => {
  const key = orpc.contacts.list.infiniteKey({ input: () => ({ limit: 100 }), initialPageParam: undefined });
  queryClient.setQueryData(key, {
    pages: [{ items: people(names), nextCursor: null }],
    pageParams: [],
  } as never);
  const comeBack = goOffline();
  try {
    open('admin');
    type(await find('combobox'), 'holm');
    await eventually(() => expect(offered()).toEqual(expect.arrayContaining(['Anders Holm'])));
    expect(shownText()).toContain('The search covers what is kept on this device: 3.');
    type(await find('combobox'), 'zzz');
    await eventually(() => expect(shownText()).toContain('Nothing matches.'));
  } finally {
    comeBack();
  }
});

test('without a connection, and with nothing kept, it says that it cannot search', async () => {
  const comeBack = goOffline();
  try {
    open('admin');
    type(await find('combobox'), 'zzz');
    await eventually(() => expect(shownText()).toContain('You are offline. Searching needs a connection.'));
    expect(shownText()).not.toContain('Nothing matches.');
  } finally {
    comeBack();
  }
});

test('a segment is found by its name, and leads to its people, its rules and a message to it', async () => {
  const history = open('admin', [], {
    segments: [
      { id: 's1', name: 'Golden' },
      { id: 's2', name: 'Silver' },
    ],
  });
  type(await find('combobox'), 'gold');
  await eventually(() => expect(offered()).toEqual(['Golden', 'Send message', 'Edit']));
  pressKey('Enter');
  await eventually(() => expect(history.location.href).toBe('/dashboard/contacts?filter=segment%3As1'));
});

test.each([
  ['draft', ['Spring', 'Start', 'Edit', 'Duplicate']],
  ['scheduled', ['Spring', 'Start', 'Edit', 'Duplicate', 'Cancel campaign']],
  ['running', ['Spring', 'Pause', 'Edit', 'Duplicate', 'Cancel campaign']],
  ['completed', ['Spring', 'Edit', 'Duplicate']],
])('of a campaign that is %s it offers %o', async (status, verbs) => {
  open('admin', [], { campaigns: [{ id: 'k1', name: 'Spring', status }] });
  type(await find('combobox'), 'spring');
  await eventually(() => expect(offered()).toEqual(verbs));
});

test('a verb that acts does so at once, after the palette is gone', async () => {
  open('admin', [], { campaigns: [{ id: 'k1', name: 'Spring', status: 'running', version: 1 }] });
  type(await find('combobox'), 'spring');
  await eventually(() => expect(offered()).toContain('Pause'));
  await mark('Pause');
  pressKey('Enter');
  await eventually(() => expect(asked.some((path) => path.endsWith('/campaigns/pause'))).toBe(true));
});

test('a template that can be sent begins a campaign', async () => {
  const history = open('admin', [], {
    templates: [{ id: 't1', name: 'Welcome back', language: 'en', isSendable: true }],
  });
  type(await find('combobox'), 'welcome');
  await eventually(() => expect(offered()).toContain('Send message'));
  await mark('Send message');
  pressKey('Enter');
  await eventually(() => expect(history.location.href).toBe('/dashboard/campaigns?form=new&template=t1'));
});
