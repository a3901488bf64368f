import { afterEach, beforeAll, expect, test, vi } from 'vitest';
import { MessageForm } from '../../src/features/rcs/messages/message-form.tsx';
import { loadMessages } from '../../src/shared/messages.ts';
import { queryClient } from '../../src/shared/query-client.ts';
import { showPage } from '../page.tsx';
import { eventually, find, findAll, press, type } from '../screen.tsx';

beforeAll(() => loadMessages('rcs'));
afterEach(() => {
  vi.unstubAllGlobals();
  queryClient.clear();
});

function open() {
  const component = () => <MessageForm onClose={() => undefined} />;
  showPage(component);
}

test('phones show a message as soon as it has a name, and one press saves it once', async () => {
  const saved: unknown[] = [];
  vi.stubGlobal('fetch', async (request: Request) => {
    saved.push(await request.json());
    return Response.json({ json: {} });
  });
  open();
  const name = await find('textbox', 'Name');
  expect(findAll('figure')).toHaveLength(0);
  const save = await find('button', 'Save');
  expect(save).toHaveProperty('disabled', true);
  type(name, 'Welcome');
  await eventually(() => expect(findAll('figure')).toHaveLength(2));
  type(await find('textbox', 'Text'), 'Hello');
  press(save);
  press(save);
  await eventually(() => expect(saved).toHaveLength(1));
  expect(saved[0]).toMatchObject({
    json: { name: 'Welcome', type: 'text', status: 'draft', content: { text: 'Hello', suggestions: [] } },
  });
});
