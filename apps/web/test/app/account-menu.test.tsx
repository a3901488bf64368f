import { QueryClientProvider } from '@tanstack/react-query';
import { createMemoryHistory, createRootRoute, createRouter, RouterProvider } from '@tanstack/react-router';
import { afterEach, beforeAll, expect, test, vi } from 'vitest';
import { AccountButton } from '../../src/app/account/account-button.tsx';
import { orpc } from '../../src/shared/api.ts';
import { loadMessages } from '../../src/shared/messages.ts';
import { queryClient } from '../../src/shared/query-client.ts';
import type { SessionUser } from '../../src/shared/session.ts';
import { shownToasts } from '../../src/ui/toast.ts';
import { eventually, find, findAll, press, pressKey, show } from '../screen.tsx';

const sessionKey = orpc.auth.getSession.queryKey({ input: {} });
const user = { id: 'u', firstName: 'Ana', lastName: 'Lima', role: 'agent', avatar: null, theme: 'light' };

beforeAll(() => loadMessages('palette'));
afterEach(() => {
  vi.unstubAllGlobals();
  queryClient.clear();
  localStorage.clear();
  for (const { id } of shownToasts.read()) shownToasts.dismiss(id);
});

/** The button of somebody who is signed in, over a server that keeps the theme or does not. */
async function open(isKept = true) {
  queryClient.setQueryData(sessionKey, { user, workspace: { id: 'w' }, permissions: [] } as never);
  const saved: unknown[] = [];
  vi.stubGlobal('fetch', async (request: Request) => {
    if (!request.url.includes('setTheme')) return new Promise(() => undefined);
    const { json } = (await request.json()) as { json: unknown };
    saved.push(json);
    return isKept
      ? Response.json({ json })
      : Response.json({ error: { code: 'forbidden' } }, { status: 403 });
  });
  const left: string[] = [];
  const component = () => (
    <AccountButton
      user={user as unknown as SessionUser}
      onLeave={() => left.push('left')}
      onShortcuts={() => left.push('keys')}
    />
  );
  const history = createMemoryHistory({ initialEntries: ['/dashboard'] });
  const router = createRouter({ routeTree: createRootRoute({ component }), history });
  show(
    <QueryClientProvider client={queryClient}>
      <RouterProvider router={router} />
    </QueryClientProvider>,
  );
  const button = await find('button', /Ana Lima/);
  press(button);
  await eventually(() => expect(findAll('menuitem').length).toBeGreaterThan(0));
  return { saved, left, history };
}

/** Of the menu that is open: one that was just left may still be fading away. */
const entry = (name: RegExp) =>
  eventually(() => {
    const found = findAll('menuitem', name).find((one) => one.closest('[data-open]'));
    expect(found).toBeDefined();
    return found!;
  });
const themeNow = () => document.documentElement.dataset['theme'];

test('the theme that is chosen shows at once and is that of the account', async () => {
  const { saved } = await open();
  press(await entry(/dark/i));
  await eventually(() => expect(themeNow()).toBe('dark'));
  await eventually(() => expect(saved).toEqual([{ theme: 'dark' }]));
  const kept = queryClient.getQueryData(sessionKey) as { user: { theme: string } };
  expect(kept.user.theme).toBe('dark');
});

test('a theme that the account could not keep is said', async () => {
  await open(false);
  press(await entry(/light/i));
  await eventually(() => expect(shownToasts.read().map(({ kind }) => kind)).toEqual(['error']));
  expect(themeNow()).toBe('light');
});

test('the menu leads to the profile and to the keys, and Escape gives the focus back', async () => {
  const { left, history } = await open();
  press(await entry(/profile/i));
  await eventually(() => expect(history.location.pathname).toBe('/dashboard/profile'));
  expect(left).toEqual(['left']);
  press(await find('button', /Ana Lima/));
  press(await entry(/keyboard|shortcut/i));
  await eventually(() => expect(left).toEqual(['left', 'keys']));
  press(await find('button', /Ana Lima/));
  await eventually(() => expect(document.activeElement?.closest('[role="menu"]')).not.toBeNull());
  pressKey('Escape');
  await eventually(() => expect(findAll('menuitem')).toEqual([]));
  expect(document.activeElement?.textContent).toContain('Ana Lima');
});
