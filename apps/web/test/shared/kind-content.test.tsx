import { beforeAll, expect, test } from 'vitest';
import { KindContent } from '../../src/shared/channel-kinds/kind-content.tsx';
import { templateToPhone } from '../../src/features/sending/message/template-preview.ts';
import { loadMessages } from '../../src/shared/messages.ts';
import { ChatBubble } from '../../src/ui/phone/phone-preview.tsx';
import { eventually, find, show, shownText } from '../screen.tsx';

beforeAll(() => loadMessages('ui', 'common'));

const card = {
  header: { type: 'image', link: 'https://cdn.example/1.png' },
  button: { label: 'Shop', url: 'https://shop.example' },
};
const carousel = { body: 'Offers for {{name}}', cards: [{ ...card, body: 'First' }, card] };
const ofWhatsApp = { channelKind: 'whatsapp', contentType: 'carousel' };

test('a form of message is shown by the view of its kind, and nothing of elsewhere is loaded', async () => {
  show(<KindContent {...ofWhatsApp} value={carousel} fallback="in words" />);
  await find('listitem', /Card 2 of 2/);
  expect(shownText()).toMatch(/Offers for.*First.*Shop/s);
  expect(document.querySelector('img, video')).toBeNull();
});

test.each([
  ['of a kind without a view', { channelKind: 'pigeon-post', contentType: 'ribbons', value: {} }],
  ['of an older form', { ...ofWhatsApp, value: { body: 'Offers' } }],
  ['of no form', { channelKind: 'constructor', contentType: '', value: {} }],
])('a message %s is shown in words', async (_, content) => {
  show(<KindContent {...content} fallback="in words" />);
  await eventually(() => expect(shownText()).toContain('in words'));
});

test('the preview of a template shows its content filled, in place of its other parts', async () => {
  const content = { type: 'content' as const, kind: 'whatsapp', contentType: 'carousel', value: carousel };
  show(
    <ChatBubble
      message={templateToPhone([{ type: 'body', text: 'Plain words' }, content], { name: 'Ann' })}
    />,
  );
  await eventually(() => expect(shownText()).toContain('Offers for Ann'));
  expect(shownText()).not.toContain('Plain words');
});
