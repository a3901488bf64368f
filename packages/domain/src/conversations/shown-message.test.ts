import { describe, expect, test } from 'vitest';
import type { InboundContent } from '../messaging/inbound-event.ts';
import type { MessageContent } from '../messaging/message-content.ts';
import type { TemplateComponent } from '../templates/template.ts';
import { shownLine, shownMessage, type LineKind } from './shown-message.ts';

const shown = (content: InboundContent | MessageContent, text: string | null = null) =>
  shownMessage({ type: content.type, text, content });

const inbound: { [Type in InboundContent['type']]: [InboundContent, unknown, LineKind, string] } = {
  text: [{ type: 'text', body: 'a' }, { kind: 'text', body: 'a' }, 'text', 'a'],
  media: [
    {
      ...{ type: 'media', kind: 'audio', mediaId: '1', mimeType: 'audio/ogg', sha256: null, caption: null },
      ...{ filename: null, voice: true, animated: false, url: null },
    },
    { kind: 'media', media: 'audio', caption: '', name: '', isVoice: true, isAnimated: false },
    'voice',
    '',
  ],
  location: [
    { type: 'location', latitude: 1, longitude: 2, name: null, address: 'Main St', url: null },
    { kind: 'location', latitude: 1, longitude: 2, name: '', address: 'Main St' },
    'location',
    'Main St',
  ],
  contacts: [
    {
      type: 'contacts',
      contacts: [
        {
          ...{
            name: 'Ann',
            phones: ['+1'],
            emails: [],
            urls: [],
            company: null,
            addresses: [],
            birthday: null,
          },
          origin: null,
        },
      ],
    },
    {
      kind: 'contacts',
      cards: [
        { name: 'Ann', phones: ['+1'], emails: [], urls: [], company: '', addresses: [], birthday: '' },
      ],
    },
    'contacts',
    'Ann',
  ],
  button_reply: [
    { type: 'button_reply', source: 'template', payload: 'p', title: 'Yes' },
    { kind: 'choice', title: 'Yes', detail: '' },
    'text',
    'Yes',
  ],
  list_reply: [
    { type: 'list_reply', id: '1', title: 'Large', description: '40 cm' },
    { kind: 'choice', title: 'Large', detail: '40 cm' },
    'text',
    'Large',
  ],
  flow_reply: [
    {
      ...{ type: 'flow_reply', name: 'flow', text: 'Sent', answersText: '{}' },
      answers: { flow_token: 'secret', day: 'Monday', sizes: ['S', 'M'], more: { a: 1 } },
    },
    {
      ...{ kind: 'form', name: '', text: 'Sent' },
      answers: [
        { name: 'day', value: 'Monday' },
        { name: 'sizes', value: 'S, M' },
        { name: 'more', value: '{"a":1}' },
      ],
    },
    'form',
    '',
  ],
  call_permission_reply: [
    { type: 'call_permission_reply', accepted: true, expiresAt: 5 },
    { kind: 'call_permission', isAccepted: true, expiresAt: 5 },
    'call_permission',
    '',
  ],
  call: [
    { type: 'call', outcome: 'missed', seconds: null },
    { kind: 'call', isMissed: true, seconds: null },
    'missed_call',
    '',
  ],
  reaction: [
    { type: 'reaction', targetMessageId: '1', emoji: '👍' },
    { kind: 'reaction', emoji: '👍' },
    'reaction',
    '👍',
  ],
  order: [
    {
      ...{ type: 'order', catalogId: '1', text: null },
      items: [
        { productId: 'a', quantity: 2, price: 1.5, currency: 'EUR' },
        { productId: 'b', quantity: null, price: 1, currency: 'EUR' },
      ],
    },
    {
      ...{ kind: 'order', note: '', totals: [{ currency: 'EUR', amount: 4 }] },
      items: [
        { product: 'a', quantity: 2, price: 1.5, currency: 'EUR' },
        { product: 'b', quantity: null, price: 1, currency: 'EUR' },
      ],
    },
    'order',
    '',
  ],
  // Changes of other messages are shown on these.
  edit: [
    { type: 'edit', targetMessageId: '1', content: { type: 'text', body: 'b' } },
    { kind: 'unsupported', vendorType: 'edit' },
    'unsupported',
    '',
  ],
  revoke: [
    { type: 'revoke', targetMessageId: '1' },
    { kind: 'unsupported', vendorType: 'revoke' },
    'unsupported',
    '',
  ],
  unsupported: [
    { type: 'unsupported', vendorType: 'poll' },
    { kind: 'unsupported', vendorType: 'poll' },
    'unsupported',
    '',
  ],
};

const card = { template: null, header: null, footer: '', buttons: [], sections: [] };

const outbound: [string, MessageContent, unknown][] = [
  ['a text', { type: 'text', body: 'a' }, { kind: 'text', body: 'a' }],
  [
    'a document',
    { type: 'media', kind: 'document', media: { id: '1' }, caption: 'See', filename: 'a.pdf' },
    { kind: 'media', media: 'document', caption: 'See', name: 'a.pdf', isVoice: false, isAnimated: false },
  ],
  [
    'a location',
    { type: 'location', location: { latitude: 1, longitude: 2, name: 'Shop' } },
    { kind: 'location', latitude: 1, longitude: 2, name: 'Shop', address: '' },
  ],
  [
    'a contact',
    {
      type: 'contacts',
      contacts: [
        { formattedName: 'Ann', phones: [{ phone: '+1' }], emails: [{ email: 'a@b.test' }], company: 'Acme' },
      ],
    },
    {
      kind: 'contacts',
      cards: [
        {
          name: 'Ann',
          phones: ['+1'],
          emails: ['a@b.test'],
          urls: [],
          company: 'Acme',
          addresses: [],
          birthday: '',
        },
      ],
    },
  ],
  [
    'buttons',
    {
      ...{ type: 'interactive', body: 'Which?', footer: 'Acme', header: { type: 'text', text: 'Hi' } },
      action: { type: 'reply_buttons', buttons: [{ id: '1', title: 'A' }] },
    },
    {
      ...{ kind: 'card', ...card, body: 'Which?', footer: 'Acme', header: { kind: 'text', text: 'Hi' } },
      buttons: [{ kind: 'reply', text: 'A', target: null }],
    },
  ],
  [
    'a list',
    {
      ...{ type: 'interactive', body: 'Which?' },
      action: { type: 'list', button: 'Show', sections: [{ title: 'All', rows: [{ id: '1', title: 'A' }] }] },
    },
    {
      ...{ kind: 'card', ...card, body: 'Which?', buttons: [{ kind: 'list', text: 'Show', target: null }] },
      sections: [{ title: 'All', rows: [{ title: 'A', description: '' }] }],
    },
  ],
  [
    'a link',
    {
      type: 'interactive',
      body: 'See',
      action: { type: 'link_button', label: 'Open', url: 'https://a.test' },
    },
    {
      kind: 'card',
      ...card,
      body: 'See',
      buttons: [{ kind: 'link', text: 'Open', target: 'https://a.test' }],
    },
  ],
  [
    'products',
    {
      ...{ type: 'interactive', body: 'See' },
      action: { type: 'product_list', catalogId: '1', sections: [{ title: 'New', productIds: ['a'] }] },
    },
    {
      ...{ kind: 'card', ...card, body: 'See', buttons: [{ kind: 'catalog', text: '', target: null }] },
      sections: [{ title: 'New', rows: [{ title: 'a', description: '' }] }],
    },
  ],
];

describe('what a message shows', () => {
  test.each(Object.values(inbound))('of a person: %o', (content, expected, kind, text) => {
    const line = content.type === 'reaction' ? '👍' : null;
    expect(shown(content, line)).toEqual(expected);
    expect(shownLine(shown(content, line))).toEqual({ kind, text });
  });

  test.each(outbound)('of ours: %s', (_, content, expected) => {
    expect(shown(content)).toEqual(expected);
  });

  test('is what is left of old or broken rows', () => {
    expect(shownMessage({ type: 'text', text: 'old', content: null })).toEqual({ kind: 'text', body: 'old' });
    expect(shownMessage({ type: 'media', text: '[image]', content: null })).toMatchObject({ caption: '' });
    expect(shownMessage({ type: 'media', text: 'Look', content: null })).toMatchObject({ caption: 'Look' });
    expect(shownMessage({ type: 'location', text: 'here', content: { latitude: 'x' } })).toEqual({
      ...{ kind: 'text', body: 'here' },
    });
    expect(shownMessage({ type: 'location', text: '', content: { latitude: 91, longitude: 0 } })).toEqual({
      ...{ kind: 'text', body: '' },
    });
    for (const content of [null, 1, 'x', [], { contacts: 1, items: {}, sections: [null], answers: [] }])
      for (const type of [...Object.keys(inbound), 'template', 'interactive', 'image', 'toString'])
        expect(() => shownLine(shownMessage({ type, text: null, content }))).not.toThrow();
  });
});

describe('a template', () => {
  const components: TemplateComponent[] = [
    { type: 'header', format: 'text', text: 'For {{firstName}}' },
    { type: 'body', text: 'Hi {{firstName}}, *{{discount}}* off' },
    { type: 'footer', text: 'Acme' },
    {
      type: 'button',
      buttons: [
        { type: 'url', text: 'Shop', url: 'https://a.test/{{code}}' },
        { type: 'quick_reply', text: 'Stop' },
        { type: 'phone_number', text: 'Call', phone_number: '+14155550100' },
      ],
    },
  ];

  test('shows what this person got', () => {
    const content = {
      ...{ type: 'template', name: 'sale', language: 'en' },
      header: { type: 'text', text: 'Ann', name: 'first_name' },
      body: { format: 'named', values: { first_name: 'Ann', discount: '5 %' } },
      buttons: [{ type: 'url', index: 1, suffix: 'A1' }],
    } as const satisfies MessageContent;
    expect(shownMessage({ type: 'template', text: 'x', content, components })).toEqual({
      ...{ kind: 'card', template: 'sale', footer: 'Acme', sections: [] },
      header: { kind: 'text', text: 'For Ann' },
      body: 'Hi Ann, *5 %* off',
      // In the order in which the platform has them.
      buttons: [
        { kind: 'reply', text: 'Stop', target: null },
        { kind: 'link', text: 'Shop', target: 'https://a.test/A1' },
        { kind: 'phone', text: 'Call', target: '+14155550100' },
      ],
    });
  });

  test('that is gone shows the line that was kept', () => {
    const content = { type: 'template', name: 'sale', language: 'en' };
    const gone = shownMessage({ type: 'template', text: 'Hi Ann', content });
    expect(gone).toMatchObject({ template: 'sale', header: null, body: 'Hi Ann', buttons: [] });
    expect(shownLine(gone)).toEqual({ kind: 'text', text: 'Hi Ann' });
    expect(shownLine(shownMessage({ type: 'template', text: 'sale', content }))).toEqual({
      ...{ kind: 'template', text: 'sale' },
    });
  });
});

test('a line is one line, and no longer than it is read', () => {
  expect(shownLine({ kind: 'text', body: ' a\n\n b ' }).text).toBe('a b');
  expect(shownLine({ kind: 'text', body: '*Yes*, _to ~all~_ `3*4` of a_b_c' }).text).toBe(
    'Yes, to all 3*4 of a_b_c',
  );
  const { text } = shownLine({ kind: 'text', body: '👩‍👩‍👧‍👦'.repeat(500) });
  expect(text.length).toBeLessThan(303);
  expect(text.isWellFormed()).toBe(true);
});
