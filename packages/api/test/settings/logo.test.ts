import sharp from 'sharp';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { settingsFeature } from '../../src/settings/settings-feature.ts';
import { openApiFixture, readErrorBody, signIn, type ApiCaller, type ApiFixture } from '../api-fixture.ts';

let api: ApiFixture;
let admin: ApiCaller;
beforeAll(async () => {
  api = await openApiFixture();
  admin = await api.as('admin');
});
afterAll(() => api.close());

const send = (bytes: Uint8Array | string, { by = admin, fit = 'crop' } = {}) =>
  by.request(`/api/settings/logo?fit=${fit}`, {
    method: 'POST',
    body: typeof bytes === 'string' ? bytes : new Uint8Array(bytes),
    headers: { 'content-type': 'image/png' },
  });
const picture = (width: number, height: number, background = '#00aa77') =>
  sharp({ create: { width, height, channels: 3, background } });
const keep = async (bytes: Uint8Array, fit = 'crop') =>
  (await (await send(bytes, { fit })).json<{ logo: string }>()).logo;
const version = async () =>
  (await (await admin.get('/api/settings/general')).json<{ version: number }>()).version;
const save = async (change: object) =>
  admin.put('/api/settings/general', { version: await version(), ...change });
const sessionLogo = async () =>
  (await (await admin.get('/api/session')).json<{ workspace: { logo: string | null } }>()).workspace.logo;

test('a picture is a square, drawn anew, shows where the settings name it, and to the workspace alone', async () => {
  const sent = await picture(900, 300)
    .withExif({ IFD0: { Copyright: 'secret place' } })
    .jpeg()
    .toBuffer();
  const logo = await keep(sent);
  expect(await sessionLogo()).toBeNull();
  expect((await save({ logo })).status).toBe(200);
  expect(await sessionLogo()).toBe(`/api/logos/${logo}`);
  const shown = await (await api.as('viewer')).get(`/api/logos/${logo}`);
  expect(Object.fromEntries(shown.headers)).toMatchObject({
    'content-type': 'image/jpeg',
    'x-content-type-options': 'nosniff',
    'content-security-policy': "default-src 'none'; sandbox",
  });
  const bytes = new Uint8Array(await shown.arrayBuffer());
  expect(await sharp(bytes).metadata()).toMatchObject({ format: 'jpeg', width: 640, height: 640 });
  expect(new TextDecoder('latin1').decode(bytes)).not.toContain('secret place');
  expect((await (await api.asOther()).get(`/api/logos/${logo}`)).status).toBe(404);
  expect((await api.stranger.get(`/api/logos/${logo}`)).status).toBe(401);
  expect((await save({ logo: null })).status).toBe(200);
  expect(await sessionLogo()).toBeNull();
});

test('one that is shown whole has white beside it; one that is cropped has none', async () => {
  const wide = await picture(400, 200, '#ff0000').png().toBuffer();
  const corner = async (fit: string) => {
    const shown = await admin.get(`/api/logos/${await keep(wide, fit)}`);
    const { data } = await sharp(new Uint8Array(await shown.arrayBuffer()))
      .raw()
      .toBuffer({ resolveWithObject: true });
    return data[1]!; // green of the first pixel
  };
  expect(await corner('whole')).toBeGreaterThan(240);
  expect(await corner('crop')).toBeLessThan(15);
});

test('a logo of another workspace is none', async () => {
  const other = await api.asOther();
  const bytes = await picture(300, 300, '#abcdef').png().toBuffer();
  const { logo } = await (await send(bytes, { by: other })).json<{ logo: string }>();
  expect(await readErrorBody(await save({ logo }))).toMatchObject({ code: 'media_not_found' });
});

describe('refused are', () => {
  function flood(): Buffer {
    const png = Buffer.from(
      'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==',
      'base64',
    );
    png.writeUInt32BE(30_000, 16);
    png.writeUInt32BE(30_000, 20);
    return png;
  }

  test.each<[string, () => Uint8Array | string | Promise<Uint8Array>, string]>([
    ['SVG', () => '<svg xmlns="http://www.w3.org/2000/svg"/>', 'media_type_unsupported'],
    ['HTML', () => '<!doctype html><script>alert(1)</script>', 'media_type_unsupported'],
    ['another kind of picture', () => picture(300, 300).webp().toBuffer(), 'media_type_unsupported'],
    ['a flood of pixels', flood, 'picture_too_large'],
    ['a picture of a few pixels', () => picture(191, 600).png().toBuffer(), 'picture_too_small'],
    [
      'a cut picture',
      async () => (await picture(300, 300).png().toBuffer()).subarray(0, 60),
      'media_type_unsupported',
    ],
    ['nothing', () => '', 'media_type_unsupported'],
    ['more bytes than a platform takes', () => new Uint8Array(6 * 1024 * 1024), 'body_too_large'],
  ])('%s', async (_, bytes, code) => {
    expect(await readErrorBody(await send(await bytes()))).toMatchObject({ code });
  });

  test('an unknown way to fill the square, and people who may not set anything', async () => {
    const bytes = await picture(300, 300).png().toBuffer();
    expect(await readErrorBody(await send(bytes, { fit: 'stretch' }))).toMatchObject({
      code: 'invalid_input',
    });
    expect((await send(bytes, { by: await api.as('viewer') })).status).toBe(403);
  });
});

test('the same picture is kept once; one that nobody saved goes after a day', async () => {
  const bytes = await picture(300, 300, '#123456').png().toBuffer();
  const [first, second] = [await keep(bytes), await keep(bytes)];
  expect(second).toBe(first);
  const used = await keep(await picture(300, 300, '#654321').png().toBuffer());
  await save({ logo: used });
  api.advance(25 * 3_600_000);
  const [forget] = settingsFeature.upkeep.seldom;
  await forget?.(api.parts);
  const again = await signIn(api.app, 'admin@acme.test');
  expect((await again.get(`/api/logos/${first}`)).status).toBe(404);
  expect((await again.get(`/api/logos/${used}`)).status).toBe(200);
});
