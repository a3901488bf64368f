import { QueryClientProvider } from '@tanstack/react-query';
import { afterEach, beforeAll, expect, test, vi } from 'vitest';
import { AgentBanner } from '../../src/features/rcs/agent-banner.tsx';
import { loadMessages } from '../../src/shared/messages.ts';
import { queryClient } from '../../src/shared/query-client.ts';
import { eventually, show, shownText } from '../screen.tsx';

// With the words that the page has when it opens.
beforeAll(() => loadMessages('rcs'));
afterEach(() => {
  vi.unstubAllGlobals();
  queryClient.clear();
});

test('the page says why the agent is stopped, also before its settings were opened', async () => {
  const stopped = { code: 'rcs.agent_revoked', reason: 'agent_revoked', blocks: 'everything' };
  const agent = { id: 'agent', kind: 'rcs', isDefault: true, connection: 'sandbox', stopped };
  vi.stubGlobal('fetch', async () => Promise.resolve(Response.json({ json: { items: [agent] } })));
  show(
    <QueryClientProvider client={queryClient}>
      <AgentBanner onSettings={() => undefined} />
    </QueryClientProvider>,
  );
  await eventually(() =>
    expect(shownText()).toContain('The service account may not use this agent any more.'),
  );
});
