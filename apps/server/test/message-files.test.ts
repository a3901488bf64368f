import { createHmac } from 'node:crypto';
import sharp from 'sharp';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { longDescribe, longTest } from '@app/database/testing/long-test';
import { eventually, openHostFixture, wrapValue, type HostFixture } from './host-fixture.ts';

let host: HostFixture;
beforeAll(async () => {
  host = await openHostFixture();
});
afterAll(() => host.close());

type File = {
  id: string;
  state: string;
  mime_type: string;
  error_code: string | null;
  thumbnail: string | null;
} & Record<string, unknown>;
let phones = 447_700_901_000;

/** What a customer sends to the number of the sandbox, which has the bytes. */
async function send(media: {
  mimeType: string;
  bytes: Uint8Array | Buffer;
  filename?: string;
  type?: string;
}): Promise<string> {
  const { bytes, ...about } = media;
  const { messageId } = await host.sandbox<{ messageId: string }>('/_sandbox/whatsapp/inbound', {
    ...{ from: `+${(phones += 1)}`, name: 'Ann' },
    media: { ...about, data: Buffer.from(bytes).toString('base64') },
  });
  return messageId;
}

async function findFile(messageId: string): Promise<File | undefined> {
  const { rows } = await host.database.query<File>(
    'SELECT f.* FROM message_files f JOIN messages m ON m.id = f.message_id WHERE m.provider_message_id = $1',
    [messageId],
  );
  return rows[0];
}

async function settled(messageId: string): Promise<File> {
  const file = await eventually(
    () => findFile(messageId),
    (found) => found !== undefined && !['waiting', 'fetching'].includes(found.state),
  );
  return file!; // it is there by then
}
const open = (path: string, headers: Record<string, string> = {}) =>
  fetch(`${host.url}${path}`, { headers: { cookie: host.cookie, ...headers } });
const picture = (width = 1200, height = 800) =>
  sharp({ create: { width, height, channels: 3, background: { r: 20, g: 120, b: 90 } } });

describe('a picture that somebody sends', () => {
  it('is fetched, kept with a small one beside it, and shown to who may read messages', async () => {
    const bytes = await picture().jpeg().toBuffer();
    const file = await settled(await send({ mimeType: 'image/jpeg', bytes }));
    expect(file).toMatchObject({
      state: 'stored',
      mime_type: 'image/jpeg',
      width: 1200,
      height: 800,
      kind: 'image',
    });
    const content = await open(`/api/conversations/files/${file.id}`);
    expect(Object.fromEntries(content.headers)).toMatchObject({
      'content-type': 'image/jpeg',
      'x-content-type-options': 'nosniff',
      'content-security-policy': "default-src 'none'; sandbox",
      'cache-control': 'private, max-age=3600',
      'content-disposition': expect.stringMatching(/^inline; filename="image-\d{4}-\d\d-\d\d\.jpg"/),
    });
    expect(Buffer.from(await content.arrayBuffer()).equals(bytes)).toBe(true);
    const small = await open(`/api/conversations/files/${file.id}/thumbnail`);
    const { width, height, format } = await sharp(Buffer.from(await small.arrayBuffer())).metadata();
    expect([small.status, format, width, height]).toEqual([200, 'webp', 480, 320]);
    const again = await open(`/api/conversations/files/${file.id}`, {
      'if-none-match': content.headers.get('etag') ?? '',
    });
    expect(again.status).toBe(304);
    const stranger = await fetch(`${host.url}/api/conversations/files/${file.id}`);
    expect(stranger.status).toBe(401);
  });

  it('lies there once, however many people send it', async () => {
    const bytes = await picture(64, 64).png().toBuffer();
    const files = [
      await settled(await send({ mimeType: 'image/png', bytes })),
      await settled(await send({ mimeType: 'image/png', bytes })),
    ];
    expect(files.map(({ state }) => state)).toEqual(['stored', 'stored']);
    expect(files[0]!['content']).toBe(files[1]!['content']);
  });

  it('is drawn anew where its file holds more than its pixels', async () => {
    const plain = await picture(80, 60).jpeg().toBuffer();
    const bytes = Buffer.concat([plain, Buffer.from('<!doctype html><script>alert(1)</script>')]);
    const file = await settled(await send({ mimeType: 'image/jpeg', bytes }));
    expect(file).toMatchObject({ state: 'stored', width: 80, height: 60 });
    const kept = Buffer.from(await (await open(`/api/conversations/files/${file.id}`)).arrayBuffer());
    expect(kept.includes('<script')).toBe(false);
    expect((await sharp(kept).metadata()).width).toBe(80);
  });
});

describe('what is not what it says', () => {
  const bomb = () => picture(9_000, 9_000).png({ compressionLevel: 1 }).toBuffer();
  longTest.each<[string, string, () => Promise<Uint8Array> | Uint8Array, string]>([
    [
      'a page',
      'image/png',
      () => Buffer.from('<!doctype html><script>alert(1)</script>'),
      'not_what_it_says',
    ],
    [
      'a drawing with a script',
      'image/png',
      () => Buffer.from('<svg xmlns="http://www.w3.org/2000/svg" onload="alert(1)"/>'),
      'not_what_it_says',
    ],
    ['a picture that unpacks to 81 megapixels', 'image/png', bomb, 'picture_unreadable'],
    [
      'half a picture',
      'image/jpeg',
      async () => (await picture().jpeg().toBuffer()).subarray(0, 900),
      'picture_unreadable',
    ],
    [
      'a program under the type of a sound',
      'audio/ogg',
      () => Buffer.from('MZ\u0090 this program'),
      'not_what_it_says',
    ],
  ])('is refused: %s', async (_, mimeType, make, code) => {
    const file = await settled(await send({ mimeType, bytes: await make() }));
    expect([file.state, file.error_code, file['content']]).toEqual(['refused', code, null]);
    expect((await open(`/api/conversations/files/${file.id}`)).status).toBe(404);
  });

  it('is a file for the disk, of no type, when it came as a document', async () => {
    const page = '<html><script>alert(1)</script></html>';
    const file = await settled(
      await send({
        mimeType: 'application/pdf',
        type: 'document',
        bytes: Buffer.from(page),
        filename: 'Rechnung "März"\u202efdp.html',
      }),
    );
    expect(file.mime_type).toBe('application/octet-stream');
    const { headers } = await open(`/api/conversations/files/${file.id}`);
    expect(headers.get('content-type')).toBe('application/octet-stream');
    expect(headers.get('content-disposition')).toBe(
      `attachment; filename="Rechnung _M_rz_fdp.html"; filename*=UTF-8''Rechnung%20_M%C3%A4rz_fdp.html`,
    );
  });
});

longDescribe('a film', () => {
  const box = (type: string, content: Buffer) => {
    const head = Buffer.alloc(8);
    head.writeUInt32BE(content.length + 8);
    head.write(type, 4, 'latin1');
    return Buffer.concat([head, content]);
  };
  const header = Buffer.alloc(100);
  header.writeUInt32BE(1000, 12);
  header.writeUInt32BE(12_500, 16);
  const film = Buffer.concat([
    box('ftyp', Buffer.from('isom0000isom')),
    box('moov', box('mvhd', header)),
    box('mdat', Buffer.alloc(10 * 1024 * 1024, 7)),
  ]);

  it('is measured, and read piece by piece', async () => {
    const file = await settled(await send({ mimeType: 'video/mp4', bytes: film }));
    expect(file).toMatchObject({
      state: 'stored',
      mime_type: 'video/mp4',
      duration_ms: 12_500,
      size: String(film.length),
    });
    const path = `/api/conversations/files/${file.id}`;
    const some = await open(path, { range: 'bytes=100-199' });
    expect([some.status, some.headers.get('content-range'), (await some.arrayBuffer()).byteLength]).toEqual([
      206,
      `bytes 100-199/${film.length}`,
      100,
    ]);
    const much = await open(path, { range: 'bytes=0-' });
    expect([much.status, (await much.arrayBuffer()).byteLength]).toEqual([206, 8 * 1024 * 1024]);
    expect((await open(path, { range: `bytes=${film.length}-` })).status).toBe(416);
    const whole = Buffer.from(await (await open(path)).arrayBuffer());
    expect(whole.equals(film)).toBe(true);
  });
});

describe('what the platform does not give', () => {
  it('is expired when it has it no more, and may be asked for again', async () => {
    const { messageId } = await host.sandbox<{ messageId: string }>('/_sandbox/whatsapp/inbound', {
      from: `+${(phones += 1)}`,
      message: { type: 'image', image: { id: '999999999999999', mime_type: 'image/jpeg', sha256: 'x' } },
    });
    const file = await settled(messageId);
    expect([file.state, file.error_code]).toEqual(['expired', null]);
    const again = await host.call<{ state: string }>('POST', `/api/conversations/files/${file.id}/fetch`, {});
    expect([again.status, again.body.state]).toEqual([200, 'waiting']);
    expect((await settled(messageId)).state).toBe('expired');
  });

  it('waits while the number may do nothing, and comes afterwards unless the platform has forgotten it by then', async () => {
    await host.database.query(`UPDATE channels SET stopped_code = '190', stopped_for = 'everything'`);
    const sent: File[] = [];
    for (const side of [40, 41]) {
      const messageId = await send({
        mimeType: 'image/png',
        bytes: await picture(side, side).png().toBuffer(),
      });
      const waiting = await eventually(
        () => findFile(messageId),
        (found) => found?.error_code === 'channel_stopped',
      );
      sent.push({ ...waiting!, messageId });
    }
    const [late, inTime] = sent as [File, File];
    const fetchAgain = ({ id }: File) => host.call('POST', `/api/conversations/files/${id}/fetch`, {});
    await host.database.query(`UPDATE message_files SET platform_expires_at = now() WHERE id = $1`, [
      late.id,
    ]);
    await fetchAgain(late);
    expect((await settled(String(late['messageId']))).state).toBe('expired');
    await host.database.query('UPDATE channels SET stopped_code = NULL, stopped_for = NULL');
    await fetchAgain(inTime);
    expect((await settled(String(inTime['messageId']))).state).toBe('stored');
  });
});

describe('a webhook with files', () => {
  const withFiles = (mark: string, many: number, number = '200000000000001') =>
    JSON.stringify(
      wrapValue(
        {
          messages: Array.from({ length: many }, (_, index) => ({
            ...{
              from: String(447_700_905_000 + index),
              id: `wamid.${mark}.${index}`,
              timestamp: '1789000000',
            },
            ...{ type: 'image', image: { id: `77${index}`, mime_type: 'image/jpeg', sha256: 'x' } },
          })),
        },
        number,
      ),
    );
  const countFiles = async (mark: string) =>
    (
      await host.database.query<{ files: number }>(
        `SELECT count(*)::int AS files FROM message_files f JOIN messages m ON m.id = f.message_id WHERE m.provider_message_id LIKE $1`,
        [`wamid.${mark}.%`],
      )
    ).rows[0]!.files;

  longTest('is left to be fetched once, however often its webhook is sent again', async () => {
    const body = withFiles('replayed', 200);
    for (let time = 0; time < 5; time += 1) expect(await host.deliver(body)).toBe(200);
    expect(await countFiles('replayed')).toBe(200);
  });

  it.each<[string, (signature: string) => { signature: string | null; body?: string }]>([
    ['not signed', () => ({ signature: null })],
    ['signed with half a signature', (signature) => ({ signature: signature.slice(0, 40) })],
    ['signed as another body', (signature) => ({ signature, body: withFiles('forged', 2) })],
  ])('is nothing to us when its webhook is %s', async (_, forge) => {
    const body = withFiles('forged', 1);
    const signature = `sha256=${createHmac('sha256', 'sandbox-app-secret').update(body).digest('hex')}`;
    const forged = forge(signature);
    const answer = await fetch(`${host.url}/webhooks/whatsapp/sample`, {
      method: 'POST',
      body: forged.body ?? body,
      headers: {
        'content-type': 'application/json',
        ...(forged.signature !== null && { 'x-hub-signature-256': forged.signature }),
      },
    });
    expect(answer.status).toBe(401);
    expect(await countFiles('forged')).toBe(0);
  });

  it('is kept without a file when its number is not ours', async () => {
    expect(await host.deliver(withFiles('strange', 1, '299999999999999'))).toBe(200);
    expect(await countFiles('strange')).toBe(0);
  });
});
