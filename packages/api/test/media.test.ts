import type { media, upload } from '@app/contracts/media/media-contract';
import type { Role } from '@app/domain/auth/permissions';
import { deflateSync } from 'node:zlib';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { longDescribe } from '@app/database/testing/long-test';
import type { z } from 'zod';
import { openApiFixture, type ApiCaller, type ApiFixture } from './api-fixture.ts';
import { createMemoryMediaStore } from './memory-media-store.ts';

type Media = z.infer<typeof media>;
type Upload = z.infer<typeof upload>;
type PartAnswer = { received: number; media: Media | null };

const store = createMemoryMediaStore();
let fixture: ApiFixture;
let agent: ApiCaller;

beforeAll(async () => {
  fixture = await openApiFixture({ mediaStore: store });
  agent = await fixture.as('agent');
});
afterAll(() => fixture.close());

const picture = createPng(40, 30);

async function read<Json>(response: Response | Promise<Response>): Promise<Json> {
  return (await (await response).json()) as Json; // what the contract promises
}

async function start(values: object = {}, caller = agent) {
  return caller.post('/api/uploads', {
    name: 'photo.png',
    size: picture.length,
    purpose: 'header_image',
    ...values,
  });
}

function sendPart(uploadId: string, offset: number, bytes: Uint8Array, caller = agent) {
  const headers = { 'upload-offset': String(offset), 'content-type': 'application/octet-stream' };
  return caller.request(`/api/uploads/${uploadId}`, {
    method: 'PATCH',
    headers,
    body: Uint8Array.from(bytes),
  });
}

async function uploadWhole(bytes = picture, values: object = {}, caller = agent) {
  const { id } = await read<Upload>(start({ size: bytes.length, ...values }, caller));
  return sendPart(id, 0, bytes, caller);
}

longDescribe('a large file', () => {
  it('stays in the store while its readers stand still, of whom one user has so many', async () => {
    const { media: file } = await read<PartAnswer>(uploadWhole());
    const [key = ''] = [...store.files].find(([, bytes]) => Buffer.from(bytes).equals(picture)) ?? [];
    const large = new Uint8Array(16 * 1024 * 1024);
    store.files.set(key, large);
    await fixture.db.systemPool.query('UPDATE media SET size = $2 WHERE id = $1', [file?.id, large.length]);
    let bytesRead = 0;
    const { read: readStored } = store;
    store.read = async (...place) => {
      const bytes = await readStored(...place);
      bytesRead += bytes?.length ?? 0;
      return bytes;
    };
    const address = `/api/media/${file?.id}/content`;
    const readers = await Promise.all(Array.from({ length: 45 }, () => agent.get(address)));
    const open = readers.filter(({ status }) => status === 200);
    expect(open).toHaveLength(40);
    const refused = readers.find(({ status }) => status === 429);
    expect(await refused?.json()).toMatchObject({ error: { code: 'too_many_streams' } });
    expect(refused?.headers.get('retry-after')).toBe('5');
    expect(bytesRead).toBeLessThanOrEqual(40 * 256 * 1024);
    expect((await (await fixture.as('admin')).get(address)).status).toBe(200);
    for (const { body } of open) await body?.cancel();
    expect((await (await agent.get(address)).arrayBuffer()).byteLength).toBe(large.length);
    store.read = readStored;
    store.files.delete(key);
  });
});

describe('an upload', () => {
  it('in parts becomes a file that is served as a download and nothing else', async () => {
    const { id } = await read<Upload>(start());
    expect(await read(sendPart(id, 0, picture.subarray(0, 50)))).toEqual({ received: 50, media: null });
    expect(await read(agent.get(`/api/uploads/${id}`))).toMatchObject({ received: 50, size: picture.length });
    const { media: file } = await read<PartAnswer>(sendPart(id, 50, picture.subarray(50)));
    expect(file).toMatchObject({
      name: 'photo.png',
      type: 'image',
      mimeType: 'image/png',
      size: picture.length,
    });
    expect([...store.files.keys()].filter((key) => key.includes('/parts/'))).toEqual([]);

    const content = await agent.get(file?.url ?? '');
    expect(Buffer.from(await content.arrayBuffer())).toEqual(picture);
    expect(content.headers.get('content-type')).toBe('image/png');
    expect(content.headers.get('x-content-type-options')).toBe('nosniff');
    expect(content.headers.get('content-disposition')).toBe(
      `attachment; filename="photo.png"; filename*=UTF-8''photo.png`,
    );
    expect(content.headers.get('content-security-policy')).toContain('sandbox');

    const piece = await agent.request(file?.url ?? '', { headers: { range: 'bytes=1-3' } });
    expect([piece.status, await piece.text()]).toEqual([206, 'PNG']);
    const beyond = await agent.request(file?.url ?? '', { headers: { range: 'bytes=99999-' } });
    expect(beyond.status).toBe(416);
  });

  it('goes on where the server stands after a part arrived twice or out of place', async () => {
    const { id } = await read<Upload>(start());
    await sendPart(id, 0, picture.subarray(0, 10));
    const again = await sendPart(id, 0, picture.subarray(0, 10));
    expect([again.status, await again.json()]).toMatchObject([409, { error: { details: { received: 10 } } }]);
    expect((await sendPart(id, 20, picture.subarray(20, 30))).status).toBe(409);
    expect((await sendPart(id, 10, new Uint8Array(picture.length))).status).toBe(409);
    const both = await Promise.all([
      sendPart(id, 10, picture.subarray(10)),
      sendPart(id, 10, picture.subarray(10)),
    ]);
    const taken = both.filter(({ status }) => status === 200);
    const files = await Promise.all(taken.map((answer) => answer.json<PartAnswer>()));
    expect(new Set(files.map(({ media: file }) => file?.id))).toEqual(new Set([id]));
    expect(both.every(({ status }) => status === 200 || status === 409)).toBe(true);
  });

  it('whose process died before it joined the parts is joined by whoever asks again', async () => {
    const dying = { get: true };
    const { read: readPart } = store;
    store.read = async (...asked) => {
      if (dying.get) throw new Error('The process ends here.');
      return readPart(...asked);
    };
    const { id } = await read<Upload>(start());
    try {
      expect((await sendPart(id, 0, picture)).status).toBe(500);
    } finally {
      store.read = readPart;
    }
    const { received } = await read<Upload>(agent.get(`/api/uploads/${id}`));
    expect(received).toBe(picture.length);
    const { media: file } = await read<PartAnswer>(sendPart(id, received, new Uint8Array(0)));
    const content = await agent.get(file?.url ?? '');
    expect(Buffer.from(await content.arrayBuffer())).toEqual(picture);
  });

  it('whose last answer was lost answers again what it became, to whoever sent it', async () => {
    const { id } = await read<Upload>(start());
    await sendPart(id, 0, picture.subarray(0, 10));
    const first = await read<PartAnswer>(sendPart(id, 10, picture.subarray(10)));
    expect(first.media?.id).toBe(id);
    expect(await read(sendPart(id, 10, picture.subarray(10)))).toEqual(first);
    const { received } = await read<Upload>(agent.get(`/api/uploads/${id}`));
    expect(await read(sendPart(id, received, new Uint8Array(0)))).toEqual(first);
    const admin = await fixture.as('admin');
    expect((await sendPart(id, 10, picture.subarray(10), admin)).status).toBe(404);
    expect((await admin.delete(`/api/media/${id}`)).status).toBe(200);
    expect((await sendPart(id, 10, picture.subarray(10))).status).toBe(404);
  });

  it('that two requests finish at once is one file, whose bytes are stored once', async () => {
    const { id } = await read<Upload>(start());
    const { begin, read: readBytes } = store;
    const whole: string[] = [];
    const both = Promise.withResolvers<void>();
    store.read = async (...asked) => {
      const part = await readBytes(...asked);
      if (whole.push('read') === 2) both.resolve();
      await both.promise;
      return part;
    };
    const files: string[] = [];
    store.begin = async () => {
      const draft = await begin();
      return { ...draft, keepAs: (key) => (files.push(key), draft.keepAs(key)) };
    };
    try {
      const first = sendPart(id, 0, picture);
      await expect.poll(() => whole).toHaveLength(1);
      const answers = await Promise.all([
        read<PartAnswer>(first),
        read<PartAnswer>(sendPart(id, picture.length, new Uint8Array(0))),
      ]);
      expect(answers[1]).toEqual(answers[0]);
    } finally {
      store.begin = begin;
      store.read = readBytes;
    }
    expect(files).toHaveLength(2);
    expect(files.filter((key) => store.files.has(key))).toHaveLength(1);
  });

  it('whose part arrives twice at once keeps it', async () => {
    const { id } = await read<Upload>(start());
    const { put } = store;
    const both = Promise.withResolvers<void>();
    let brought = 0;
    store.put = async (...given) => {
      await put(...given);
      if ((brought += 1) === 2) both.resolve();
      await both.promise;
    };
    try {
      const part = picture.subarray(0, 50);
      const answers = await Promise.all([sendPart(id, 0, part), sendPart(id, 0, part)]);
      expect(answers.map(({ status }) => status).toSorted()).toEqual([200, 409]);
    } finally {
      store.put = put;
    }
    const { media: file } = await read<PartAnswer>(sendPart(id, 50, picture.subarray(50)));
    expect(file).toMatchObject({ name: 'photo.png', size: picture.length });
  });

  it('keeps of two parts of one place the one that counted', async () => {
    const { id } = await read<Upload>(start());
    const { put } = store;
    const free = Promise.withResolvers<void>();
    store.put = async (...given) => {
      await put(...given);
      if (given[1].length === 60) await free.promise;
    };
    try {
      const late = sendPart(id, 0, picture.subarray(0, 60));
      await expect.poll(() => [...store.files.keys()].some((key) => key.includes(`${id}-0-60`))).toBe(true);
      expect((await sendPart(id, 0, picture.subarray(0, 50))).status).toBe(200);
      free.resolve();
      expect((await late).status).toBe(409);
    } finally {
      store.put = put;
    }
    expect([...store.files.keys()].filter((key) => key.includes(id))).toEqual([
      expect.stringContaining(`${id}-0-50`),
    ]);
  });

  it('whose parts are lost can be begun anew', async () => {
    const { id } = await read<Upload>(start());
    await sendPart(id, 0, picture.subarray(0, 10));
    for (const key of store.files.keys()) if (key.includes(id)) store.files.delete(key);
    expect((await sendPart(id, 10, picture.subarray(10))).status).toBe(404);
    expect((await agent.get(`/api/uploads/${id}`)).status).toBe(404);
  });

  it('holds no connection while its bytes are on their way to the store', async () => {
    const { put } = store;
    const idle = () =>
      fixture.db.inWorkspace(fixture.workspaceId, async (_, client) => {
        const { rows } = await client.query(
          `SELECT count(*)::int AS n FROM pg_stat_activity
          WHERE datname = current_database() AND state = 'idle in transaction'`,
        );
        return rows[0].n as number; // a count
      });
    let held = Number.NaN;
    store.put = async (...given) => {
      held = await idle();
      return put(...given);
    };
    try {
      expect((await uploadWhole()).status).toBe(200);
    } finally {
      store.put = put;
    }
    expect(held).toBe(0);
  });

  it.each([
    ['too large for a picture', { size: 5 * 1024 * 1024 + 1 }, 413, 'media_too_large'],
    [
      'too large for a video',
      { size: 16 * 1024 * 1024 + 1, purpose: 'header_video' },
      413,
      'media_too_large',
    ],
    ['for no known purpose', { purpose: 'avatar' }, 422, 'invalid_input'],
    ['of a size that is no number', { size: '1abc' }, 422, 'invalid_input'],
  ])('%s is refused before it begins', async (_case, values, status, code) => {
    const response = await start(values);
    expect([response.status, await response.json()]).toMatchObject([status, { error: { code } }]);
  });

  it('of five megabytes exactly may begin', async () => {
    expect((await start({ size: 5 * 1024 * 1024 })).status).toBe(200);
  });

  it.each([
    ['a page with the name of a picture', Buffer.from('<html><script>alert(1)</script></html>'), {}],
    ['an SVG', Buffer.from('<svg xmlns="http://www.w3.org/2000/svg"/>'), { name: 'photo.svg' }],
    ['a picture as a document', picture, { purpose: 'header_document', name: 'photo.pdf' }],
    ['a picture with the ending of a page', picture, { name: 'photo.html' }],
    ['a picture of too many pixels', createPng(40_000, 40_000, Buffer.alloc(8)), {}],
    [
      'a picture with a page behind it',
      Buffer.concat([picture, Buffer.from('<script>alert(1)</script>')]),
      {},
    ],
  ])('of %s is refused and leaves nothing behind', async (_case, bytes, values) => {
    const filesBefore = store.files.size;
    const response = await uploadWhole(bytes, values);
    expect([response.status, await response.json()]).toMatchObject([
      415,
      { error: { code: 'media_type_unsupported' } },
    ]);
    expect(store.files.size).toBe(filesBefore);
  });

  it('can be given up', async () => {
    const filesBefore = store.files.size;
    const { id } = await read<Upload>(start());
    await sendPart(id, 0, picture.subarray(0, 10));
    expect((await agent.delete(`/api/uploads/${id}`)).status).toBe(200);
    expect((await sendPart(id, 10, picture.subarray(10))).status).toBe(404);
    expect(store.files.size).toBe(filesBefore);
  });

  it('with a part above four megabytes is refused', async () => {
    const { id } = await read<Upload>(start({ size: 5 * 1024 * 1024 }));
    expect((await sendPart(id, 0, new Uint8Array(4 * 1024 * 1024 + 1))).status).toBe(413);
  });

  it('belongs to whoever began it', async () => {
    const { id } = await read<Upload>(start());
    for (const caller of [await fixture.as('admin'), await fixture.asOther()]) {
      expect((await caller.get(`/api/uploads/${id}`)).status).toBe(404);
      expect((await sendPart(id, 0, picture, caller)).status).toBe(404);
      expect((await caller.delete(`/api/uploads/${id}`)).status).toBe(404);
    }
  });
});

describe('a file', () => {
  it('stays inside its workspace', async () => {
    const { media: file } = await read<PartAnswer>(uploadWhole());
    const other = await fixture.asOther();
    const path = `/api/media/${file?.id}`;
    expect((await other.get(path)).status).toBe(404);
    expect((await other.get(`${path}/content`)).status).toBe(404);
    expect((await other.delete(path)).status).toBe(404);
    const stolen = await other.post('/api/templates', templateWith(file));
    expect([stolen.status, await stolen.json()]).toMatchObject([404, { error: { code: 'media_not_found' } }]);
    expect((await fixture.stranger.get(`${path}/content`)).status).toBe(401);
    expect((await agent.get('/api/media/1abc/content')).status).toBe(404);
  });

  it('that a template shows cannot be deleted, and a template shows only what is of its kind', async () => {
    const { media: file } = await read<PartAnswer>(uploadWhole());
    const admin = await fixture.as('admin');
    expect((await admin.post('/api/templates', templateWith(file, 'video'))).status).toBe(404);
    const lied = { ...file, name: 'lie.exe', size: 1 } as Media; // the server knows better
    const template = await read<{ id: string; components: unknown[] }>(
      admin.post('/api/templates', templateWith(lied)),
    );
    expect(template.components[0]).toMatchObject({ media: { name: 'photo.png', size: picture.length } });
    expect((await admin.delete(`/api/media/${file?.id}`)).status).toBe(409);
    await admin.delete(`/api/templates/${template.id}`);
    expect((await admin.delete(`/api/media/${file?.id}`)).status).toBe(200);
    expect((await admin.get(`${file?.url}`)).status).toBe(404);
  });

  it('tells once that it came, whatever parts arrived twice, and once that it went', async () => {
    const { id } = await read<Upload>(start());
    await Promise.all([1, 2].map(() => sendPart(id, 0, picture)));
    await sendPart(id, 0, picture);
    const admin = await fixture.as('admin');
    const removals = await Promise.all([1, 2].map(() => admin.delete(`/api/media/${id}`)));
    expect(removals.map(({ status }) => status).toSorted()).toEqual([200, 404]);
    const { rows } = await fixture.db.systemPool.query(
      `SELECT type, "values" FROM events WHERE subject_id = $1 ORDER BY id`,
      [id],
    );
    const values = { name: 'photo.png' };
    expect(rows).toEqual([
      { type: 'media.uploaded', values },
      { type: 'media.deleted', values },
    ]);
  });

  it('is listed page by page', async () => {
    for (let count = 0; count < 3; count += 1) await uploadWhole();
    type Page = { items: Media[]; nextCursor: string | null };
    const first = await read<Page>(agent.get('/api/media?limit=2&type=image'));
    const second = await read<Page>(agent.get(`/api/media?limit=2&cursor=${first.nextCursor}`));
    expect(first.items).toHaveLength(2);
    expect(second.items.map(({ id }) => id)).not.toContain(first.items[1]?.id);
  });
});

describe('roles', () => {
  it.each<[Role, number, number, number]>([
    ['admin', 200, 200, 200],
    ['manager', 200, 200, 200],
    ['agent', 200, 200, 403],
    ['viewer', 403, 200, 403],
  ])('%s: upload %i, see %i, delete %i', async (role, mayUpload, maySee, mayDelete) => {
    const caller = await fixture.as(role);
    const { media: file } = await read<PartAnswer>(uploadWhole());
    const { id } = await read<Upload>(start());
    expect((await start({}, caller)).status).toBe(mayUpload);
    expect((await sendPart(id, 0, picture, caller)).status).toBe(
      mayUpload === 403 ? 403 : role === 'agent' ? 200 : 404,
    );
    expect((await caller.get('/api/media')).status).toBe(maySee);
    expect((await caller.get(`/api/media/${file?.id}/content`)).status).toBe(maySee);
    expect((await caller.delete(`/api/media/${file?.id}`)).status).toBe(mayDelete);
  });

  it('are needed at all', async () => {
    expect((await start({}, fixture.stranger)).status).toBe(401);
    expect(
      (await sendPart('0190a1b2-0000-7000-8000-000000000000', 0, picture, fixture.stranger)).status,
    ).toBe(401);
  });
});

function templateWith(file: Media | null, format = 'image') {
  const shown = { id: file?.id, name: file?.name, size: file?.size };
  return {
    name: 'With a file',
    components: [
      { type: 'header', format, media: shown },
      { type: 'body', text: 'Look.' },
    ],
  };
}

function createPng(
  width: number,
  height: number,
  data = deflateSync(Buffer.alloc((width * 3 + 1) * height)),
): Buffer {
  const chunk = (type: string, content: Buffer) => {
    const size = Buffer.alloc(4);
    size.writeUInt32BE(content.length);
    return Buffer.concat([size, Buffer.from(type), content, Buffer.alloc(4)]);
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
