import sharp from 'sharp';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { longTest } from '@app/database/testing/long-test';
import { StorageFull } from '../../src/platform/media-store.ts';
import { createTestSecretBox, openApiFixture, type ApiCaller, type ApiFixture } from '../api-fixture.ts';
import { arriveWith, said } from '../arriving-events.ts';
import { createMemoryMediaStore } from '../memory-media-store.ts';

const PIECE = 64 * 1024;
const store = createMemoryMediaStore();
/** Drafts that are open, and the bytes after which the disk is full. */
let drafts = 0;
let room = Infinity;
/** What a bucket takes its time for, and how many wait for it. */
let storing: Promise<void> | undefined;
let stored = 0;
let isAway = false;
let api: ApiFixture;
let admin: ApiCaller;
let conversationId: string;

beforeAll(async () => {
  const secrets = await createTestSecretBox();
  const mediaStore = {
    ...store,
    async read(...of: Parameters<typeof store.read>) {
      if (isAway) throw new Error('The bucket is away.');
      return store.read(...of);
    },
    async begin() {
      const draft = await store.begin();
      drafts += 1;
      return {
        ...draft,
        async append(piece: Uint8Array) {
          if (draft.size() + piece.length > room) throw new StorageFull('No room.');
          await draft.append(piece);
        },
        async keepAs(key: string) {
          stored += 1;
          await storing;
          await draft.keepAs(key);
        },
        async discard() {
          drafts -= 1;
        },
      };
    },
  };
  api = await openApiFixture({ secrets, mediaStore });
  admin = await api.as('admin');
  await arriveWith(api, { secrets, channelId: await api.addChannel() })(
    said({ phone: '+14155552671' }, 'Hello'),
  );
  const { items } = await (await admin.get('/api/conversations')).json<{ items: { id: string }[] }>();
  conversationId = items[0]!.id;
});
afterAll(() => api.close());
beforeEach(async () => {
  [room, drafts, storing, stored, isAway] = [Infinity, 0, undefined, 0, false];
  store.files.clear();
  await api.db.systemPool.query('DELETE FROM message_files');
});

const PNG = Uint8Array.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]);
const PDF = new TextEncoder().encode('%PDF-1.7\n');

/** A file of so many bytes that begins so, and how much of it was taken. */
function file(head: Uint8Array, size: number) {
  let taken = 0;
  const body = new ReadableStream<Uint8Array>(
    {
      pull(controller) {
        if (taken >= size) return controller.close();
        const piece = new Uint8Array(Math.min(PIECE, size - taken)).fill(0x20);
        if (taken === 0) piece.set(head.subarray(0, piece.length));
        taken += piece.length;
        controller.enqueue(piece);
      },
    },
    { highWaterMark: 0 },
  );
  return { body, size, taken: () => taken };
}

async function upload(
  sent: ReturnType<typeof file>,
  { id = crypto.randomUUID() as string, declares = true, caller = admin } = {},
) {
  const response = await caller.request(
    `/api/conversations/files/${id}?conversationId=${conversationId}&name=a`,
    {
      ...{ method: 'POST', body: sent.body, duplex: 'half' },
      headers: {
        'content-type': 'application/octet-stream',
        ...(declares && { 'content-length': String(sent.size) }),
      },
    } as RequestInit,
  );
  type Body = { size?: number; error?: { code: string; details?: { values: { n: number } } } };
  return { status: response.status, body: await response.json<Body>() };
}
const rows = async () =>
  (await api.db.systemPool.query('SELECT id, size::int, sha256 FROM message_files')).rows as object[];

longTest('a large document is kept as it came, declared or not', async () => {
  const size = 3 * 1024 * 1024 + 5;
  for (const declares of [true, false])
    expect((await upload(file(PDF, size), { declares })).body).toMatchObject({ size, kind: 'document' });
  expect([...store.files.values()].map((bytes) => bytes.length)).toEqual([size, size]);
  expect(drafts).toBe(0);
});

longTest('what is larger than its kind may be is refused by its first bytes', async () => {
  const picture = file(PNG, 60 * 1024 * 1024);
  const { status, body } = await upload(picture);
  expect([status, body]).toMatchObject([
    422,
    { error: { code: 'message_file_too_large', details: { values: { n: 5_120 } } } },
  ]);
  expect(picture.taken()).toBeLessThanOrEqual(3 * PIECE);
  const program = file(new TextEncoder().encode('MZ\0\0'), 60 * 1024 * 1024);
  expect((await upload(program)).body).toMatchObject({ error: { code: 'message_file_unsupported' } });
  expect(program.taken()).toBeLessThanOrEqual(3 * PIECE);
  const endless = file(PNG, 60 * 1024 * 1024);
  expect((await upload(endless, { declares: false })).status).toBe(422);
  expect(endless.taken()).toBeLessThanOrEqual(5 * 1024 * 1024 + 3 * PIECE);
  const film = file(PDF, 300 * 1024 * 1024);
  expect((await upload(film)).body).toMatchObject({ error: { code: 'message_file_too_large' } });
  expect(film.taken()).toBeLessThanOrEqual(PIECE);
  expect([await rows(), store.files.size, drafts]).toEqual([[], 0, 0]);
});

test('a full disk is said, and nothing half is left', async () => {
  room = 1024 * 1024;
  const id = crypto.randomUUID();
  const { status, body } = await upload(file(PDF, 2 * 1024 * 1024), { id });
  expect([status, body]).toMatchObject([507, { error: { code: 'storage_full' } }]);
  expect([await rows(), store.files.size, drafts]).toEqual([[], 0, 0]);
  room = Infinity;
  expect((await upload(file(PDF, 2 * 1024 * 1024), { id })).status).toBe(200);
});

test('a sender who goes away leaves nothing', async () => {
  const body = new ReadableStream<Uint8Array>({
    start(controller) {
      controller.enqueue(PDF);
      setTimeout(() => controller.error(new Error('gone')), 20);
    },
  });
  const answer = await upload({ body, size: 1_000_000, taken: () => 0 });
  expect(answer.body).toMatchObject({ error: { code: 'body_interrupted' } });
  expect([await rows(), store.files.size, drafts]).toEqual([[], 0, 0]);
});

longTest('the same id is the same file, however often and by however many at once', async () => {
  const id = crypto.randomUUID();
  const answers = await Promise.all(Array.from({ length: 5 }, () => upload(file(PDF, 1_000_000), { id })));
  expect(answers.map(({ status }) => status)).toEqual([200, 200, 200, 200, 200]);
  expect((await upload(file(PDF, 1_000_000), { id })).status).toBe(200);
  expect([(await rows()).length, store.files.size, drafts]).toEqual([1, 1, 0]);
  const other = await api.as('manager');
  expect((await upload(file(PDF, 10), { id, caller: other })).status).toBe(404);
});

longTest('twenty large ones of one person at once all arrive', async () => {
  const answers = await Promise.all(Array.from({ length: 20 }, () => upload(file(PDF, 2_000_000))));
  expect(answers.filter(({ status }) => status !== 200)).toEqual([]);
  expect(drafts).toBe(0);
});

test('nobody waits until a bucket has taken what others sent', async () => {
  const slow = Promise.withResolvers<void>();
  storing = slow.promise;
  const others = [1, 2, 3].map(() => upload(file(PDF, 1_000_000)));
  await expect.poll(() => stored).toBe(3);
  storing = undefined;
  expect((await upload(file(PDF, 100))).status).toBe(200);
  slow.resolve();
  expect((await Promise.all(others)).map(({ status }) => status)).toEqual([200, 200, 200]);
});

test('bytes that are gone are said to be so, and not while the bucket is away', async () => {
  const id = crypto.randomUUID();
  await upload(file(PDF, 100), { id });
  const read = async () => (await admin.get(`/api/conversations/files/${id}`)).status;
  expect(await read()).toBe(200);
  isAway = true;
  expect(await read()).toBe(500);
  isAway = false;
  store.files.clear();
  expect(await read()).toBe(404);
});

test('a film gets its first picture from whoever uploaded it, drawn anew, once', async () => {
  const id = crypto.randomUUID();
  const box = (type: string, content: string) =>
    `${String.fromCharCode(0, 0, 0, content.length + 8)}${type}${content}`;
  const film = Buffer.from(box('ftyp', 'isom') + box('moov', 'hdlrvide'), 'latin1');
  expect((await upload(file(film, film.length), { id })).body).toMatchObject({ kind: 'video' });
  const path = `/api/conversations/files/${id}/thumbnail`;
  const send = (body: string | Uint8Array<ArrayBuffer>, caller = admin) =>
    caller.request(path, { method: 'POST', body });
  const picture = await sharp({ create: { width: 900, height: 600, channels: 3, background: '#123456' } })
    .jpeg()
    .toBuffer();
  const bytes = new Uint8Array(picture);
  expect((await send('<svg onload="alert(1)"/>')).status).toBe(422);
  expect((await send(bytes, await api.as('manager'))).status).toBe(404);
  expect((await admin.get(path)).status).toBe(404);
  const answers = await Promise.all([send(bytes), send(bytes), send(bytes)]);
  expect(answers.map(({ status }) => status)).toEqual([200, 200, 200]);
  const shown = await admin.get(path);
  expect([shown.status, shown.headers.get('content-type')]).toEqual([200, 'image/webp']);
  // The video and one picture.
  expect(store.files.size).toBe(2);
  const other = crypto.randomUUID();
  await upload(file(PDF, 100), { id: other });
  const notFilm = await admin.request(`/api/conversations/files/${other}/thumbnail`, {
    ...{ method: 'POST', body: bytes },
  });
  expect(notFilm.status).toBe(404);
});
