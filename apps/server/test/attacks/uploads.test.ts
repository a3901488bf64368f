import { crc32, deflateSync } from 'node:zlib';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { codeOf, openProduct, type Answer, type Browser, type Product } from './open-product.ts';

let product: Product;
let agent: Browser;
beforeAll(async () => {
  product = await openProduct();
  agent = (await product.addPerson('agent')).browser;
});
afterAll(() => product.close());

const SCRIPT = '<script>alert(document.cookie)</script>';
const picture = createPng(40, 30);

const hostile: Record<string, Buffer> = {
  SVG: Buffer.from(`<svg xmlns="http://www.w3.org/2000/svg">${SCRIPT}</svg>`),
  'SVG behind a declaration and a comment': Buffer.from(
    `<?xml version="1.0"?><!-- ${'x'.repeat(300)} --><svg xmlns="http://www.w3.org/2000/svg" onload="alert(1)"/>`,
  ),
  'SVG in UTF-16': Buffer.from(`\ufeff<svg xmlns="http://www.w3.org/2000/svg">${SCRIPT}</svg>`, 'utf16le'),
  HTML: Buffer.from(`<!doctype html><html>${SCRIPT}</html>`),
  'HTML with the first bytes of a GIF': Buffer.from(`GIF89a/*${SCRIPT}*/=1;`),
  'a picture of more pixels than anybody has memory for': createPng(60_000, 60_000, Buffer.alloc(8)),
  'a picture that is cut off': picture.subarray(0, 40),
  'a program': Buffer.from('MZ\u0090\u0000\u0003'),
  'an archive': Buffer.from('PK\u0003\u0004'),
  nothing: Buffer.alloc(0),
};

async function upload(bytes: Buffer, values: object = {}): Promise<Answer> {
  const form = { name: 'photo.png', size: bytes.length, purpose: 'header_image', ...values };
  const begun = await agent.send('POST', '/api/uploads', form);
  if (begun.status !== 200) return begun;
  const { id } = JSON.parse(begun.text);
  return agent.send('PATCH', `/api/uploads/${id}`, bytes, {
    'upload-offset': '0',
    'content-type': 'application/octet-stream',
  });
}

const sendAvatar = (bytes: Buffer, type = 'image/png') =>
  agent.send('POST', '/api/profile/avatar', bytes, { 'content-type': type });

/** What a browser is told of a file: that it is to be kept, and to be taken for nothing else. */
function expectHarmless({ status, headers }: Answer, type: string): void {
  expect(status).toBe(200);
  expect(headers.get('x-content-type-options')).toBe('nosniff');
  expect(headers.get('content-type')).toBe(type);
  expect(headers.get('content-security-policy')).toMatch(/default-src 'none'.*sandbox/);
}

describe('a file for a template', () => {
  test.each(Object.keys(hostile))('of %s is refused', async (name) => {
    for (const values of [{}, { name: 'photo.svg' }, { name: 'page.html' }]) {
      const refused = await upload(hostile[name]!, values); // one of its keys
      expect([415, 422]).toContain(refused.status);
      expect(codeOf(refused)).toMatch(/^(media_type_unsupported|invalid_input)$/);
    }
  });

  test('that is another than it says is refused', async () => {
    const pdf = Buffer.from('%PDF-1.7\n1 0 obj<</JS(app.alert(1))>>endobj');
    for (const [bytes, values] of [
      [picture, { purpose: 'header_document', name: 'photo.pdf' }],
      [picture, { purpose: 'header_video', name: 'film.mp4' }],
      [picture, { name: 'photo.html' }],
      [pdf, {}],
      [Buffer.concat([picture, Buffer.from(SCRIPT)]), {}],
    ] as const)
      expect([values, codeOf(await upload(bytes, values))]).toEqual([values, 'media_type_unsupported']);
  });

  test('is handed out to be kept, whatever its name says', async () => {
    const stored = await upload(picture, { name: `../<img src=x onerror=alert(1)>\u202egnp.png` });
    const { media } = JSON.parse(stored.text);
    const served = await agent.send('GET', media.url);
    expectHarmless(served, 'image/png');
    const disposition = served.headers.get('content-disposition') ?? '';
    expect(disposition).toMatch(/^attachment; filename="[^"]*"; filename\*=UTF-8''/);
    expect(disposition).not.toMatch(/[<>\r\n\u202e]|\.\.\//);
  });
});

describe('a picture of oneself', () => {
  test.each(Object.keys(hostile))('of %s is refused', async (name) => {
    for (const type of ['image/png', 'image/svg+xml', 'text/html', 'application/octet-stream'])
      expect([type, codeOf(await sendAvatar(hostile[name]!, type))]).toEqual([
        type,
        'media_type_unsupported',
      ]);
  });

  test('is drawn anew, and what was hidden behind it is gone', async () => {
    const drawn = await sendAvatar(Buffer.concat([picture, Buffer.from(SCRIPT)]), 'text/html');
    expect(drawn.status).toBe(200);
    const { avatar } = JSON.parse(drawn.text);
    const served = await agent.send('GET', avatar);
    expectHarmless(served, 'image/webp');
    expect(served.text).not.toContain('script');
    expect(served.text.slice(0, 4)).toBe('RIFF');
  });
});

function createPng(
  width: number,
  height: number,
  data = deflateSync(Buffer.alloc((width * 3 + 1) * height)),
): Buffer {
  const chunk = (type: string, content: Buffer) => {
    const [size, sum] = [Buffer.alloc(4), Buffer.alloc(4)];
    const named = Buffer.concat([Buffer.from(type), content]);
    size.writeUInt32BE(content.length);
    sum.writeUInt32BE(crc32(named));
    return Buffer.concat([size, named, sum]);
  };
  const header = Buffer.alloc(13);
  header.writeUInt32BE(width, 0);
  header.writeUInt32BE(height, 4);
  header.set([8, 2, 0, 0, 0], 8);
  const signature = Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]);
  return Buffer.concat([
    signature,
    chunk('IHDR', header),
    chunk('IDAT', data),
    chunk('IEND', Buffer.alloc(0)),
  ]);
}
