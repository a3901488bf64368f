import fc from 'fast-check';
import { describe, expect, it, vi } from 'vitest';
import type { InboundEvent } from '@app/domain/messaging/inbound-event';
import { flattenJson } from '../src/whatsapp-cloud/webhooks/flatten-json.ts';
import { parseWebhook } from '../src/whatsapp-cloud/webhooks/parse-webhook.ts';

function parse(payload: unknown): InboundEvent[] {
  const events = parseWebhook(typeof payload === 'string' ? payload : JSON.stringify(payload));
  if (events === null) throw new Error('too many events');
  return events;
}

const wrap = (value: object, field = 'messages') => ({
  object: 'whatsapp_business_account',
  entry: [{ id: '1', changes: [{ field, value: { messaging_product: 'whatsapp', ...value } }] }],
});
const text = (id: string, more: object = {}) => ({
  ...{ id, from: '447700900201', timestamp: '1790000000', type: 'text', text: { body: 'Hi' }, ...more },
});

describe('what stands side by side', () => {
  it('keeps errors, calls and echoes beside messages', () => {
    const events = parse(
      wrap({
        messages: [text('wamid.1', { errors: [{ code: 131051 }] })],
        statuses: [{ id: 'wamid.2', status: 'read', timestamp: '1790000000' }],
        message_echoes: [text('wamid.3', { to: '447700900202' })],
        calls: [{ id: 'call.1', event: 'connect' }],
        errors: [{ code: 130429, title: 'Rate limit' }],
      }),
    );
    expect(events).toMatchObject([
      { type: 'message_status', messageId: 'wamid.2' },
      { type: 'message_received', messageId: 'wamid.1', direction: 'in', errors: [{ code: '131051' }] },
      { type: 'message_received', messageId: 'wamid.3', direction: 'out' },
      { type: 'call_progress', callId: 'call.1' },
      { type: 'channel_problem', errors: [{ code: '130429' }] },
    ]);
  });

  it('keeps all that contacts say, with the event they belong to or alone', () => {
    const ann = { wa_id: '447700900201', profile: { name: 'Ann', username: '@ann' }, identity_key_hash: 'k' };
    const stranger = { wa_id: '447700900299', profile: { name: 'Zoe' } };
    const events = parse(wrap({ contacts: [ann, stranger, 7], messages: [text('wamid.1')] }));
    expect(events).toMatchObject([
      { person: { username: '@ann' }, contact: ann },
      { type: 'unknown', raw: { contacts: [stranger, 7] } },
    ]);
  });
});

describe('times, numbers and texts from outside', () => {
  it.each([
    ['seconds as text', '1790000000', 1_790_000_000_000],
    ['seconds as a number', 1_790_000_000, 1_790_000_000_000],
    ['milliseconds given for seconds', '1790000000123', 1_790_000_000_123],
    ['beyond every calendar', 1e18, 0],
    ['microseconds', 1_790_000_000_123_456, 0],
    ['before time', -1, 0],
    ['no number', 'NaN', 0],
    ['infinite', '1e999', 0],
    ['a list', [1_790_000_000], 0],
    ['a switch', true, 0],
    ['nothing', null, 0],
  ])('reads a time that is %s', (_, timestamp, occurredAt) => {
    expect(parse(wrap({ messages: [text('wamid.1', { timestamp })] }))).toMatchObject([{ occurredAt }]);
  });

  it('takes no text without end for an id, keeps it, and gives it a short key', () => {
    const long = 'x'.repeat(3_000);
    const events = parse(
      wrap({
        messages: [text(long), text('wamid.1', { from_user_id: long, text: { body: long } })],
        statuses: [{ id: long, status: 'read' }],
      }),
    );
    expect(events).toMatchObject([
      { type: 'unknown', raw: { id: long } },
      { type: 'unknown', raw: { id: long } },
      { type: 'message_received', person: { userId: null }, content: { body: long } },
    ]);
    const [field] = parse({ entry: [{ id: '1', changes: [{ field: long, value: { a: 1 } }] }] });
    expect(field!.dedupKey.length).toBeLessThan(200);
  });

  it('keeps numbers that no number can hold', () => {
    expect(parse('{"entry":[{"changes":[{"field":"x","value":{"a":1e999,"b":-1E+400}}]}]}')).toMatchObject([
      { raw: { a: '1e999', b: '-1E+400' } },
    ]);
  });

  it('keeps what is nested without end as text and reads its neighbours', () => {
    const deep = `${'[{"a":'.repeat(100_000)}"end"${'}]'.repeat(100_000)}`;
    const body = `{"entry":[{"id":"1","changes":[{"field":"messages","value":{"messages":[${JSON.stringify(text('wamid.1'))},{"id":"wamid.2","x":${deep}},${JSON.stringify(text('wamid.3'))}]}}]}]}`;
    const events = parse(body);
    expect(events).toMatchObject([
      { messageId: 'wamid.1' },
      { messageId: 'wamid.2' },
      { messageId: 'wamid.3' },
    ]);
    expect(JSON.stringify(events[1]!.raw)).toContain('end');
  });

  it('stops at more events than the platform sends', () => {
    expect(parseWebhook(`{"entry":[${'{},'.repeat(900_000)}{}]}`)).toBeNull();
    expect(parseWebhook(JSON.stringify(wrap({ statuses: Array(900_000).fill(1) })))).toBeNull();
    expect(
      parse(wrap({ messages: Array.from({ length: 16_000 }, (_, i) => text(`wamid.${i}`)) })),
    ).toHaveLength(16_000);
  });
});

describe('nothing is dropped', () => {
  const names = [
    ...[
      'id',
      'time',
      'changes',
      'field',
      'value',
      'messages',
      'statuses',
      'contacts',
      'errors',
      'calls',
      'history',
    ],
    ...[
      'message_echoes',
      'user_preferences',
      'metadata',
      'threads',
      'type',
      'text',
      'system',
      'profile',
      'wa_id',
    ],
    ...[
      'user_id',
      'status',
      'timestamp',
      'phone_number_id',
      'pricing',
      'recipient_id',
      'unheard_of',
      '__proto__',
    ],
  ];
  const words = ['messages', 'history', 'user_preferences', 'text', 'system', 'stop', 'read', 'failed'];
  const numbers = ['447700900201', '447700900202', 'GB.1', 'GB.2'];
  const leaf = fc.oneof(fc.constant('leaf'), fc.constantFrom(...words, ...numbers), fc.constant(0));
  const any = fc.letrec((tie) => ({
    node: fc.oneof(
      { maxDepth: 4 },
      leaf,
      fc.array(tie('node'), { maxLength: 3 }),
      fc.dictionary(fc.constantFrom(...names), tie('node'), { maxKeys: 5 }),
    ),
  })).node;
  const element = fc.record(
    {
      ...{
        id: leaf,
        status: fc.constantFrom('read', 'leaf'),
        type: fc.constantFrom('text', 'system', 'call', 'payment', 'contact', 'leaf'),
        event: fc.constantFrom('connect', 'terminate', 'leaf'),
        action: fc.constantFrom('add', 'leaf'),
      },
      ...{
        from: leaf,
        wa_id: leaf,
        user_id: leaf,
        text: any,
        system: any,
        extra: any,
        profile: any,
        timestamp: leaf,
      },
    },
    { requiredKeys: [] },
  );
  const elements = fc.oneof(
    { weight: 4, arbitrary: fc.array(fc.oneof(element, any), { maxLength: 3 }) },
    { weight: 1, arbitrary: any },
  );
  const value = fc.record(
    {
      ...{
        messages: elements,
        statuses: elements,
        contacts: elements,
        user_preferences: elements,
        calls: elements,
        groups: elements,
        state_sync: elements,
      },
      ...{ message_echoes: elements, history: elements, errors: elements, metadata: any, unheard_of: any },
    },
    { requiredKeys: [] },
  );
  const change = fc.record(
    {
      field: fc.constantFrom(
        'messages',
        'history',
        'user_preferences',
        'smb_message_echoes',
        'account_update',
        'calls',
        'smb_app_state_sync',
        'group_status_update',
        'flows',
        'leaf',
      ),
      ...{ value: fc.oneof(value, any), extra: any },
    },
    { requiredKeys: ['field', 'value'] },
  );
  const entry = fc.record(
    { id: leaf, changes: fc.array(fc.oneof(change, any), { maxLength: 3 }), extra: any },
    { requiredKeys: [] },
  );
  const payload = fc.record(
    { entry: fc.array(fc.oneof(entry, any), { maxLength: 3 }), extra: any },
    { requiredKeys: ['entry'] },
  );

  it('of a body whose every leaf is another one, in whatever shape they stand', () => {
    fc.assert(
      fc.property(payload, (shape) => {
        const leaves: string[] = [];
        const body = JSON.stringify(shape, (_, part: unknown) => {
          if (part !== 'leaf' && part !== 0) return part;
          const place = `${leaves.length + 1}`.padStart(4, '0');
          leaves.push(part === 0 ? `7${place}7` : `leaf-${place}-`);
          return part === 0 ? Number(leaves.at(-1)) : leaves.at(-1);
        });
        const kept = JSON.stringify(parse(body));
        expect(leaves.filter((one) => !kept.includes(one))).toEqual([]);
      }),
      { numRuns: 2_000 },
    );
  });
});

describe('flattened JSON', () => {
  it('is the same but for what is nested too deep, which stands as its text', () => {
    fc.assert(
      fc.property(fc.json({ maxDepth: 8 }), fc.integer({ min: 1, max: 5 }), (json, depth) => {
        const flat: unknown = JSON.parse(flattenJson(json, depth, 10_000) ?? '');
        expect(unflatten(flat, depth)).toEqual(JSON.parse(json));
      }),
      { numRuns: 500 },
    );
  });

  it.each([
    ['lists that do not end', '['.repeat(3e6), 1],
    ['records that do not end', '{"a":'.repeat(6e5), 1],
    ['lists beside lists', `[${'[],'.repeat(1e6)}[]]`, undefined],
    ['names beside names', `{${'"a":1,'.repeat(5e5)}"a":1}`, undefined],
  ])('is nothing that a parser stands still on: %s', (_name, body, kept) => {
    const parsing = vi.spyOn(JSON, 'parse');
    const events = parseWebhook(Buffer.from(body));
    expect(parsing.mock.calls.filter(([text]) => text.length > 1_000)).toEqual([]);
    parsing.mockRestore();
    expect(events?.length).toBe(kept);
  });

  /** Reads the texts that stand for what lies deeper; no other text of these values is JSON of a list or record. */
  function unflatten(part: unknown, depth: number): unknown {
    if (typeof part === 'string' && depth === 0 && /^[[{]/.test(part)) {
      try {
        return JSON.parse(part);
      } catch {
        return part;
      }
    }
    if (typeof part !== 'object' || part === null) return part;
    if (Array.isArray(part)) return part.map((one) => unflatten(one, depth - 1));
    return Object.fromEntries(Object.entries(part).map(([key, one]) => [key, unflatten(one, depth - 1)]));
  }
});
