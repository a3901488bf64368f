import { QueryClientProvider } from '@tanstack/react-query';
import { createMemoryHistory, createRootRoute, createRouter, RouterProvider } from '@tanstack/react-router';
import { defaultRolePermissions, type Permission } from '@app/domain/auth/permissions';
import { afterEach, beforeAll, beforeEach, expect, test, vi } from 'vitest';
import { LastSent } from '../../src/features/bulk-message/last-sent.tsx';
import { endOfHold } from '../../src/features/sending/end-of-hold.ts';
import { HeldStart, notifyOfStart } from '../../src/features/sending/held-start.tsx';
import { orpc } from '../../src/shared/api.ts';
import { loadMessages } from '../../src/shared/messages.ts';
import { queryClient } from '../../src/shared/query-client.ts';
import { shownToasts } from '../../src/ui/toast.ts';
import { Toaster } from '../../src/ui/toasts/toaster.tsx';
import { eventually, find, findAll, press, show, shownText } from '../screen.tsx';

function signIn(permissions: readonly Permission[]): void {
  const key = orpc.auth.getSession.queryKey({ input: {} });
  queryClient.setQueryData(key, { user: { id: 'u' }, workspace: { id: 'w' }, permissions } as never);
}

beforeAll(() => loadMessages('sending', 'bulk-message'));
let asked: string[] = [];
const counts = { total: 3, pending: 3, sent: 0 };
const taken = () => Response.json({ json: { id: 'a', status: 'draft', counts } });
let answer: () => Response = taken;
beforeEach(() => {
  signIn(defaultRolePermissions.admin);
  asked = [];
  answer = taken;
  vi.stubGlobal('fetch', async (request: Request) => {
    asked.push(new URL(request.url).pathname);
    return answer();
  });
});
afterEach(() => {
  vi.useRealTimers();
  vi.unstubAllGlobals();
  for (const { id } of shownToasts.read()) shownToasts.dismiss(id);
  queryClient.clear();
});

/** The server's clock is a day ahead of this device's: only what it says is left counts. */
const heldFor = (heldForMs: number, campaignId: string) => ({
  ...{ campaignId, heldForMs },
  heldUntil: new Date(Date.now() + 86_400_000).toISOString(),
});
const notHeld = { campaignId: 'none', heldUntil: null, heldForMs: null };
const open = (held: Parameters<typeof HeldStart>[0]['held'] = notHeld) =>
  show(
    <QueryClientProvider client={queryClient}>
      <HeldStart held={held} cameAt={Date.now()} />
      <Toaster />
    </QueryClientProvider>,
  );

function openSent(sent: Parameters<typeof LastSent>[0]['sent'], onTakenBack: () => void): void {
  const Sent = () => <LastSent sent={sent} onTakenBack={onTakenBack} />;
  const router = createRouter({
    routeTree: createRootRoute({ component: Sent }),
    history: createMemoryHistory(),
  });
  show(
    <QueryClientProvider client={queryClient}>
      <RouterProvider router={router as never} />
    </QueryClientProvider>,
  );
}

test('a start that is held counts down and can be taken back once', async () => {
  const onTakenBack = vi.fn<() => void>();
  open();
  notifyOfStart(queryClient, 'Campaign started', heldFor(60_000, 'a'), onTakenBack);
  await eventually(() => expect(shownText()).toContain('Until then you can undo it.'));
  expect(shownText()).toMatch(/\d/);
  expect((await find('button', 'Undo')).ariaKeyShortcuts ?? '').toContain('Control+Z');
  press(await find('button', 'Undo'));
  await eventually(() => expect(onTakenBack).toHaveBeenCalledTimes(1));
  expect(asked.filter((path) => path.endsWith('/campaigns/takeBack'))).toHaveLength(1);
  await eventually(() => expect(shownText()).toContain('Undone. Nothing was sent.'));
  expect(findAll('button', 'Undo')).toHaveLength(0);
});

test('the way back goes with the hold', async () => {
  open();
  await find('region', 'Notifications');
  vi.useFakeTimers({ toFake: ['Date', 'setTimeout', 'clearTimeout', 'setInterval', 'clearInterval'] });
  notifyOfStart(queryClient, 'Campaign started', heldFor(3_000, 'b'));
  await vi.advanceTimersByTimeAsync(2_900);
  expect(findAll('button', 'Undo')).toHaveLength(1);
  await vi.advanceTimersByTimeAsync(200);
  expect(findAll('button', 'Undo')).toHaveLength(0);
});

test.each([
  ['behind', -5_000],
  ['right', 0],
  ['five seconds ahead', 5_000],
  ['a day ahead', 86_400_000],
])('a device whose clock is %s counts what the server says is left', (_, ahead) => {
  const heldUntil = new Date(Date.now() - ahead + 5_000).toISOString();
  const held = { campaignId: `clock ${ahead}`, heldUntil, heldForMs: 5_000 };
  expect(endOfHold(held, 1_000)).toBe(6_000);
  // An answer that is told again, or one that something else was written into, gives no more of it; a newer one may say less.
  expect(endOfHold(held, 4_000)).toBe(6_000);
  expect(endOfHold({ ...held, heldForMs: 500 }, 5_000)).toBe(5_500);
  expect(endOfHold({ ...held, heldUntil: null, heldForMs: null }, 5_000)).toBe(0);
});

test('a start without a hold is told plainly; whoever started may take it back, also without the right to start others', () => {
  open();
  notifyOfStart(queryClient, 'Campaign started', notHeld);
  signIn(defaultRolePermissions.agent);
  notifyOfStart(queryClient, 'Another one started', heldFor(4_000, 'e'));
  expect(shownToasts.read().map(({ action }) => action?.label)).toEqual([undefined, 'Undo']);
});

test('when the first message has left, it says so and offers to pause', async () => {
  answer = () => Response.json({ error: { code: 'campaign_already_sending' } }, { status: 409 });
  open(heldFor(4_000, 'banner'));
  await eventually(() => expect(shownText()).toContain('Sending starts in 4 seconds.'));
  press(await find('button', 'Undo'));
  await eventually(() => expect(shownText()).toContain('It is too late to undo the start'));
  press(await find('button', 'Pause'));
  await eventually(() => expect(asked.at(-1)).toMatch(/campaigns\/pause$/));
});

test('whoever closes the notification of a start takes it back on its page', async () => {
  const held = heldFor(60_000, 'closed');
  notifyOfStart(queryClient, 'Campaign started', held);
  open(held);
  await eventually(() => expect(shownText()).toContain('Sending starts in 60 seconds.'));
  expect(await eventually(() => findAll('button', 'Undo'))).toHaveLength(1);
  press(await find('button', 'Close'));
  await eventually(() => expect(findAll('button', 'Close')).toHaveLength(0));
  press(await find('button', 'Undo'));
  await eventually(() => expect(asked.at(-1)).toMatch(/campaigns\/takeBack$/));
});

test('the wizard says when its message leaves, and takes it back', async () => {
  const onTakenBack = vi.fn<() => void>();
  signIn(defaultRolePermissions.agent);
  const sent = { ...heldFor(60_000, 'bulk'), recipients: 3, scheduledAt: null, quietUntil: null };
  openSent(sent, onTakenBack);
  await eventually(() => expect(shownText()).toMatch(/The message to 3 contacts leaves in \d+\ss\./));
  expect(shownText()).not.toContain('on its way');
  press(await find('button', 'Undo'));
  await eventually(() => expect(onTakenBack).toHaveBeenCalledTimes(1));
});

test('once nothing holds it the wizard says that it is on its way', async () => {
  const sent = { ...heldFor(0, 'on its way'), recipients: 3, scheduledAt: null, quietUntil: null };
  openSent(sent, () => undefined);
  await eventually(() => expect(shownText()).toContain('The message is on its way to 3 contacts.'));
  expect(findAll('button', 'Undo')).toHaveLength(0);
});
