import { expect, test } from 'vitest';
import { templateAsMessage } from './template-message.ts';
import type { TemplateButton, TemplateComponent } from './template.ts';

const all = {
  replyButtons: { most: 3, longestTitle: 10, longestBody: 100 },
  linkButtons: true,
  contents: [],
};
const none = { replyButtons: null, linkButtons: false, contents: [] };
const body = { type: 'body', text: 'Hello {{name}}' } as const;
const shop: TemplateButton = { type: 'url', text: 'Shop', url: 'https://example.com/{{code}}' };
const call: TemplateButton = { type: 'phone_number', text: 'Call', phone_number: '+447700900100' };
const reply = (text: string): TemplateButton => ({ type: 'quick_reply', text });
const withButtons = (...buttons: TemplateButton[]): TemplateComponent[] => [
  body,
  { type: 'button', buttons },
];

test.each([
  ['a text alone', [body], all, { type: 'text', body: 'Hello {{name}}' }],
  [
    'title and footer',
    [
      { type: 'header', format: 'text', text: 'Sale' },
      body,
      { type: 'footer', text: 'Reply STOP to opt out' },
    ],
    all,
    { type: 'text', body: 'Sale\n\nHello {{name}}\n\nReply STOP to opt out' },
  ],
  [
    'answers to tap',
    withButtons(reply('Yes'), reply('No')),
    all,
    {
      ...{ type: 'interactive', body: 'Hello {{name}}' },
      action: {
        type: 'reply_buttons',
        buttons: [
          { id: '0', title: 'Yes' },
          { id: '1', title: 'No' },
        ],
      },
    },
  ],
  [
    'answers where none can be tapped',
    withButtons(reply('Yes')),
    none,
    { type: 'text', body: 'Hello {{name}}' },
  ],
  [
    'answers that are too many or too long',
    withButtons(reply('An answer too long')),
    all,
    { type: 'text', body: 'Hello {{name}}' },
  ],
  [
    'a link',
    withButtons(shop),
    all,
    {
      ...{ type: 'interactive', body: 'Hello {{name}}' },
      action: { type: 'link_button', label: 'Shop', url: 'https://example.com/{{code}}' },
    },
  ],
  [
    'links that no button can hold',
    withButtons(shop, call, reply('Yes')),
    all,
    { type: 'text', body: 'Hello {{name}}\n\nShop: https://example.com/{{code}}\nCall: +447700900100' },
  ],
] as const)('a template leaves as a message: %s', (_, components, limits, message) => {
  expect(templateAsMessage(components as TemplateComponent[], limits)).toEqual(message);
});
