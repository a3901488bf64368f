import { QueryClientProvider } from '@tanstack/react-query';
import { afterEach, beforeAll, beforeEach, expect, test, vi } from 'vitest';
import { TemplatePicker } from '../../src/features/sending/message/template-picker.tsx';
import { loadMessages, switchLocale } from '../../src/shared/messages.ts';
import { queryClient } from '../../src/shared/query-client.ts';
import { eventually, find, press, show, shownText } from '../screen.tsx';

beforeAll(() => loadMessages('sending'));
const template = (id: string, over: object) => ({
  ...{ id, name: 'Spring', content: `Text ${id}`, category: 'promotion', language: 'en', isSendable: true },
  ...over,
});
beforeEach(() => {
  const items = [
    template('one', {}),
    template('two', { language: 'de' }),
    template('other', { name: 'Order', category: 'utility' }),
  ];
  vi.stubGlobal('fetch', async (request: Request) =>
    request.url.includes('templates/list')
      ? Response.json({ json: { items, nextCursor: null } })
      : new Promise(() => undefined),
  );
});
afterEach(async () => {
  vi.unstubAllGlobals();
  queryClient.clear();
  await switchLocale('en');
});

test('whoever never chose a language is offered a template in the one the pages are in, and its words are those of the pages', async () => {
  await switchLocale('de');
  const choose = vi.fn<(templateId: string) => void>();
  show(
    <QueryClientProvider client={queryClient}>
      <TemplatePicker value={null} onChange={choose} />
    </QueryClientProvider>,
  );
  await eventually(() => expect(shownText()).toContain('Text two'));
  expect(shownText()).not.toContain('Text one');
  press(await find('radio', /Spring/));
  expect(choose).toHaveBeenCalledWith('two');
  expect(shownText()).toMatch(/Werbung.*Service.*Englisch/s);
  expect(shownText()).not.toMatch(/promotion|utility/);
});
