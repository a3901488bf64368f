import { QueryClientProvider } from '@tanstack/react-query';
import { afterEach, beforeAll, expect, test, vi } from 'vitest';
import { HookAddress } from '../../src/features/automation/editor/hook-address.tsx';
import { orpc } from '../../src/shared/api.ts';
import { loadMessages } from '../../src/shared/messages.ts';
import { queryClient } from '../../src/shared/query-client.ts';
import { eventually, show, shownText } from '../screen.tsx';

beforeAll(() => loadMessages('automation'));
afterEach(() => {
  vi.unstubAllGlobals();
  queryClient.clear();
});

test('the first call of an address appears while its trigger is open', async () => {
  const hook = {
    ...{ triggerId: 'begin', url: 'https://shop.test/hooks/t', hasSecret: false },
    ...{ calls: 0, lastCallAt: null as string | null, sample: null as object | null },
  };
  vi.stubGlobal('fetch', async () => Response.json({ json: { items: [hook] } }));
  queryClient.setQueryData(orpc.auth.getSession.queryKey({ input: {} }), {
    permissions: ['campaigns:update', 'contacts:read'],
  } as never);
  show(
    <QueryClientProvider client={queryClient}>
      <HookAddress workflowId="0197aaaa-0000-7000-8000-000000000001" triggerId="begin" />
    </QueryClientProvider>,
  );
  await eventually(() => expect(shownText()).toContain('No call yet.'));
  Object.assign(hook, { calls: 1, lastCallAt: '2026-11-28T08:00:00.000Z', sample: { order: 'A-1042' } });
  await eventually(() => expect(shownText()).toContain('A-1042'));
});
