import { QueryClientProvider } from '@tanstack/react-query';
import { afterEach, beforeAll, expect, test, vi } from 'vitest';
import { AgentPanel } from '../../src/features/rcs/settings/agent-panel.tsx';
import { TestDevicesPanel } from '../../src/features/rcs/settings/test-devices-panel.tsx';
import { tellLiveEvent } from '../../src/shared/live/live-events.ts';
import { loadMessages } from '../../src/shared/messages.ts';
import { queryClient } from '../../src/shared/query-client.ts';
import { ConfirmProvider } from '../../src/ui/overlays/confirm.tsx';
import { eventually, find, press, show } from '../screen.tsx';

const launched = {
  ...{ launchState: 'launched', launches: [], features: null, brand: 'Brand', displayName: 'Agent' },
  ...{ description: null, useCase: null, region: null, billing: null },
};

beforeAll(() => loadMessages('rcs', 'rcs-agent'));
afterEach(() => {
  vi.unstubAllGlobals();
  queryClient.clear();
});

test('a refresh reads the test devices as well, which decide what features are shown', async () => {
  let status = 'pending';
  vi.stubGlobal('fetch', async ({ url }: Request) =>
    Promise.resolve(
      Response.json({
        json: url.includes('listTestDevices') ? { items: [{ phone: '+447700900251', status }] } : launched,
      }),
    ),
  );
  show(
    <QueryClientProvider client={queryClient}>
      <ConfirmProvider>
        <AgentPanel channelId="one" />
        <TestDevicesPanel channelId="one" />
      </ConfirmProvider>
    </QueryClientProvider>,
  );
  const device = await find('listitem');
  expect(device.textContent).toContain('Invited');
  status = 'accepted';
  press(await find('button', 'Refresh'));
  await eventually(() => expect(document.body.textContent).toContain('Accepted'));
});

test('an agent that the platform stops is shown as such without a refresh', async () => {
  const agent = { ...launched };
  vi.stubGlobal('fetch', async () => Promise.resolve(Response.json({ json: agent })));
  show(
    <QueryClientProvider client={queryClient}>
      <AgentPanel channelId="one" />
    </QueryClientProvider>,
  );
  await eventually(() => expect(document.body.textContent).toContain('Launched'));
  agent.launchState = 'suspended';
  tellLiveEvent({ topic: 'channels', payload: {} });
  await eventually(() => expect(document.body.textContent).toContain('Suspended'));
});
