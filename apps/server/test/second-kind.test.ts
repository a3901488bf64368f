import { newId } from '@app/database/new-id';
import { sealCredentials } from '@app/api/platform/stored-credentials';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { longTest } from '@app/database/testing/long-test';
import { channelKinds } from '../src/channel-kinds.ts';
import { createSecretBox } from '../src/secret-box.ts';
import { eventually, openHostFixture, SECRET_KEY, type HostFixture } from './host-fixture.ts';
import { pigeonKind } from './pigeon-post/pigeon-kind.ts';
import { startPigeonVendor, type PigeonVendor } from './pigeon-post/pigeon-vendor.ts';

const LOFT = 'loft-7';
const ADDRESS = '/webhooks/pigeon-post/sample';

let host: HostFixture;
let vendor: PigeonVendor;
let templateId: string;

/** The whole product, with one more kind in its list, in a workspace that has a channel of that kind alone. */
beforeAll(async () => {
  vendor = await startPigeonVendor(LOFT);
  host = await openHostFixture([...channelKinds, pigeonKind]);
  await host.database.query('DELETE FROM channels');
  const sealed = await sealCredentials(
    pigeonKind.credentials,
    { loft: LOFT, server: vendor.url, ring: vendor.ring },
    createSecretBox(SECRET_KEY),
  );
  await host.database.query(
    `INSERT INTO channels (id, workspace_id, kind, address, display_name, credentials, is_connected, messages_per_second)
     VALUES ($1, $2, $3, $4, 'The loft', $5, true, $6)`,
    [
      ...[newId(), host.workspaceId, pigeonKind.name, sealed.address, sealed.credentials],
      pigeonKind.rates.messagesPerSecond,
    ],
  );
});
afterAll(async () => {
  await vendor.close();
  await host.close();
});

let groups = 0;
async function addContacts(tag: string, count: number): Promise<string[]> {
  const { rows } = await host.database.query<{ phone: string }>(
    `INSERT INTO contacts (id, workspace_id, name, phone, tags, status, created_at, updated_at, version)
     SELECT gen_random_uuid(), $1, 'Person ' || n, '+44770' || ($4::integer + n), ARRAY[$2::text], 'active', now(), now(), 1
       FROM generate_series(1, $3::integer) n RETURNING phone`,
    [host.workspaceId, tag, count, 9_200_000 + (groups += 1) * 1_000],
  );
  return rows.map(({ phone }) => phone);
}

async function sendTo(tag: string, message: object) {
  const { status, body } = await host.call<{ campaignId: string; recipients: number }>(
    'POST',
    '/api/bulk-messages',
    { audience: { filter: { tags: [tag] } }, message },
  );
  expect([status, body]).toMatchObject([200, { campaignId: expect.any(String) }]);
  return body;
}

type Counts = Record<'total' | 'sent' | 'delivered' | 'read' | 'failed' | 'unknown', number>;
const countsOf = async (campaignId: string) =>
  (await host.call<{ status: string; counts: Counts }>('GET', `/api/campaigns/${campaignId}`)).body;

it('the platform of another kind shakes hands at an address of its own, and only it is listened to', async () => {
  expect(await vendor.tell(`${host.url}/webhooks/pigeon-post/nobody`)).toBe(false);
  expect(await vendor.tell(`${host.url}${ADDRESS}`)).toBe(true);
  const post = async (path: string, headers: Record<string, string> = {}, body = '[]') => {
    const response = await fetch(`${host.url}${path}`, { method: 'POST', headers, body });
    return [response.status, ((await response.json()) as { error: { code: string } }).error.code];
  };
  expect(await post(ADDRESS)).toEqual([401, 'webhook_unsigned']);
  expect(await post(ADDRESS, {}, 'x'.repeat(100_000))).toEqual([401, 'webhook_unsigned']);
  expect(await post(ADDRESS, { 'x-seal': 'AAAA' })).toEqual([401, 'webhook_unsigned']);
  // What one kind takes for a proof says nothing to another.
  expect(await post(ADDRESS, { 'x-hub-signature-256': `sha256=${'0'.repeat(64)}` })).toEqual([
    ...[401, 'webhook_unsigned'],
  ]);
  expect(await post('/webhooks/smoke-signs/sample', { 'x-seal': 'AAAA' })).toEqual([404, 'address_unknown']);
  expect((await fetch(`${host.url}${ADDRESS}?hub.mode=subscribe`)).status).toBe(404);
});

it('a template is approved by whoever writes it, because no platform looks at it', async () => {
  const template = await host.call<{ id: string }>('POST', '/api/templates', {
    ...{ name: 'Spring', category: 'promotion', language: 'de', status: 'approved' },
    components: [
      { type: 'header', format: 'text', text: 'Spring' },
      { type: 'body', text: 'Hello {{name}}, it is spring at {{business}}.' },
      { type: 'footer', text: 'Reply STOP to opt out' },
      { type: 'button', buttons: [{ type: 'url', text: 'Shop', url: 'https://example.com' }] },
    ],
  });
  expect([template.status, template.body]).toMatchObject([200, { status: 'approved', platform: null }]);
  templateId = template.body.id;
});

longTest(
  'a campaign of a template goes out as messages of the kind, and its reports are counted once',
  async () => {
    const phones = await addContacts('spring', 60);
    const [empty, hunted] = phones as [string, string];
    vendor.empty.add(empty);
    vendor.hunted.add(hunted);
    const { campaignId, recipients } = await sendTo('spring', { templateId });
    expect(recipients).toBe(60);
    const { counts } = await eventually(
      () => countsOf(campaignId),
      ({ status, counts: { read, failed } }) => status === 'completed' && read === 58 && failed === 2,
    );
    expect(counts).toMatchObject({ total: 60, sent: 58, delivered: 58, read: 58, failed: 2, unknown: 0 });
    expect(vendor.letters.map(({ to }) => to).toSorted()).toEqual(
      phones.filter((phone) => phone !== empty).toSorted(),
    );
    expect(vendor.letters.find(({ note }) => note.includes('Person 7,'))?.note).toMatch(
      /^Spring\n\nHello Person 7, it is spring at Sample Business\.\n\nShop: http:\/\/[\d.:]+\/l\/[\w-]+\n\nReply STOP to opt out$/,
    );
    const { body } = await host.call<{ items: { errorCode: string; explanation: string }[] }>(
      'GET',
      `/api/campaigns/${campaignId}/recipients?outcome=failed`,
    );
    expect(body.items.map(({ errorCode }) => errorCode).toSorted()).toEqual([
      'pigeon-post.HAWK',
      'pigeon-post.NO_SUCH_ROOF',
    ]);
    // Without a text of the product, the platform's own words.
    expect(body.items.map(({ explanation }) => explanation).toSorted()).toEqual([
      'A hawk',
      'Nobody lives there',
    ]);
  },
);

it('who answers is a contact, and who says stop gets no more of what may be written at any time', async () => {
  const [stops, stays] = (await addContacts('talk', 2)) as [string, string];
  expect(await vendor.write(stops, 'STOP')).toBe(200);
  expect(await vendor.write('+447709111111', 'Who is this?')).toBe(200);
  const { rows } = await host.database.query(
    `SELECT c.phone, c.last_message, c.window_expires_at AS window, c.opted_out_at IS NOT NULL AS "isOut", m.channel_id = ch.id AS "isOfLoft"
       FROM contacts c JOIN messages m ON m.contact_id = c.id JOIN channels ch ON ch.address = $1
      WHERE c.phone = ANY ($2) ORDER BY c.phone DESC`,
    [LOFT, [stops, '+447709111111']],
  );
  expect(rows).toEqual(
    [
      { phone: stops, last_message: 'STOP', window: null, isOut: true, isOfLoft: true },
      { phone: '+447709111111', last_message: 'Who is this?', window: null, isOut: false, isOfLoft: true },
    ].toSorted((one, other) => (one.phone < other.phone ? 1 : -1)),
  );
  const before = vendor.letters.length;
  const { campaignId } = await sendTo('talk', { customMessage: 'Hi {{name}}, come by.' });
  await eventually(
    () => countsOf(campaignId),
    ({ status }) => status === 'completed',
  );
  expect(vendor.letters.slice(before)).toMatchObject([{ to: stays, note: 'Hi Person 2, come by.' }]);
});

it('test messages, the list of channels, health and templates go by what the kind can do', async () => {
  const sent = await host.call('POST', '/api/campaigns/test-message', {
    ...{ message: { templateId }, phone: '+447709222222' },
  });
  expect(sent.status).toBe(200);
  expect(vendor.letters.at(-1)).toMatchObject({
    to: '+447709222222',
    note: expect.stringMatching(/^Spring\n\nHello /),
  });
  const { body: channels } = await host.call('GET', '/api/channels');
  expect(channels).toMatchObject({
    items: [
      {
        ...{ kind: 'pigeon-post', displayName: 'The loft', isSender: true, connection: 'platform' },
        ...{ stopped: null, capabilities: { templates: 'none', freeTextHours: null } },
      },
    ],
  });
  const { body: health } = await host.call('GET', '/api/health');
  expect(health).toMatchObject({ messagingApi: { state: 'operational' } });
  // Nobody there reviews templates: nothing is handed in, and whoever may edit them decides.
  expect((await host.call('POST', '/api/templates/sync', {})).status).toBe(409);
  // What another platform said of one counts here for nothing, in the list of what may be sent as in the sending.
  await host.database.query(`UPDATE templates SET platform_status = 'PAUSED' WHERE id = $1`, [templateId]);
  const { body: approved } = await host.call('GET', '/api/templates?status=approved');
  expect(approved).toMatchObject({
    items: expect.arrayContaining([
      expect.objectContaining({ id: templateId, standing: 'approved', isSendable: true }),
    ]),
  });
  expect((await sendTo('talk', { templateId })).recipients).toBe(1);
  const { body: template } = await host.call<{ version: number }>('GET', `/api/templates/${templateId}`);
  const changed = await host.call('PATCH', `/api/templates/${templateId}`, {
    ...{ version: template.version, status: 'draft' },
  });
  expect([changed.status, changed.body]).toMatchObject([200, { status: 'draft' }]);
  const refused = await host.call('POST', '/api/bulk-messages', {
    ...{ audience: { filter: { tags: ['talk'] } }, message: { templateId } },
  });
  expect([refused.status, refused.body]).toMatchObject([409, { error: { code: 'template_not_approved' } }]);
});

const ribbons = {
  ...{ kind: 'pigeon-post', contentType: 'ribbons' },
  value: { note: 'For {{name}}', ribbons: [{ colour: 'red', text: '{{name}}' }] },
};
const body = { type: 'body', text: 'Hello {{name}}, ribbons!' };

it('a template and a campaign carry a form of message that the kind alone has', async () => {
  const create = (content: object) =>
    host.call<{ id: string }>('POST', '/api/templates', {
      ...{ name: 'Ribbons', category: 'promotion', language: 'en', status: 'approved' },
      components: [body, { type: 'content', ...content }],
    });
  const { status, body: template } = await create(ribbons);
  expect([status, template]).toMatchObject([200, { variables: ['name'], components: [body, ribbons] }]);
  const [red] = ribbons.value.ribbons;
  expect(
    await create({ ...ribbons, value: { ...ribbons.value, ribbons: [red, red, red, red] } }),
  ).toMatchObject({
    ...{ status: 422, body: { error: { code: 'template_invalid' } } },
  });
  // The carousel of another kind is sent by no template, and a form that nobody has by none either.
  for (const other of [
    { ...ribbons, contentType: 'bells' },
    { ...ribbons, kind: 'whatsapp', contentType: 'carousel' },
  ])
    expect(await create(other)).toMatchObject({
      ...{
        status: 422,
        body: {
          error: { code: 'template_invalid', details: { values: { problem: 'content_unsupported' } } },
        },
      },
    });
  await addContacts('ribbons', 3);
  const before = vendor.letters.length;
  const { campaignId } = await sendTo('ribbons', { templateId: template.id });
  await eventually(
    () => countsOf(campaignId),
    ({ status: is }) => is === 'completed',
  );
  expect(
    vendor.letters
      .slice(before)
      .map(({ note }) => note)
      .toSorted(),
  ).toEqual([1, 2, 3].map((n) => `For Person ${n} (red) Person ${n}`));
});

it('a reply carries it too, and is refused with the place that is wrong', async () => {
  const [roof] = (await addContacts('reply', 1)) as [string];
  expect(await vendor.write(roof, 'Any ribbons?')).toBe(200);
  const { body: list } = await host.call<{ items: { id: string; contact: { phone: string } }[] }>(
    'GET',
    '/api/conversations',
  );
  const conversation = list.items.find(({ contact }) => contact.phone === roof)!; // it just wrote
  const send = (content: object) =>
    host.call('POST', `/api/conversations/${conversation.id}/messages`, { message: { content } });
  const blue = { note: 'Yes', ribbons: [{ colour: 'blue', text: 'Here' }], unasked: 1 };
  const sent = await send({ ...ribbons, value: blue });
  expect([sent.status, sent.body]).toMatchObject([
    200,
    {
      ...{ type: 'kind_content', text: 'A note with ribbons: Yes' },
      content: { kind: 'pigeon-post', contentType: 'ribbons', value: { note: 'Yes' } },
    },
  ]);
  await eventually(
    async () => vendor.letters.at(-1)?.note,
    (note) => note === 'Yes (blue) Here',
  );
  const wrong = await send({
    ...ribbons,
    value: { note: 'Yes', ribbons: [{ colour: 'green', text: 'Here' }] },
  });
  expect([wrong.status, wrong.body]).toMatchObject([
    422,
    {
      error: {
        code: 'message_content_invalid',
        details: { values: { path: 'ribbons.0.colour', problem: 'not_known' } },
      },
    },
  ]);
  const foreign = await send({ ...ribbons, kind: 'whatsapp', contentType: 'carousel' });
  expect([foreign.status, foreign.body]).toMatchObject([
    422,
    { error: { code: 'message_kind_unsupported' } },
  ]);
  const { body: channels } = await host.call('GET', '/api/channels');
  expect(channels).toMatchObject({
    items: [
      { capabilities: { contents: [{ kind: 'pigeon-post', contentType: 'ribbons', inTemplates: true }] } },
    ],
  });
});
