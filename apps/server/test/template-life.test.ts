import { deflateSync } from 'node:zlib';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { eventually, openHostFixture, type HostFixture } from './host-fixture.ts';

type Template = {
  id: string;
  status: string;
  version: number;
  isSendable: boolean;
  rejectionReason: string | null;
  platform: { name: string; status: string | null; category: string | null; quality: string | null } | null;
};
type SandboxTemplate = { id: string; name: string; status: string };

let host: HostFixture;
let cookie: string;

beforeAll(async () => {
  host = await openHostFixture();
  const signIn = await fetch(`${host.url}/api/auth/sign-in/email`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ email: 'admin@example.com', password: 'Welcome123' }),
  });
  cookie = signIn.headers
    .getSetCookie()
    .map((line) => line.slice(0, line.indexOf(';')))
    .join('; ');
});
afterAll(() => host.close());

const body = (text: string) => ({ type: 'body', text });

async function create(name: string, values: object = {}): Promise<Template> {
  const template = {
    name,
    status: 'approved',
    components: [body('Hello {{name}}, all is well.')],
    ...values,
  };
  const created = await host.call<Template>('POST', '/api/templates', template);
  expect(created.status).toBe(200);
  return created.body;
}

function waitFor(id: string, check: (template: Template) => boolean): Promise<Template> {
  return eventually(async () => (await host.call<Template>('GET', `/api/templates/${id}`)).body, check);
}

async function onSandbox(name: string): Promise<SandboxTemplate | undefined> {
  const { templates } = await host.sandbox<{ templates: SandboxTemplate[] }>('/_sandbox/whatsapp/templates');
  return templates.find((template) => template.name === name);
}

describe('a template on the sandbox', () => {
  it('is reviewed there, follows its events, and is removed there', async () => {
    const { id } = await create('Life of one');
    const approved = await waitFor(id, ({ isSendable }) => isSendable);
    expect(approved.platform).toMatchObject({
      name: 'life_of_one',
      status: 'APPROVED',
      category: 'marketing',
    });

    await host.sandbox('/_sandbox/whatsapp/templates/life_of_one', { quality: 'RED' });
    await waitFor(id, ({ platform }) => platform?.quality === 'RED');
    await host.sandbox('/_sandbox/whatsapp/templates/life_of_one', { status: 'PAUSED' });
    await waitFor(id, (template) => !template.isSendable && template.platform?.status === 'PAUSED');
    await host.sandbox('/_sandbox/whatsapp/templates/life_of_one', { category: 'UTILITY' });
    await waitFor(id, ({ platform }) => platform?.category === 'utility');

    expect((await host.call('DELETE', `/api/templates/${id}`)).status).toBe(200);
    expect(await onSandbox('life_of_one')).toBeUndefined();
  });

  it('that the review rejects says why', async () => {
    const { id } = await create('Please reject');
    const rejected = await waitFor(
      id,
      ({ status, rejectionReason }) => status === 'rejected' && rejectionReason !== null,
    );
    expect(rejected).toMatchObject({ isSendable: false });
    expect(rejected.rejectionReason).toContain('Check variables');
  });

  it('that cannot even be submitted says why at once', async () => {
    const template = await create('Edge', { components: [body('{{name}}')] });
    expect(template).toMatchObject({ status: 'approved', isSendable: false });
    expect(template.rejectionReason).toContain('very start or end');
  });

  it('may change more often than the platform allows: it then goes on under another name', async () => {
    const { id } = await create('Edited often');
    for (const text of ['First change, {{name}}, for you.', 'Second change, {{name}}, for you.']) {
      const { version } = await waitFor(id, ({ isSendable }) => isSendable);
      await host.call('PATCH', `/api/templates/${id}`, { version, components: [body(text)] });
    }
    const last = await waitFor(id, ({ isSendable }) => isSendable);
    expect(last.platform?.name).toBe('edited_often_2');
    expect(await onSandbox('edited_often')).toBeUndefined();
  });

  it('is approved once more after a change, also when the platform tells both with the same second', async () => {
    const { id } = await create('Twice fine');
    const { version } = await waitFor(id, ({ isSendable }) => isSendable);
    const { id: templateId } = (await onSandbox('twice_fine')) ?? {};
    const value = {
      ...{ event: 'APPROVED', message_template_id: Number(templateId) },
      ...{ message_template_name: 'twice_fine', message_template_language: 'en_US', reason: 'NONE' },
    };
    const changes = [{ field: 'message_template_status_update', value }];
    const time = Math.floor(Date.now() / 1000) + 20;
    const approve = () =>
      host.deliver({
        object: 'whatsapp_business_account',
        entry: [{ id: '100000000000001', time, changes }],
      });
    expect(await approve()).toBe(200);
    await host.sandbox('/_sandbox/whatsapp/behaviour', { reviewDelayMs: 3_600_000 });
    const components = [body('Changed, {{name}}, for you.')];
    await host.call('PATCH', `/api/templates/${id}`, { version, components });
    await waitFor(id, ({ platform }) => platform?.status === 'PENDING');
    expect(await approve()).toBe(200);
    await waitFor(id, ({ isSendable }) => isSendable);
    await host.sandbox('/_sandbox/whatsapp/behaviour', { reviewDelayMs: 0 });
  });

  it('in several languages keeps one name', async () => {
    const english = await create('Many tongues');
    const german = await create('Many tongues', {
      language: 'de',
      components: [body('Hallo {{name}}, alles gut.')],
    });
    expect([english, german].map(({ platform }) => platform?.name)).toEqual(['many_tongues', 'many_tongues']);
  });

  it('with a picture, named variables and a button reaches a person', async () => {
    const media = await upload();
    const { id } = await create('All parts', {
      category: 'utility',
      components: [
        { type: 'header', format: 'image', media },
        body('Hello {{firstName}}, code {{code}} is yours, {{name}}, today.'),
        { type: 'footer', text: 'Thank you' },
        {
          type: 'button',
          buttons: [
            { type: 'quick_reply', text: 'Thanks' },
            { type: 'url', text: 'Open', url: 'https://shop.example/{{code}}' },
          ],
        },
      ],
    });
    await waitFor(id, ({ isSendable }) => isSendable);
    const contact = await host.call<{ id: string }>('POST', '/api/contacts', {
      name: 'Picture Person',
      phone: '+447700918888',
    });
    const sent = await host.call('POST', '/api/bulk-messages', {
      audience: { contactIds: [contact.body.id] },
      message: { templateId: id },
      variables: { code: { text: 'A-17' }, firstName: { field: 'name' } },
    });
    expect(sent).toMatchObject({ status: 200 });
    const path = '/_sandbox/whatsapp/messages?recipient=447700918888';
    const { messages } = await eventually(
      () => host.sandbox<{ messages: { template: string; failCode: number | null }[] }>(path),
      (answer) => answer.messages.length > 0,
    );
    expect(messages).toMatchObject([{ template: expect.stringContaining('all_parts'), failCode: null }]);
  });
});

describe('a template of the account', () => {
  type Found = { imported: number };
  type Listed = {
    id: string;
    name: string;
    language: string;
    whyNotSendable: string | null;
    version: number;
  };
  const find = async (name: string) =>
    (await host.call<{ items: Listed[] }>('GET', `/api/templates?name=${name}`)).body.items;
  const sentTo = (phone: string) =>
    eventually(
      () =>
        host.sandbox<{ messages: { template: string; failCode: number | null }[] }>(
          `/_sandbox/whatsapp/messages?recipient=${phone}`,
        ),
      ({ messages }) => messages.length > 0,
    );
  async function send(templateId: string, phone: string, name: string) {
    const contact = await host.call<{ id: string }>('POST', '/api/contacts', { name, phone: `+${phone}` });
    return host.call('POST', '/api/bulk-messages', {
      ...{ audience: { contactIds: [contact.body.id] }, message: { templateId } },
      variables: { button_1: { text: 'A-17' }, '1': { field: 'name' } },
    });
  }

  it('is taken over and sent in the locale that it has there', async () => {
    const taken = await host.call<Found>('POST', '/api/templates/account/imports', {});
    expect(taken.body.imported).toBeGreaterThan(0);
    const [hello] = await find('hello_world');
    expect(hello).toMatchObject({ language: 'en_US', whyNotSendable: null });
    expect(await send(hello?.id ?? '', '447700918881', 'Hello Person')).toMatchObject({ status: 200 });
    const { messages } = await sentTo('447700918881');
    expect(messages).toMatchObject([{ template: expect.stringContaining('hello_world'), failCode: null }]);
  });

  it('with a picture is sent once a file was chosen for it, without another review', async () => {
    await createInAccount('from_elsewhere');
    await host.call('POST', '/api/templates/account/imports', {});
    const [taken] = await find('from_elsewhere');
    expect(taken).toMatchObject({ language: 'en_GB', whyNotSendable: 'header_file_missing' });
    const { id = '', version } = taken ?? {};
    expect(await send(id, '447700918882', 'Too early')).toMatchObject({ status: 409 });
    const components = [
      { type: 'header', format: 'image', media: await upload() },
      body('Dear {{1}}, this is for you.'),
      { type: 'button', buttons: [{ type: 'url', text: 'Open', url: 'https://shop.example/{{button_1}}' }] },
    ];
    const changed = await host.call<Listed>('PATCH', `/api/templates/${id}`, { version, components });
    expect(changed.body).toMatchObject({ whyNotSendable: null, platform: { status: 'APPROVED' } });
    expect(await send(id, '447700918883', 'In time')).toMatchObject({ status: 200 });
    const { messages } = await sentTo('447700918883');
    expect(messages).toMatchObject([{ template: expect.stringContaining('from_elsewhere'), failCode: null }]);
  });
});

/** As somebody makes it in the vendor's own console. */
async function createInAccount(name: string): Promise<void> {
  const graph = `${host.sandboxUrl}/graph/v26.0`;
  const authorization = 'Bearer sandbox-access-token';
  const call = async (
    path: string,
    init: { headers?: Record<string, string>; body?: NonNullable<RequestInit['body']> },
  ) => {
    const headers = { authorization, ...init.headers };
    const response = await fetch(`${graph}/${path}`, { method: 'POST', ...init, headers });
    return (await response.json()) as { id?: string; h?: string };
  };
  const bytes = createPng();
  const started = await call(
    `300000000000001/uploads?file_length=${bytes.length}&file_type=image/png&file_name=a.png`,
    {},
  );
  const { h } = await call(started.id ?? '', {
    headers: { authorization: 'OAuth sandbox-access-token', file_offset: '0' },
    body: Uint8Array.from(bytes),
  });
  const components = [
    { type: 'HEADER', format: 'IMAGE', example: { header_handle: [h] } },
    { type: 'BODY', text: 'Dear {{1}}, this is for you.', example: { body_text: [['Ann']] } },
    {
      type: 'BUTTONS',
      buttons: [{ type: 'URL', text: 'Open', url: 'https://shop.example/{{1}}', example: ['x'] }],
    },
  ];
  const created = await call('100000000000001/message_templates', {
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ name, language: 'en_GB', category: 'MARKETING', components }),
  });
  expect(created).toMatchObject({ id: expect.any(String) });
}

async function upload(): Promise<{ id: string; name: string; size: number }> {
  const bytes = createPng();
  const started = await host.call<{ id: string }>('POST', '/api/uploads', {
    ...{ name: 'photo.png', size: bytes.length, purpose: 'header_image' },
  });
  const response = await fetch(`${host.url}/api/uploads/${started.body.id}`, {
    method: 'PATCH',
    headers: { cookie, 'upload-offset': '0' },
    body: Uint8Array.from(bytes),
  });
  const { media } = (await response.json()) as { media: { id: string; name: string; size: number } };
  return { id: media.id, name: media.name, size: media.size };
}

function createPng(): Buffer {
  const chunk = (type: string, content: Buffer) => {
    const size = Buffer.alloc(4);
    size.writeUInt32BE(content.length);
    return Buffer.concat([size, Buffer.from(type), content, Buffer.alloc(4)]);
  };
  const header = Buffer.from([0, 0, 0, 4, 0, 0, 0, 4, 8, 2, 0, 0, 0]);
  const signature = Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]);
  const rows = deflateSync(Buffer.alloc(4 * 13));
  return Buffer.concat([
    signature,
    chunk('IHDR', header),
    chunk('IDAT', rows),
    chunk('IEND', Buffer.alloc(0)),
  ]);
}
