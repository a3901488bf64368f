import { QueryClientProvider } from '@tanstack/react-query';
import { afterEach, beforeAll, beforeEach, expect, test, vi } from 'vitest';
import { HeldStart, notifyOfStart } from '../../src/features/sending/held-start.tsx';
import { loadMessages } from '../../src/shared/messages.ts';
import { queryClient } from '../../src/shared/query-client.ts';
import { shownToasts } from '../../src/ui/toast.ts';
import { Toaster } from '../../src/ui/toasts/toaster.tsx';
import { eventually, find, findAll, press, show, shownText } from '../screen.tsx';

const { permissions } = vi.hoisted(() => ({ permissions: { maySend: true } }));
vi.mock('../../src/shared/session.ts', async (original) => ({
  ...(await original<object>()),
  can: () => permissions.maySend,
}));

beforeAll(async () => {
  await loadMessages('sending');
});
let asked: string[] = [];
let answer: () => Response = () => Response.json({ json: { id: 'a', status: 'draft' } });
beforeEach(() => {
  asked = [];
  permissions.maySend = true;
  vi.stubGlobal('fetch', async (request: Request) => {
    asked.push(new URL(request.url).pathname);
    return answer();
  });
});
afterEach(() => {
  vi.unstubAllGlobals();
  for (const { id } of shownToasts.read()) shownToasts.dismiss(id);
  queryClient.clear();
});

const inMs = (ms: number) => new Date(Date.now() + ms).toISOString();
const open = (heldUntil: string | null, campaignId = 'banner') =>
  show(
    <QueryClientProvider client={queryClient}>
      <HeldStart campaignId={campaignId} heldUntil={heldUntil} />
      <Toaster />
    </QueryClientProvider>,
  );

test('a start that is held counts down and can be taken back once', async () => {
  const onTakenBack = vi.fn<() => void>();
  open(null);
  notifyOfStart(queryClient, 'Campaign started', { campaignId: 'a', heldUntil: inMs(4_000) }, onTakenBack);
  await eventually(() => expect(shownText()).toContain('Nothing has left yet.'));
  expect(shownText()).toContain('4');
  expect((await find('button', 'Take back')).ariaKeyShortcuts ?? '').toContain('Control+Z');
  press(await find('button', 'Take back'));
  await eventually(() => expect(onTakenBack).toHaveBeenCalledTimes(1));
  expect(asked.filter((path) => path.endsWith('/campaigns/takeBack'))).toHaveLength(1);
  await eventually(() => expect(shownText()).toContain('Taken back. Nothing was sent.'));
  expect(findAll('button', 'Take back')).toHaveLength(0);
});

test('the way back goes with the hold, and a clock that is behind gives no more of it', async () => {
  open(null);
  notifyOfStart(queryClient, 'Campaign started', { campaignId: 'b', heldUntil: inMs(300) });
  await find('button', 'Take back');
  await eventually(() => expect(findAll('button', 'Take back')).toHaveLength(0));
  notifyOfStart(queryClient, 'Campaign started', { campaignId: 'c', heldUntil: inMs(60_000) });
  const [toast] = shownToasts.read().filter(({ endsAt }) => endsAt !== undefined);
  expect(toast?.endsAt).toBeLessThanOrEqual(Date.now() + 5_000);
});

test('a start without a hold, or by somebody who may not change it, is told plainly', () => {
  open(null);
  notifyOfStart(queryClient, 'Campaign started', { campaignId: 'd', heldUntil: null });
  permissions.maySend = false;
  notifyOfStart(queryClient, 'Another one started', { campaignId: 'e', heldUntil: inMs(4_000) });
  expect(shownToasts.read().map(({ action }) => action)).toEqual([undefined, undefined]);
});

test('when the first message has left, it says so and offers to pause', async () => {
  answer = () => Response.json({ error: { code: 'campaign_already_sending' } }, { status: 409 });
  open(inMs(4_000));
  await eventually(() => expect(shownText()).toContain('Sending starts in 4 seconds.'));
  press(await find('button', 'Take back'));
  await eventually(() => expect(shownText()).toContain('The first messages have left'));
  press(await find('button', 'Pause'));
  await eventually(() => expect(asked.at(-1)).toMatch(/campaigns\/pause$/));
});
