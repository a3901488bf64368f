import { QueryClientProvider } from '@tanstack/react-query';
import { afterEach, beforeAll, beforeEach, expect, test, vi } from 'vitest';
import {
  emptySelection,
  type AudienceSelection,
} from '../../src/features/sending/audience/audience-selection.ts';
import { RecipientPreview } from '../../src/features/sending/message/recipient-preview.tsx';
import { loadMessages } from '../../src/shared/messages.ts';
import { queryClient } from '../../src/shared/query-client.ts';
import { eventually, find, press, show, shownText } from '../screen.tsx';

beforeAll(() => loadMessages('sending'));
const ids = ['a', 'b', 'c'].map((letter) => `0190a0e4-2b1c-7c55-9d5e-0a4b6f1c2d3${letter}`);
const person = (at: number, missing: object[] = []) => ({
  ...{ contactId: ids[at], name: `Person ${at + 1}`, phone: '+447700900001', header: null },
  ...{ text: '', values: { name: `Person ${at + 1}` }, missing },
});
/** What was asked of the preview. */
let asked: { after?: string }[] = [];
let pages: object[] = [];
beforeEach(() => {
  asked = [];
  vi.stubGlobal('fetch', async (request: Request) => {
    if (!request.url.includes('bulkMessage/preview')) return new Promise(() => undefined);
    const { json } = await request.json();
    asked.push(json);
    return Response.json({ json: pages[json.after === undefined ? 0 : 1] });
  });
});
afterEach(() => {
  vi.unstubAllGlobals();
  queryClient.clear();
});

const message = { templateId: null, customMessage: 'Dear {{name}}, {{email}}', variables: {} };
const everybody: AudienceSelection = { ...emptySelection, filters: [{}] };

function open(selection = everybody): void {
  show(
    <QueryClientProvider client={queryClient}>
      <RecipientPreview message={message} selection={selection} channelId={null} />
    </QueryClientProvider>,
  );
}

test('people follow each other, beyond those that were asked for first', async () => {
  pages = [
    { total: 1240, next: ids[1], messages: [person(0, [{ name: 'email', instead: null }]), person(1)] },
    { total: null, next: null, messages: [person(2, [{ name: 'email', instead: 'nobody@' }])] },
  ];
  open();
  await eventually(() => expect(shownText()).toContain('As Person 1 sees it'));
  expect(shownText()).toContain('1 of 1,240');
  expect(shownText()).toContain('Dear Person 1, {{email}}');
  expect(shownText()).toContain('No value for {{email}}: this person does not get it.');
  expect((await find('button', 'Previous person')).hasAttribute('disabled')).toBe(true);
  press(await find('button', 'Next person'));
  await eventually(() => expect(shownText()).toContain('Dear Person 2, '));
  await eventually(() => expect(asked.at(-1)?.after).toBe(ids[1]));
  await eventually(async () =>
    expect((await find('button', 'Next person')).hasAttribute('disabled')).toBe(false),
  );
  press(await find('button', 'Next person'));
  await eventually(() => expect(shownText()).toContain('3 of 1,240'));
  expect(shownText()).toContain('No value for {{email}}: “nobody@” stands in.');
});

test('without contacts, and when none of them can get it, there are sample values', async () => {
  open(emptySelection);
  await eventually(() => expect(shownText()).toContain('With sample values.'));
  expect(shownText()).toContain('Dear Ann, ann@example.com');
  expect(asked).toEqual([]);
  pages = [{ total: 0, next: null, messages: [] }];
  open();
  await eventually(() =>
    expect(shownText()).toContain('None of the selected contacts can receive this message.'),
  );
});
