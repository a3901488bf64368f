import { describe, expect, it } from 'vitest';
import type { MessageContent } from '@app/domain/messaging/message-content';
import { describeContent, writeMessageBody } from '../src/whatsapp-cloud/message-payload.ts';

const cases: [string, MessageContent, object][] = [
  [
    'a text with preview and quote',
    { type: 'text', body: 'See https://a.example', previewUrl: true, replyTo: 'wamid.1' },
    {
      type: 'text',
      text: { body: 'See https://a.example', preview_url: true },
      context: { message_id: 'wamid.1' },
    },
  ],
  [
    'an image by id',
    { type: 'media', kind: 'image', media: { id: '9' }, caption: 'Front', filename: 'x.png' },
    { type: 'image', image: { id: '9', caption: 'Front' } },
  ],
  [
    'a document by link',
    { type: 'media', kind: 'document', media: { link: 'https://a.example/a.pdf' }, filename: 'a.pdf' },
    { type: 'document', document: { link: 'https://a.example/a.pdf', filename: 'a.pdf' } },
  ],
  [
    'a voice note, which has no caption',
    { type: 'media', kind: 'audio', media: { id: '9' }, voice: true, caption: 'lost' },
    { type: 'audio', audio: { id: '9', voice: true } },
  ],
  [
    'a sticker',
    { type: 'media', kind: 'sticker', media: { id: '9' } },
    { type: 'sticker', sticker: { id: '9' } },
  ],
  [
    'a location',
    { type: 'location', location: { latitude: 51.5, longitude: -0.12, name: 'Shop' } },
    { type: 'location', location: { latitude: 51.5, longitude: -0.12, name: 'Shop' } },
  ],
  [
    'a contact card with only a formatted name',
    {
      type: 'contacts',
      contacts: [{ formattedName: 'Ann Lee', phones: [{ phone: '+447700900300', kind: 'WORK' }] }],
    },
    {
      type: 'contacts',
      contacts: [
        {
          name: { formatted_name: 'Ann Lee', first_name: 'Ann Lee' },
          phones: [{ phone: '+447700900300', type: 'WORK' }],
        },
      ],
    },
  ],
  [
    'a reaction taken back',
    { type: 'reaction', messageId: 'wamid.1', emoji: '' },
    { type: 'reaction', reaction: { message_id: 'wamid.1', emoji: '' } },
  ],
  [
    'reply buttons',
    {
      type: 'interactive',
      header: { type: 'text', text: 'Visit' },
      body: 'Keep Friday?',
      footer: 'Acme',
      action: { type: 'reply_buttons', buttons: [{ id: 'keep', title: 'Keep' }] },
    },
    {
      type: 'interactive',
      interactive: {
        type: 'button',
        header: { type: 'text', text: 'Visit' },
        body: { text: 'Keep Friday?' },
        footer: { text: 'Acme' },
        action: { buttons: [{ type: 'reply', reply: { id: 'keep', title: 'Keep' } }] },
      },
    },
  ],
  [
    'a list',
    {
      type: 'interactive',
      body: 'Choose',
      action: {
        type: 'list',
        button: 'Options',
        sections: [{ title: 'Fast', rows: [{ id: 'd1', title: 'Today' }] }],
      },
    },
    {
      type: 'interactive',
      interactive: {
        type: 'list',
        body: { text: 'Choose' },
        action: { button: 'Options', sections: [{ title: 'Fast', rows: [{ id: 'd1', title: 'Today' }] }] },
      },
    },
  ],
  [
    'a link button',
    {
      type: 'interactive',
      body: 'Pay',
      action: { type: 'link_button', label: 'Pay', url: 'https://p.example' },
    },
    {
      type: 'interactive',
      interactive: {
        type: 'cta_url',
        body: { text: 'Pay' },
        action: { name: 'cta_url', parameters: { display_text: 'Pay', url: 'https://p.example' } },
      },
    },
  ],
  [
    'a flow',
    {
      type: 'interactive',
      body: 'Book',
      action: { type: 'flow', flowId: '5', label: 'Book', flowToken: 't', screen: 'START', data: { k: 'v' } },
    },
    {
      type: 'interactive',
      interactive: {
        type: 'flow',
        body: { text: 'Book' },
        action: {
          name: 'flow',
          parameters: {
            flow_message_version: '3',
            flow_id: '5',
            flow_cta: 'Book',
            flow_token: 't',
            flow_action: 'navigate',
            flow_action_payload: { screen: 'START', data: { k: 'v' } },
          },
        },
      },
    },
  ],
];

describe('message payload', () => {
  it.each(cases)('writes %s', (_case, content, expected) => {
    expect(describeContent(content)).toEqual(expected);
  });

  it('names each recipient although the content is shared', () => {
    const content: MessageContent = { type: 'text', body: 'Hi' };
    const bodies = ['+447700900201', '+447700900202'].map((to, index) =>
      JSON.parse(writeMessageBody({ to, tag: `"${index}"`, content })),
    );
    expect(bodies).toMatchObject([
      { to: '+447700900201', biz_opaque_callback_data: '"0"', text: { body: 'Hi' } },
      { to: '+447700900202', biz_opaque_callback_data: '"1"', text: { body: 'Hi' } },
    ]);
  });
});

it('writes the same body for a content of one person, one that is shared, and one that comes again', () => {
  const hello: MessageContent = { type: 'text', body: 'Hello "Ann" 😀' };
  const offer: MessageContent = { type: 'text', body: 'Offer' };
  for (const content of [hello, hello, offer, hello, hello, offer, offer, offer]) {
    const body = writeMessageBody({ to: '+447700900201', tag: 'a "tag"', content });
    expect(JSON.parse(body)).toEqual({
      messaging_product: 'whatsapp',
      recipient_type: 'individual',
      to: '+447700900201',
      biz_opaque_callback_data: 'a "tag"',
      type: 'text',
      text: { body: content.type === 'text' ? content.body : '' },
    });
  }
});

it('somebody who hides their number is named by their id, also where a campaign shares what it says', () => {
  const content = { type: 'text', body: 'Hi' } as const;
  const write = (to: string) => JSON.parse(writeMessageBody({ to, tag: 't', content }));
  expect([write('GB.7310924415503'), write('GB.2'), write('+447700900201')]).toMatchObject([
    { recipient: 'GB.7310924415503', type: 'text' },
    { recipient: 'GB.2', text: { body: 'Hi' } },
    { to: '+447700900201' },
  ]);
  expect(write('GB.2')).not.toHaveProperty('to');
});
