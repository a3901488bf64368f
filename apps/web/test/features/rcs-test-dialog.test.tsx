import { QueryClientProvider } from '@tanstack/react-query';
import { afterEach, beforeAll, expect, test, vi } from 'vitest';
import { TestDialog } from '../../src/features/rcs/messages/test-dialog.tsx';
import { loadMessages } from '../../src/shared/messages.ts';
import { queryClient } from '../../src/shared/query-client.ts';
import { eventually, find, show, type } from '../screen.tsx';

beforeAll(() => loadMessages('rcs'));
afterEach(() => {
  vi.unstubAllGlobals();
  queryClient.clear();
});

/** Opens the dialog for a message with one card, which has this title. */
function open(title: string) {
  const message = {
    ...{
      id: 'one',
      name: 'Sale',
      type: 'standalone_card',
      status: 'draft',
      category: 'marketing',
      version: 1,
    },
    ...{ language: 'en', translations: {}, content: { orientation: 'vertical', card: { title } } },
  };
  const agent = { id: 'agent', kind: 'rcs', isDefault: true, connection: 'sandbox' };
  vi.stubGlobal('fetch', async ({ url }: Request) =>
    Promise.resolve(Response.json({ json: url.includes('channels') ? { items: [agent] } : message })),
  );
  show(
    <QueryClientProvider client={queryClient}>
      <TestDialog messageId="one" onClose={() => undefined} />
    </QueryClientProvider>,
  );
}

test('a message that is not finished says so above the phone number, and is not sent', async () => {
  open('');
  type(await find('textbox', /phone/i), '+447700900200');
  await eventually(() => expect(document.body.textContent).toContain('This message is not finished.'));
  expect(await find('button', 'Send test')).toHaveProperty('disabled', true);
  // The number is there: nothing beside the button asks for it.
  expect(document.body.textContent).not.toContain('A phone number is still needed.');
});

test('a finished message asks for a phone number only', async () => {
  open('Spring sale');
  const phone = await find('textbox', /phone/i);
  await eventually(() => expect(document.body.textContent).toContain('A phone number is still needed.'));
  type(phone, '+447700900200');
  await eventually(async () => expect(await find('button', 'Send test')).toHaveProperty('disabled', false));
  expect(document.body.textContent).not.toContain('This message is not finished.');
});
