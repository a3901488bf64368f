import { createMemoryHistory, createRootRoute, createRouter, RouterProvider } from '@tanstack/react-router';
import { QueryClientProvider } from '@tanstack/react-query';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { chooseAlerts } from '../../src/shared/alerts/alert-choice.ts';
import { InboxAlerts } from '../../src/shared/alerts/inbox-alerts.tsx';
import { tellLiveEvent } from '../../src/shared/live/live-events.ts';
import { loadMessages } from '../../src/shared/messages.ts';
import { queryClient } from '../../src/shared/query-client.ts';
import { eventually, show } from '../screen.tsx';

let conversations: object[] = [];
let notifications: object[] = [];
let asked: string[] = [];
let said: string[] = [];

class Notification {
  static permission = 'granted';
  onclick = null;
  constructor(title: string, { body }: { body: string }) {
    said.push(`${title}: ${body}`);
  }
}

beforeEach(async () => {
  [conversations, notifications, asked, said] = [[], [], [], []];
  await loadMessages('contact-panel', 'conversations');
  // The clock of this computer is a day ahead of the server's.
  vi.useFakeTimers({ now: Date.parse('2026-03-02T12:00:00Z') });
  vi.stubGlobal('Notification', Notification);
  vi.spyOn(document, 'hasFocus').mockReturnValue(false);
  vi.stubGlobal('fetch', (request: Request | string) => {
    const { pathname } = new URL(typeof request === 'string' ? request : request.url, location.href);
    asked.push(pathname);
    const answer = pathname.endsWith('/count')
      ? { mine: 0, unread: 0 }
      : { items: pathname.endsWith('/conversations/list') ? conversations : notifications, nextCursor: null };
    return Promise.resolve(
      new Response(JSON.stringify({ json: answer }), { headers: { 'content-type': 'application/json' } }),
    );
  });
  chooseAlerts({ isDesktop: true, sound: 'off' });
});
afterEach(() => {
  vi.useRealTimers();
  vi.unstubAllGlobals();
  queryClient.clear();
  vi.restoreAllMocks();
});

const written = (contact: string, id: string, text: string, kind = 'text') => ({
  ...{ id: contact, contact: { name: contact }, isMuted: false, assignee: null },
  lastMessage: { id, direction: 'in', line: { kind, text }, at: '2026-03-01T12:00:00.000Z' },
});
const mentioned = (by: string, createdAt: string) => ({
  ...{ kind: 'conversation_mentioned', subject: by, isRead: false, createdAt, values: { by } },
});

async function open(): Promise<void> {
  const rootRoute = createRootRoute({ component: () => <InboxAlerts ownId="me" /> });
  const router = createRouter({
    routeTree: rootRoute,
    history: createMemoryHistory({ initialEntries: ['/'] }),
  });
  show(
    <QueryClientProvider client={queryClient}>
      <RouterProvider router={router as never} />
    </QueryClientProvider>,
  );
  await eventually(() => expect(asked.join()).toContain('notifications'));
}

test('a message that arrived is told once, whatever the clock of the computer says, and what was unread before is not', async () => {
  conversations = [written('Ann', 'new', 'Hello'), written('Ben', 'old', 'From yesterday')];
  await open();
  tellLiveEvent({ topic: 'messages', payload: { conversationIds: ['Ann'], arrivedIds: ['new'] } });
  await eventually(() => expect(said).toEqual(['Ann: Hello']));
  // Somebody else read another conversation, or a report came: nothing has arrived.
  tellLiveEvent({ topic: 'messages', payload: { conversationIds: ['Ben'] } });
  await vi.advanceTimersByTimeAsync(10_000);
  expect(said).toEqual(['Ann: Hello']);
});

test('a message without words is told by the word for its kind', async () => {
  conversations = [written('Ann', 'new', '', 'image')];
  await open();
  tellLiveEvent({ topic: 'messages', payload: { conversationIds: ['Ann'], arrivedIds: ['new'] } });
  await eventually(() => expect(said).toEqual(['Ann: Photo']));
});

test('a mention is told that came after the page', async () => {
  notifications = [mentioned('Cid', '2026-03-01T12:00:00.000Z')];
  await open();
  await vi.advanceTimersByTimeAsync(100);
  notifications = [mentioned('Dora', '2026-03-01T12:00:01.000Z'), ...notifications];
  tellLiveEvent({ topic: 'notifications', payload: { userIds: ['me'] } });
  await eventually(() => expect(said).toEqual(['Dora: Mentioned you in a note']));
});
