import { describe, expect, it } from 'vitest';
import type { InteractiveAction, MessageContent } from '../messaging/message-content.ts';
import { validateContent } from './content-rules.ts';

const rules = {
  text: { longest: 10, hasStyles: true },
  media: { image: { mimeTypes: ['image/png'], maxBytes: 5, longestCaption: 4 } },
  replyButtons: { most: 2, longestTitle: 3, longestBody: 5 },
  lists: { mostRows: 2, mostSections: 2, longestTitle: 3, longestDescription: 4, longestBody: 6 },
  linkButtons: false,
  contents: [],
  reactions: true,
  wordsRenewConsent: true,
  quotes: false,
};
const asking = (action: InteractiveAction, body = 'Hi'): MessageContent => ({
  type: 'interactive',
  body,
  action,
});
const buttons = (...titles: string[]): InteractiveAction => ({
  type: 'reply_buttons',
  buttons: titles.map((title) => ({ id: title, title })),
});
const list = (...rows: { title: string; description?: string }[]): InteractiveAction => ({
  type: 'list',
  button: 'Open',
  sections: [{ rows: rows.map((row) => ({ id: row.title, ...row })) }],
});
const tooLong = (n: number) => ({ code: 'message_too_long', n });
const unsupported = { code: 'message_kind_unsupported' };

describe('a channel', () => {
  it.each<[string, MessageContent]>([
    ['a text up to its length', { type: 'text', body: '0123456789' }],
    ['a picture', { type: 'media', kind: 'image', media: { id: '1' }, caption: '1234' }],
    ['a reaction', { type: 'reaction', messageId: '1', emoji: '👍' }],
    ['buttons', asking(buttons('yes', 'no'))],
    ['a list', asking(list({ title: 'one', description: 'more' }, { title: 'two' }))],
    ['a place', { type: 'location', location: { latitude: 1, longitude: 2 } }],
  ])('takes %s', (_, content) => {
    expect(validateContent(content, rules)).toBeNull();
  });

  it.each<[string, MessageContent, object]>([
    ['a longer text', { type: 'text', body: '01234567890' }, tooLong(10)],
    ['emoji that are longer than they look', { type: 'text', body: '👍👍👍👍👍👍' }, tooLong(10)],
    ['a long caption', { type: 'media', kind: 'image', media: { id: '1' }, caption: '12345' }, tooLong(4)],
    [
      'a kind of file that it does not know',
      { type: 'media', kind: 'video', media: { id: '1' } },
      unsupported,
    ],
    ['a quote', { type: 'text', body: 'Hi', replyTo: '1' }, unsupported],
    ['too many buttons', asking(buttons('1', '2', '3')), unsupported],
    ['a long button', asking(buttons('four')), tooLong(3)],
    ['a long question', asking(buttons('1'), '123456'), tooLong(5)],
    ['too many rows', asking(list({ title: '1' }, { title: '2' }, { title: '3' })), unsupported],
    ['a long row', asking(list({ title: 'four' })), tooLong(3)],
    ['a long description', asking(list({ title: '1', description: '12345' })), tooLong(4)],
    ['a link', asking({ type: 'link_button', label: 'Pay', url: 'https://a.example' }), unsupported],
  ])('refuses %s', (_, content, refusal) => {
    expect(validateContent(content, rules)).toEqual(refusal);
  });
});
