import { readdirSync, readFileSync } from 'node:fs';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { InboundEvent } from '@app/domain/messaging/inbound-event';
import { parseWebhook as parseBody } from '../src/whatsapp-cloud/webhooks/parse-webhook.ts';

const fixtures = new URL('../src/whatsapp-cloud/webhooks/fixtures/', import.meta.url);

const expected: Record<string, Record<string, unknown>[]> = {
  'message-text': [
    {
      type: 'message_received',
      direction: 'in',
      origin: 'live',
      occurredAt: 1_790_000_000_000,
      account: '100000000000001',
      address: '200000000000001',
      person: {
        phone: '+447700900201',
        userId: 'GB.7310924415503',
        parentUserId: null,
        username: '@annlee',
        name: 'Ann Lee',
      },
      content: { type: 'text', body: 'Do you open on Sunday? äö / 👋' },
    },
  ],
  'message-image': [{ content: { type: 'media', kind: 'image', mediaId: '9001', caption: 'The dent' } }],
  'message-video': [{ content: { type: 'media', kind: 'video', mediaId: '9002', url: null } }],
  'message-audio': [{ content: { type: 'media', kind: 'audio', mimeType: 'audio/ogg', voice: true } }],
  'message-document': [{ content: { type: 'media', kind: 'document', filename: 'order.pdf' } }],
  'message-sticker': [{ content: { type: 'media', kind: 'sticker', animated: true } }],
  'message-location': [{ content: { type: 'location', latitude: 51.5, longitude: -0.12, name: 'Shop' } }],
  'message-contacts': [
    { content: { type: 'contacts', contacts: [{ name: 'Bo', phones: ['+447700900301'], origin: 'other' }] } },
  ],
  'message-button-reply': [
    {
      content: { type: 'button_reply', source: 'interactive', payload: 'keep', title: 'Keep' },
      context: { quotedMessageId: 'wamid.ours', forwarded: false },
    },
  ],
  'message-list-reply': [{ content: { type: 'list_reply', id: 'd1', description: 'before 8 pm' } }],
  'message-flow-reply': [{ content: { type: 'flow_reply', answers: { flow_token: 'tok-1', rating: '4' } } }],
  'message-call-permission-reply': [
    { content: { type: 'call_permission_reply', accepted: true, expiresAt: 1_790_600_000_000 } },
  ],
  'message-template-button': [
    { content: { type: 'button_reply', source: 'template', payload: 'STOP_PROMO', title: 'Stop updates' } },
  ],
  'message-reaction': [{ content: { type: 'reaction', targetMessageId: 'wamid.ours', emoji: '👍' } }],
  'message-reaction-removed': [{ content: { type: 'reaction', emoji: '' } }],
  'message-order': [
    { content: { type: 'order', items: [{ productId: 'SKU1', quantity: 2, price: 9.5, currency: 'GBP' }] } },
  ],
  'message-edit': [
    { content: { type: 'edit', targetMessageId: 'wamid.old', content: { type: 'text', body: 'new text' } } },
  ],
  'message-revoke': [{ content: { type: 'revoke', targetMessageId: 'wamid.old' } }],
  'message-unsupported': [
    {
      content: { type: 'unsupported', vendorType: 'poll_creation' },
      errors: [{ code: '131051', title: 'Message type unknown' }],
    },
  ],
  'message-system-number-changed': [
    {
      type: 'identity_changed',
      change: 'phone',
      newPhone: '+447700900999',
      from: { phone: '+447700900201' },
    },
  ],
  'message-system-user-id-changed': [
    { type: 'identity_changed', change: 'user_id', newUserId: 'GB.9900112233445' },
  ],
  'message-advert': [{ referral: { sourceType: 'ad', sourceId: '1200', clickId: 'click-1' } }],
  'message-forwarded': [{ context: { quotedMessageId: null, forwarded: true, frequentlyForwarded: true } }],
  'message-hidden-number': [{ person: { phone: null, userId: 'GB.7310924415503', username: '@annlee' } }],
  'message-errors-only': [
    { type: 'channel_problem', errors: [{ code: '131000', title: 'Something went wrong' }] },
  ],
  'message-call-missed': [
    {
      ...{ type: 'message_received', direction: 'in', person: { phone: '+447700900201', name: 'Ann Lee' } },
      ...{ messageId: 'wacid.HBgLcall2', content: { type: 'call', outcome: 'missed', seconds: null } },
      ...{ occurredAt: 1_790_000_030_000, errors: [{ code: '138012' }] },
    },
  ],
  'message-call-answered': [{ content: { type: 'call', outcome: 'answered', seconds: 120 } }],
  'call-connect': [
    {
      ...{ type: 'call_progress', step: 'connect', callId: 'wacid.HBgLcall1' },
      person: { phone: '+447700900201' },
    },
  ],
  'call-status': [{ type: 'call_progress', step: 'ringing', person: { phone: '+447700900201' } }],
  'status-payment': [{ type: 'payment_event', status: 'failed', person: { phone: '+447700900201' } }],
  'payment-settings': [{ type: 'account_event', about: 'payment', event: 'Needs Testing', verdict: null }],
  'group-created': [{ type: 'group_event', change: 'group_create', groupId: 'group-1' }],
  'group-participants': [{ type: 'group_event', change: 'group_participants_add' }],
  'group-settings': [{ type: 'group_event', change: 'group_settings_update' }],
  'group-suspended': [{ type: 'group_event', change: 'group_suspend', occurredAt: 1_790_000_003_000 }],
  'status-sent': [
    {
      type: 'message_status',
      status: 'sent',
      messageId: 'wamid.ours',
      tag: 'campaign-1:17:1',
      occurredAt: 1_790_000_005_000,
      dedupKey: 'status:wamid.ours:sent:447700900201',
      pricing: { model: 'PMP', type: 'regular', category: 'marketing', billable: true },
    },
  ],
  'status-delivered': [{ status: 'delivered', recipient: { phone: '+447700900201', name: 'Ann Lee' } }],
  'status-read': [{ status: 'read', pricing: null, error: null }],
  'status-played': [{ status: 'played' }],
  'status-failed': [
    { status: 'failed', error: { code: '131049' }, action: { kind: 'hold_recipient', hours: 24 } },
  ],
  'status-deleted': [
    { type: 'unknown', reason: 'unexpected_shape', raw: { status: 'deleted' } },
    { type: 'unknown', raw: { contacts: [{ wa_id: '447700900201' }] } },
  ],
  'status-group': [{ groupId: 'group-1', dedupKey: 'status:wamid.group:delivered:447700900201' }],
  'preference-stop': [
    {
      type: 'preference_changed',
      preference: 'stop',
      person: { phone: '+447700900201' },
      occurredAt: 1_790_000_000_000,
    },
  ],
  'preference-resume': [{ preference: 'resume', signupId: null }],
  'preference-signup': [{ preference: 'signup', signupId: 's-1' }],
  'template-approved': [
    {
      type: 'template_status_changed',
      status: 'APPROVED',
      templateId: '700000000000001',
      templateName: 'order_update',
      language: 'en_GB',
      reason: null,
      category: 'utility',
      occurredAt: 1_790_000_000_000,
    },
  ],
  'template-rejected': [
    { status: 'REJECTED', reason: 'Variables stand side by side', recommendation: 'Put words between them' },
  ],
  'template-paused': [{ status: 'PAUSED', reason: 'FIRST_PAUSE', recommendation: 'Paused for three hours' }],
  'template-quality': [{ type: 'template_quality_changed', previousQuality: 'GREEN', quality: 'YELLOW' }],
  'template-category-notice': [
    {
      type: 'template_category_changed',
      stage: 'notice',
      previousCategory: 'utility',
      category: 'marketing',
    },
  ],
  'template-category-changed': [
    {
      type: 'template_category_changed',
      stage: 'changed',
      previousCategory: 'utility',
      category: 'marketing',
    },
  ],
  'template-components': [
    {
      type: 'template_components_changed',
      body: 'Your order is on its way',
      buttons: [{ type: 'URL', text: 'Track', url: 'https://shop.example/t', phoneNumber: null }],
    },
  ],
  'account-disabled': [
    {
      ...{ type: 'account_event', event: 'DISABLED_UPDATE', verdict: 'banned' },
      ...{ severity: 'critical', description: 'DISABLE' },
    },
  ],
  'account-restricted': [
    {
      ...{ event: 'ACCOUNT_RESTRICTION', verdict: 'campaigns_restricted', severity: 'critical' },
      description: 'RESTRICTED_BIZ_INITIATED_MESSAGING',
    },
  ],
  'account-review': [{ event: 'APPROVED', verdict: null, severity: 'information' }],
  'account-alert': [
    { event: 'PROFILE_PICTURE_LOST', severity: 'warning', description: 'The picture is gone' },
  ],
  'account-capability': [{ type: 'account_event', event: 'BUSINESS_CAPABILITY_UPDATE' }],
  'number-quality': [
    {
      type: 'number_event',
      event: 'THROUGHPUT_UPGRADE',
      description: 'TIER_UNLIMITED',
      severity: 'information',
    },
  ],
  'number-name': [{ event: 'REJECTED', severity: 'warning', description: 'Too general' }],
  'number-security': [{ event: 'PIN_CHANGED', severity: 'warning' }],
  'number-username': [{ event: 'APPROVED', description: 'acme' }],
  'flow-status': [
    {
      ...{ type: 'account_event', about: 'form', event: 'FLOW_STATUS_CHANGE', severity: 'information' },
      description: 'Flow Booking changed status from DRAFT to PUBLISHED',
    },
  ],
  'echo-text': [
    { origin: 'echo', direction: 'out', person: { phone: '+447700900201' }, dedupKey: 'message:wamid.echo' },
  ],
  history: [
    { origin: 'history', direction: 'out', person: { phone: '+447700900201' }, historyStatus: 'READ' },
    { origin: 'history', direction: 'in', person: { phone: '+447700900201' } },
    { type: 'unknown', field: 'history', raw: { metadata: { phase: 0 } } },
  ],
  'history-declined': [{ type: 'channel_problem', errors: [{ code: '2593109' }] }],
  'contact-sync': [
    { type: 'contact_synced', action: 'add', person: { phone: '+447700900201', name: 'Ann Lee' } },
  ],
};

function parseWebhook(body: Uint8Array | string): InboundEvent[] {
  const events = parseBody(body);
  if (events === null) throw new Error('too many events');
  return events;
}

function readFixture(name: string): Buffer {
  return readFileSync(new URL(`${name}.json`, fixtures));
}

describe('webhook payloads', () => {
  it('has an expectation for each fixture', () => {
    const names = readdirSync(fixtures).map((file) => file.replace('.json', ''));
    expect(names.toSorted()).toEqual(Object.keys(expected).toSorted());
  });

  it.each(Object.entries(expected))('reads %s', (name, events) => {
    const parsed = parseWebhook(readFixture(name));
    expect(parsed).toMatchObject(events);
    for (const event of parsed) expect(event.raw).toBeTruthy();
  });

  it('gives copies of one event the same key and different events different keys', () => {
    const keys = new Set<string>();
    for (const name of Object.keys(expected)) {
      const first = parseWebhook(readFixture(name)).map((event) => event.dedupKey);
      expect(parseWebhook(readFixture(name)).map((event) => event.dedupKey)).toEqual(first);
      for (const key of first) keys.add(key);
    }
    const count = Object.values(expected).reduce((sum, events) => sum + events.length, 0);
    expect(keys.size).toBe(count);
  });

  it('reads the platform escapes of slashes and letters', () => {
    const body = String.raw`{"entry":[{"id":"1","changes":[{"field":"messages","value":{"messages":[{"id":"w","type":"text","text":{"body":"\u00e4 \/ \ud83d\udc4b"}}]}}]}]}`;
    expect(parseWebhook(body)).toMatchObject([{ content: { type: 'text', body: 'ä / 👋' } }]);
  });

  it('keeps ids that no number can hold', () => {
    const body = `{"entry":[{"id":10000000000000000123,"time":1790000000,"changes":[{"field":"message_template_status_update","value":{"event":"APPROVED","message_template_id":70000000000000000001,"message_template_name":"a","message_template_language":"en"}}]}]}`;
    expect(parseWebhook(body)).toMatchObject([
      { account: '10000000000000000123', templateId: '70000000000000000001' },
    ]);
  });

  it('reads a batch of a thousand statuses in several entries', () => {
    const statuses = Array.from({ length: 500 }, (_, index) => ({
      id: `wamid.${index}`,
      status: 'delivered',
      timestamp: '1790000005',
      recipient_id: `4477009${String(index).padStart(5, '0')}`,
    }));
    const change = { field: 'messages', value: { metadata: { phone_number_id: '2' }, statuses } };
    const again = {
      ...change,
      value: { ...change.value, statuses: statuses.map((s) => ({ ...s, status: 'read' })) },
    };
    const events = parseWebhook(
      JSON.stringify({
        entry: [
          { id: '1', changes: [change] },
          { id: '1', changes: [again] },
        ],
      }),
    );
    expect(new Set(events.map((event) => event.dedupKey)).size).toBe(1000);
  });

  it('gives each bad element its own event and still reads its neighbours', () => {
    const value = {
      statuses: [{ id: 'wamid.1', status: 'sent' }, null, { status: 'sent' }, 7],
      messages: [{ id: 'wamid.2', type: 'hologram', hologram: {} }, 'x'],
    };
    const events = parseWebhook(JSON.stringify({ entry: [{ changes: [{ field: 'messages', value }] }, 5] }));
    expect(events).toMatchObject([
      { type: 'message_status', recipient: { phone: null, userId: null }, occurredAt: 0 },
      { type: 'unknown' },
      { type: 'unknown' },
      { type: 'unknown', raw: 7 },
      { type: 'message_received', content: { type: 'unsupported', vendorType: 'hologram' } },
      { type: 'unknown', raw: 'x' },
      { type: 'unknown', raw: 5 },
    ]);
  });

  it.each(['', 'not json', '[]', 'null', '{"entry":{}}', '{"entry":[{"changes":[null]}]}'])(
    'keeps a body that is no webhook: %s',
    (body) => {
      expect(parseWebhook(body)).toMatchObject([{ type: 'unknown', reason: 'unexpected_shape' }]);
    },
  );

  it('keeps a body nested deeper than a stack can go', () => {
    const deep = '['.repeat(200_000) + ']'.repeat(200_000);
    const body = `{"entry":[{"changes":[{"field":"flows","value":{"x":${deep}}}]}]}`;
    const events = parseWebhook(body);
    expect(events.map((event) => event.type)).toEqual(['unknown']);
  });

  it('replaces what no database text can hold and nothing else', () => {
    const body = String.raw`{"entry":[{"changes":[{"field":"messages","value":{"messages":[{"id":"w","type":"text","text":{"body":"a\u0000b \ud83d\udc4b \ud83d. \udc4b \\u0000"}}]}}]}]}`;
    expect(parseWebhook(body)).toMatchObject([
      { content: { body: String.raw`a${'\ufffd'}b 👋 ${'\ufffd'}. ${'\ufffd'} \u0000` } },
    ]);
  });

  it('never throws and never drops a change, whatever the shape', () => {
    const field = fc.constantFrom(
      'messages',
      'history',
      'user_preferences',
      'account_update',
      'message_template_status_update',
      'x',
    );
    const key = fc.constantFrom(
      'messages',
      'statuses',
      'contacts',
      'id',
      'type',
      'text',
      'interactive',
      'history',
      'x',
    );
    const value = fc.letrec((tie) => ({
      node: fc.oneof(
        { maxDepth: 5 },
        fc.constantFrom(null, 1, '', 'text', 'wamid.1', 'interactive', true),
        fc.array(tie('node'), { maxLength: 3 }),
        fc.dictionary(key, tie('node'), { maxKeys: 5 }),
      ),
    })).node;
    fc.assert(
      fc.property(fc.array(fc.record({ field, value }), { minLength: 1, maxLength: 3 }), (changes) => {
        const events = parseWebhook(JSON.stringify({ entry: [{ id: '1', changes }] }));
        expect(events.length).toBeGreaterThanOrEqual(changes.length);
      }),
      { numRuns: 300 },
    );
  });
});
