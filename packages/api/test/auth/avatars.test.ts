import sharp from 'sharp';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { openApiFixture, readErrorBody, type ApiCaller, type ApiFixture } from '../api-fixture.ts';

let api: ApiFixture;
let agent: ApiCaller;
beforeAll(async () => {
  api = await openApiFixture();
  agent = await api.as('agent');
});
afterAll(() => api.close());

const send = (bytes: Uint8Array | string, type = 'image/png') =>
  agent.request('/api/profile/avatar', {
    method: 'POST',
    body: typeof bytes === 'string' ? bytes : new Uint8Array(bytes),
    headers: { 'content-type': type },
  });
const picture = (width: number, height: number) =>
  sharp({ create: { width, height, channels: 3, background: '#0a7' } });
const readImage = async (path: string) => new Uint8Array(await (await agent.get(path)).arrayBuffer());

test('a picture is cropped, drawn anew and shown to the workspace alone', async () => {
  const sent = await picture(900, 300)
    .withExif({ IFD0: { Copyright: 'secret place' } })
    .jpeg()
    .toBuffer();
  const answer = await send(sent, 'application/octet-stream');
  expect(answer.status).toBe(200);
  const { avatar } = await answer.json<{ avatar: string }>();
  expect(await (await agent.get('/api/session')).json()).toMatchObject({ user: { avatar } });
  const shown = await (await api.as('viewer')).get(avatar);
  expect(Object.fromEntries(shown.headers)).toMatchObject({
    'content-type': 'image/webp',
    'x-content-type-options': 'nosniff',
    'content-security-policy': "default-src 'none'; sandbox",
  });
  const bytes = new Uint8Array(await shown.arrayBuffer());
  expect(await sharp(bytes).metadata()).toMatchObject({ format: 'webp', width: 256, height: 256 });
  expect(new TextDecoder('latin1').decode(bytes)).not.toContain('secret place');
  expect((await (await api.asOther()).get(avatar)).status).toBe(404);
  expect((await api.stranger.get(avatar)).status).toBe(401);
});

test('a new picture has a new address, and goes with one press', async () => {
  const first = await (await send(await picture(40, 40).png().toBuffer())).json<{ avatar: string }>();
  const second = await (await send(await picture(40, 41).png().toBuffer())).json<{ avatar: string }>();
  const third = await (
    await send(
      await sharp({ create: { width: 50, height: 50, channels: 3, background: '#f00' } })
        .png()
        .toBuffer(),
    )
  ).json<{ avatar: string }>();
  expect(third.avatar).not.toBe(first.avatar);
  expect(second.avatar.split('?')[0]).toBe(first.avatar.split('?')[0]);
  expect((await agent.delete('/api/profile/avatar', {})).status).toBe(200);
  expect((await agent.get(third.avatar)).status).toBe(404);
  expect(await (await agent.get('/api/session')).json()).toMatchObject({ user: { avatar: null } });
});

test('what hides behind a picture is gone from the one that is shown', async () => {
  const png = await picture(60, 60).png().toBuffer();
  const polyglot = Buffer.concat([png, Buffer.from('<script>alert(1)</script>')]);
  const { avatar } = await (await send(polyglot)).json<{ avatar: string }>();
  expect(new TextDecoder('latin1').decode(await readImage(avatar))).not.toContain('script');
});

describe('refused are', () => {
  /** A PNG whose header promises far more pixels than it has. */
  function flood(): Buffer {
    const png = Buffer.from(
      'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==',
      'base64',
    );
    png.writeUInt32BE(30_000, 16);
    png.writeUInt32BE(30_000, 20);
    return png;
  }

  test.each<[string, Uint8Array | string]>([
    ['SVG', '<svg xmlns="http://www.w3.org/2000/svg"><script>alert(1)</script></svg>'],
    [
      'SVG behind a declaration',
      `<?xml version="1.0"?><!-- ${'x'.repeat(200)} --><svg xmlns="http://www.w3.org/2000/svg"/>`,
    ],
    ['HTML', '<!doctype html><script>alert(1)</script>'],
    ['a flood of pixels', flood()],
    ['a cut picture', Buffer.from('iVBORw0KGgoAAAANSUhEUgAAAAEAAAAB', 'base64')],
    ['PDF', '%PDF-1.7\n1 0 obj<<>>endobj'],
    ['nothing', ''],
  ])('%s', async (_, bytes) => {
    const refused = await send(bytes);
    expect([refused.status, (await readErrorBody(refused)).code]).toEqual([415, 'media_type_unsupported']);
  });

  test('more bytes than a picture needs', async () => {
    const refused = await send(new Uint8Array(6 * 1024 * 1024));
    expect(refused.status).toBe(413);
  });
});
