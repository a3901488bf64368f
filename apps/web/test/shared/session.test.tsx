import { QueryClientProvider } from '@tanstack/react-query';
import { afterEach, expect, test, vi } from 'vitest';
import { queryClient } from '../../src/shared/query-client.ts';
import { useSession } from '../../src/shared/session.ts';
import { eventually, show, shownText } from '../screen.tsx';

afterEach(() => {
  vi.useRealTimers();
  vi.unstubAllGlobals();
});

function Who() {
  const session = useSession();
  return <p>{session.status === 'loading' && session.isUnreachable ? 'unreachable' : session.status}</p>;
}

test('a server that cannot be reached says nothing about a session, and is asked again', async () => {
  vi.useFakeTimers();
  let asked = 0;
  let isAway = true;
  vi.stubGlobal('fetch', () => {
    asked += 1;
    if (isAway) return Promise.reject(new TypeError('Failed to fetch'));
    return Promise.resolve(new Response('null', { headers: { 'content-type': 'application/json' } }));
  });
  show(
    <QueryClientProvider client={queryClient}>
      <Who />
    </QueryClientProvider>,
  );
  // The first question and its retries have failed.
  await eventually(() => expect(queryClient.getQueryCache().getAll()[0]?.state.status).toBe('error'));
  expect([asked, shownText()]).toEqual([3, 'unreachable']);
  isAway = false;
  await eventually(() => expect(shownText()).toBe('signed-out'));
  expect(asked).toBe(4);
});
