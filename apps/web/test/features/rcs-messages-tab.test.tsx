import { afterEach, beforeAll, expect, test, vi } from 'vitest';
import { MessagesTab } from '../../src/features/rcs/messages/messages-tab.tsx';
import { loadMessages } from '../../src/shared/messages.ts';
import { queryClient } from '../../src/shared/query-client.ts';
import { showPage } from '../page.tsx';
import { find, shownText } from '../screen.tsx';

beforeAll(() => loadMessages('rcs'));
afterEach(() => {
  vi.unstubAllGlobals();
  queryClient.clear();
});

test('a search that finds nothing says so once', async () => {
  vi.stubGlobal('fetch', async () =>
    Promise.resolve(Response.json({ json: { items: [], total: 0, nextCursor: null } })),
  );
  const component = () => <MessagesTab onOpen={() => undefined} onCreateCampaign={() => undefined} />;
  showPage(component, '/?search=nothing');
  await find('button', 'Show all messages');
  expect(shownText().match(/No RCS messages found/g)).toHaveLength(1);
});
