import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import type { ChannelTemplateDraft } from '@app/domain/messaging/channel-template';
import { ProviderRejected, ProviderUnreachable } from '../src/provider-errors.ts';
import type { PlatformFile } from '@app/domain/channels/open-channel';
import {
  createWhatsAppCloudClient,
  type WhatsAppCloudClient,
} from '../src/whatsapp-cloud/whatsapp-cloud-client.ts';
import { type FaultyServer, graphError, json, startFaultyServer } from './faulty-server.ts';

let server: FaultyServer;
let client: WhatsAppCloudClient;

beforeAll(async () => {
  server = await startFaultyServer();
  client = createWhatsAppCloudClient({
    baseUrl: `${server.origin}/graph/v26.0/`,
    accessToken: 'secret-token',
    phoneNumberId: '200000000000001',
    businessAccountId: '100000000000001',
    appId: '300000000000001',
    timeouts: { headersMs: 500, bodyMs: 500, connectMs: 500, totalMs: 2_000 },
  });
});
afterEach(() => {
  server.received.length = 0;
});
afterAll(async () => {
  await client.close();
  await server.close();
});

function source(text: string): PlatformFile {
  const bytes = Buffer.from(text);
  return {
    name: 'a "b".png',
    mimeType: 'image/png',
    size: bytes.length,
    async *open(fromByte) {
      for (let at = fromByte; at < bytes.length; at += 4) yield bytes.subarray(at, at + 4);
    },
  };
}

async function readAll(content: AsyncIterable<Uint8Array>): Promise<string> {
  const chunks: Uint8Array[] = [];
  for await (const chunk of content) chunks.push(chunk);
  return Buffer.concat(chunks).toString();
}

const draft: ChannelTemplateDraft = {
  name: 'hello',
  language: 'en',
  category: 'utility',
  body: 'Hello there',
};

describe('templates', () => {
  it('are listed page by page', async () => {
    server.answerWith((request, response) => {
      const isSecond = request.url.includes('after=c1');
      json(200, {
        data: [{ id: isSecond ? '2' : '1', name: 'a', status: 'APPROVED' }, { broken: true }],
        paging: isSecond ? { cursors: { after: 'c2' } } : { cursors: { after: 'c1' }, next: 'https://next' },
      })(request, response);
    });
    const first = await client.listTemplates();
    expect(first).toMatchObject({ templates: [{ id: '1' }], nextCursor: 'c1' });
    expect(await client.listTemplates({ cursor: 'c1' })).toMatchObject({
      templates: [{ id: '2' }],
      nextCursor: null,
    });
    expect(server.received[0]?.url).toMatch(/^\/graph\/v26\.0\/100000000000001\/message_templates\?fields=/);
  });

  it('are created, and the category that the platform chose is told', async () => {
    server.answerWith(json(200, { id: '7', status: 'APPROVED', category: 'MARKETING' }));
    expect(await client.createTemplate(draft)).toEqual({
      id: '7',
      status: 'APPROVED',
      category: 'marketing',
    });
  });

  it('are edited and deleted by their addresses', async () => {
    server.answerWith(json(200, { success: true }));
    await client.editTemplate('7', draft);
    await client.deleteTemplate('hello', '7');
    expect(server.received.map(({ method, url }) => `${method} ${url}`)).toEqual([
      'POST /graph/v26.0/7',
      'DELETE /graph/v26.0/100000000000001/message_templates?name=hello&hsm_id=7',
    ]);
  });

  it('tell why they were refused', async () => {
    server.answerWith(graphError(400, 100, { error_subcode: 2388024, error_user_msg: 'Exists' }));
    const error: unknown = await client.createTemplate(draft).catch((caught: unknown) => caught);
    expect(error).toBeInstanceOf(ProviderRejected);
    expect(error).toMatchObject({
      code: '100',
      subcode: '2388024',
      httpStatus: 400,
      retryable: false,
      details: 'Exists',
      traceId: 'Atrace',
    });
  });
});

describe('faults of other calls', () => {
  it.each([
    ['429 in HTML', 429, '<html>', { code: 'http_429', retryable: true }],
    ['500 in HTML', 500, '<html>', { code: 'http_500', retryable: true }],
    ['404 in HTML', 404, '<html>', { code: 'http_404', retryable: false }],
  ])('%s is a rejection', async (_case, status, body, expected) => {
    server.answerWith((_request, response) => response.writeHead(status).end(body));
    await expect(client.getPhoneNumber()).rejects.toMatchObject(expected);
  });

  it('a rate limit with its code may be tried again', async () => {
    server.answerWith(graphError(429, 80007));
    await expect(client.getPhoneNumber()).rejects.toMatchObject({ code: '80007', retryable: true });
  });

  it('a lost connection is told as such, after it was sent', async () => {
    server.answerWith((_request, response) => response.destroy());
    const error: unknown = await client.markRead('wamid.1').catch((caught: unknown) => caught);
    expect(error).toBeInstanceOf(ProviderUnreachable);
    expect(error).toMatchObject({ phase: 'after_send', reason: 'connection_lost' });
    expect(String(error)).not.toContain('secret-token');
  });

  it('ids cannot leave their place in the address', async () => {
    server.answerWith(json(200, { id: '1', name: 'x' }));
    await client.getTemplate('../1?access_token=x');
    expect(server.received[0]?.url).toContain('/graph/v26.0/..%2F1%3Faccess_token%3Dx?fields=');
  });
});

describe('media', () => {
  it('is uploaded as a form with progress', async () => {
    server.answerWith(json(200, { id: '9001' }));
    const progress: number[] = [];
    expect(await client.uploadMedia(source('0123456789'), (sent) => progress.push(sent))).toBe('9001');
    const [request] = server.received;
    const form = await new Response(new Uint8Array(request?.body ?? []), {
      headers: { 'content-type': request?.headers['content-type'] ?? '' },
    }).formData();
    expect(form.get('messaging_product')).toBe('whatsapp');
    expect(form.get('type')).toBe('image/png');
    const file = form.get('file') as File; // the part has a filename
    expect([file.name, file.type, await file.text()]).toEqual(['a _b_.png', 'image/png', '0123456789']);
    expect(progress.at(-1)).toBe(10);
    expect(progress).toEqual(progress.toSorted((a, b) => a - b));
  });

  it('is downloaded with the token, with a fresh address when the first has expired', async () => {
    let asked = 0;
    server.answerWith((request, response) => {
      if (request.url.startsWith('/graph/')) {
        asked += 1;
        json(200, {
          url: `${server.origin}/files/${asked}`,
          mime_type: 'image/png',
          file_size: '4',
          sha256: 'ab',
        })(request, response);
      } else if (request.url === '/files/1') response.writeHead(404).end();
      else response.end(request.headers.authorization === 'Bearer secret-token' ? 'data' : 'none');
    });
    const download = await client.downloadMedia('9001');
    expect([download.size, await readAll(download.content)]).toEqual([4, 'data']);
    expect(asked).toBe(2);
  });

  it('does not hand the token to another host', async () => {
    const other = await startFaultyServer();
    other.answerWith((_request, response) => response.end('data'));
    server.answerWith((request, response) => {
      if (request.url.startsWith('/graph/'))
        json(200, { url: `${server.origin}/files/1` })(request, response);
      else response.writeHead(302, { location: `${other.origin}/elsewhere` }).end();
    });
    const download = await client.downloadMedia('9001');
    await readAll(download.content);
    expect(other.received[0]?.headers.authorization).toBeUndefined();
    await other.close();
  });

  it('is cut off when it is larger than allowed', async () => {
    server.answerWith((request, response) => {
      if (request.url.startsWith('/graph/'))
        json(200, { url: `${server.origin}/files/1` })(request, response);
      else response.end('x'.repeat(1000));
    });
    const download = await client.downloadMedia('9001', 100);
    await expect(readAll(download.content)).rejects.toMatchObject({ reason: 'response_too_large' });
  });
});

describe('a resumable upload', () => {
  it('goes on where it was interrupted', async () => {
    let posts = 0;
    server.answerWith((request, response) => {
      if (request.url.includes('/uploads?')) json(200, { id: 'upload:MTph?sig=x' })(request, response);
      else if (request.method === 'GET') json(200, { id: 'upload:MTph', file_offset: 4 })(request, response);
      else if ((posts += 1) === 1) response.destroy();
      else json(200, { h: '4::aW1h' })(request, response);
    });
    const progress: number[] = [];
    expect(await client.uploadResumable(source('0123456789'), (sent) => progress.push(sent))).toBe('4::aW1h');
    const last = server.received.at(-1);
    expect(last?.url).toBe('/graph/v26.0/upload:MTph?sig=x');
    expect(last?.headers).toMatchObject({ authorization: 'OAuth secret-token', file_offset: '4' });
    expect(last?.body.toString()).toBe('456789');
    expect(progress.at(-1)).toBe(10);
  });

  it('does not go on after a refusal', async () => {
    server.answerWith((request, response) => {
      const answer = request.url.includes('/uploads?') ? json(200, { id: 'upload:1' }) : graphError(400, 100);
      answer(request, response);
    });
    await expect(client.uploadResumable(source('x'))).rejects.toMatchObject({ code: '100' });
    expect(server.received).toHaveLength(2);
  });
});

describe('account', () => {
  it('is tested with the stored credentials', async () => {
    const number = {
      id: '200000000000001',
      display_phone_number: '+44 7700 900100',
      quality_rating: 'GREEN',
      throughput: { level: 'HIGH' },
    };
    server.answerWith((request, response) => {
      const answer = request.url.includes('/phone_numbers')
        ? { data: [number] }
        : { ...number, name: 'Acme' };
      json(200, answer)(request, response);
    });
    expect(await client.testConnection()).toMatchObject({
      accountName: 'Acme',
      numberBelongsToAccount: true,
      phoneNumber: { qualityRating: 'GREEN', throughputPerSecond: 1000 },
    });
  });

  it('lists the numbers of every page of an account', async () => {
    server.answerWith((request, response) => {
      const after = new URL(request.url ?? '', server.origin).searchParams.get('after');
      const page = after === null ? 1 : Number(after);
      const paging = { cursors: { after: String(page + 1) }, ...(page < 3 && { next: 'https://next' }) };
      json(200, { data: [{ id: `${page}` }], paging })(request, response);
    });
    expect((await client.listPhoneNumbers()).map(({ id }) => id)).toEqual(['1', '2', '3']);
  });

  it.each([
    ['in a list', { data: [{ about: 'We sell', websites: ['https://a.example', 5] }] }],
    ['nested', { business_profile: { about: 'We sell', websites: ['https://a.example'] } }],
    ['flat', { about: 'We sell', websites: ['https://a.example'] }],
  ])('has a profile that comes %s', async (_case, answer) => {
    server.answerWith(json(200, answer));
    expect(await client.getBusinessProfile()).toMatchObject({
      about: 'We sell',
      websites: ['https://a.example'],
    });
  });

  it('registers the webhook with an app token that stays out of the address', async () => {
    server.answerWith(json(200, { success: true }));
    await client.registerWebhook({
      appSecret: 'app-secret',
      callbackUrl: 'https://app.example/webhooks/whatsapp/sample',
      verifyToken: 'verify',
      fields: ['messages'],
    });
    const [request] = server.received;
    expect(request?.headers.authorization).toBe('Bearer 300000000000001|app-secret');
    expect(request?.url).not.toContain('secret');
    expect(new URL(request?.url ?? '', server.origin).searchParams.get('fields')).toBe('messages');
  });

  it('marks as read, with typing when asked', async () => {
    server.answerWith(json(200, { success: true }));
    await client.markRead('wamid.1', { typing: true });
    expect(JSON.parse(server.received[0]?.body.toString() ?? '')).toEqual({
      messaging_product: 'whatsapp',
      status: 'read',
      message_id: 'wamid.1',
      typing_indicator: { type: 'text' },
    });
  });
});
