import { once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { createHash } from 'node:crypto';
import { mkdir, mkdtemp, readdir, rm, utimes, writeFile } from 'node:fs/promises';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { openForPlatform, type MediaStore } from '@app/api/platform/media-store';
import { createDiskMediaStore } from '../src/media/disk-media-store.ts';
import { createS3MediaStore } from '../src/media/s3-media-store.ts';

let folder: string;
let bucket: Awaited<ReturnType<typeof openBucket>>;

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'media-'));
  bucket = await openBucket();
});
afterAll(async () => {
  await rm(folder, { recursive: true });
  bucket.server.close();
});

describe.each<[string, () => MediaStore]>([
  ['a folder', () => createDiskMediaStore(folder)],
  ['a bucket', () => createS3MediaStore(bucket.url, join(folder, 'drafts'))],
])('%s', (_name, open) => {
  const bytes = Uint8Array.from([1, 2, 3, 4, 5]);

  it('keeps files, gives back pieces of them, and forgets them', async () => {
    const store = open();
    await store.put('workspace/file-1', bytes);
    await store.put('workspace/file-1', bytes);
    expect([...((await store.read('workspace/file-1')) ?? [])]).toEqual([1, 2, 3, 4, 5]);
    expect([...((await store.read('workspace/file-1', { start: 1, end: 3 })) ?? [])]).toEqual([2, 3, 4]);
    await store.remove('workspace/file-1');
    await store.remove('workspace/file-1');
    expect(await store.read('workspace/file-1')).toBeNull();
  });

  it('takes what comes in pieces, and has nothing of it before it is kept', async () => {
    const store = open();
    const draft = await store.begin();
    await draft.append(bytes.subarray(0, 2));
    await draft.append(bytes.subarray(2));
    expect([draft.size(), draft.sha256()]).toEqual([5, createHash('sha256').update(bytes).digest('hex')]);
    expect([...(await draft.read(1, 9))]).toEqual([2, 3, 4, 5]);
    expect(await store.read('workspace/file-2')).toBeNull();
    await draft.keepAs('workspace/file-2');
    await draft.discard();
    expect([...((await store.read('workspace/file-2')) ?? [])]).toEqual([...bytes]);
    const given = await store.begin();
    await given.append(bytes);
    await given.discard();
    for (const place of ['arriving', 'drafts'])
      expect(await readdir(join(folder, place)).catch(() => [])).toEqual([]);
  });

  it('hands a file on as long as its bytes are there', async () => {
    const store = open();
    await store.put('workspace/file-3', bytes);
    const about = {
      key: 'workspace/file-3',
      name: 'a.bin',
      mimeType: 'application/pdf',
      size: 5,
    };
    const file = await openForPlatform(store, about);
    const pieces: number[] = [];
    for await (const piece of file!.open(2)) pieces.push(...piece);
    expect(pieces).toEqual([3, 4, 5]);
    await store.remove('workspace/file-3');
    expect(await openForPlatform(store, about)).toBeNull();
  });
});

describe('a folder', () => {
  it('is never left by a key, and holds no half-written file', async () => {
    const store = createDiskMediaStore(folder);
    await expect(store.put('../outside', new Uint8Array(1))).rejects.toThrow('below its folder');
    await store.put('a/b', new Uint8Array(1));
    expect(await readdir(join(folder, 'a'))).toEqual(['b']);
  });
});

describe('what a process left that died', () => {
  it('is taken away once nobody has written to it for an hour', async () => {
    const place = join(folder, 'of-the-dead', 'arriving');
    await mkdir(place, { recursive: true });
    for (const name of ['old', 'young']) await writeFile(join(place, name), 'half');
    const before = new Date(Date.now() - 2 * 3_600_000);
    await utimes(join(place, 'old'), before, before);
    const draft = await createDiskMediaStore(join(folder, 'of-the-dead')).begin();
    await draft.discard();
    await expect.poll(() => readdir(place)).toEqual(['young']);
  });
});

describe('a bucket', () => {
  it('gets each request signed as AWS signs it', async () => {
    const store = createS3MediaStore(bucket.url, folder, {
      now: () => new Date('2026-11-21T06:00:00Z'),
    });
    await store.put('k', Uint8Array.from([97]));
    const { headers, path } = bucket.requests.at(-1) ?? {
      headers: {},
      path: '',
    };
    expect(path).toBe('/files/k');
    expect(headers['x-amz-date']).toBe('20261121T060000Z');
    expect(headers['x-amz-content-sha256']).toBe(
      'ca978112ca1bbdcafac231b39a23dc4da786eff8147c4e72b9807785afee48bb',
    );
    expect(headers.authorization).toMatch(
      /^AWS4-HMAC-SHA256 Credential=key-id\/20261121\/eu-central-1\/s3\/aws4_request, SignedHeaders=host;x-amz-content-sha256;x-amz-date, Signature=[0-9a-f]{64}$/,
    );
  });

  it('that is named wrongly says so without its secret', () => {
    expect(() => createS3MediaStore('s3://key-id:top-secret@host', folder)).toThrow(
      'STORAGE_URL must look like',
    );
    expect(() => createS3MediaStore('s3://host/bucket', folder)).toThrow(/^(?!.*top-secret)/);
  });

  it('that refuses is reported without its answer', async () => {
    const store = createS3MediaStore(bucket.url.replace('/files', '/forbidden'), folder);
    await expect(store.read('k')).rejects.toThrow('The media bucket answered 403 to GET.');
  });
});

describe('a large file', () => {
  const partBytes = 1_000;
  const bytes = Uint8Array.from({ length: 2_500 }, (_, index) => index % 251);
  const keep = async (url = bucket.url) => {
    const store = createS3MediaStore(url, join(folder, 'large'), {
      partBytes,
      patienceMs: 2_000,
    });
    const draft = await store.begin();
    try {
      await draft.append(bytes);
      await draft.keepAs('large/file');
    } finally {
      await draft.discard();
    }
    return store;
  };

  it('goes in parts, of which nothing is seen before all are there', async () => {
    const before = bucket.requests.length;
    const store = await keep();
    expect([...((await store.read('large/file')) ?? [])]).toEqual([...bytes]);
    const sent = bucket.requests.slice(before, -1);
    expect(sent.map(({ path }) => path)).toEqual([
      '/files/large/file?uploads=',
      ...[1, 2, 3].map((part) => `/files/large/file?partNumber=${part}&uploadId=u%201%2F%2B`),
      '/files/large/file?uploadId=u%201%2F%2B',
    ]);
    const hash = createHash('sha256').update(bytes.subarray(2_000)).digest('hex');
    expect(sent[3]!.headers['x-amz-content-sha256']).toBe(hash);
    await store.remove('large/file');
  });

  it('of which a part breaks off sends that part again', async () => {
    bucket.broken = 2;
    const store = await keep();
    expect((await store.read('large/file'))?.length).toBe(bytes.length);
    await store.remove('large/file');
  });

  it.each([
    ['a part', { broken: 9 }],
    ['the end', { isSplit: true }],
  ])('that is refused in %s leaves nothing in the bucket, and nothing on the disk', async (_, fault) => {
    Object.assign(bucket, fault);
    await expect(keep()).rejects.toThrow(/hang up|The media bucket/);
    Object.assign(bucket, { broken: 0, isSplit: false });
    expect([bucket.parts.size, await createS3MediaStore(bucket.url, folder).read('large/file')]).toEqual([
      0,
      null,
    ]);
    expect(await readdir(join(folder, 'large'))).toEqual([]);
  });
});

describe('a bucket that does not answer', () => {
  const waitsFor = async (take: (request: IncomingMessage, response: ServerResponse) => void) => {
    const server = createServer(take).listen(0, '127.0.0.1');
    await once(server, 'listening');
    const { port } = server.address() as AddressInfo;
    const url = `s3://key-id:top-secret@127.0.0.1:${port}/files?tls=off`;
    const store = createS3MediaStore(url, join(folder, 'waiting'), {
      patienceMs: 300,
    });
    const draft = await store.begin();
    try {
      // More than a socket takes by itself.
      for (let piece = 0; piece < 3; piece += 1) await draft.append(new Uint8Array(4_000_000));
      await draft.keepAs('large');
    } finally {
      await draft.discard();
      server.closeAllConnections();
      server.close();
    }
  };

  it.each<[string, (request: IncomingMessage) => void]>([
    ['takes nothing', (request) => request.pause()],
    ['takes all, and says nothing', (request) => request.resume()],
  ])('and %s is given up, and nothing lies on the disk', async (_, take) => {
    await expect(waitsFor(take)).rejects.toThrow('The media bucket does not answer.');
    expect(await readdir(join(folder, 'waiting'))).toEqual([]);
  });
});

/** A bucket in memory that speaks as much of the protocol as the store uses. */
async function openBucket() {
  const files = new Map<string, Buffer>();
  const requests: { headers: Record<string, unknown>; path: string }[] = [];
  const parts = new Map<string, Buffer>();
  /** `broken`: as many parts break off; `isSplit`: they cannot be put together. */
  const store = { broken: 0, isSplit: false };
  const server = createServer((request, response) => {
    const pieces: Buffer[] = [];
    request.on('data', (piece) => pieces.push(piece));
    request.on('end', () => {
      const path = request.url ?? '';
      requests.push({ headers: request.headers, path });
      if (path.startsWith('/forbidden')) return response.writeHead(403).end('SignatureDoesNotMatch');
      const { pathname, searchParams } = new URL(path, 'http://bucket');
      if (searchParams.has('uploads'))
        return response.writeHead(200).end('<R><UploadId>u 1/+</UploadId></R>');
      if (searchParams.has('uploadId')) {
        if (request.method === 'DELETE') parts.clear();
        if (request.method !== 'PUT' && request.method !== 'POST') return response.writeHead(204).end();
        const part = searchParams.get('partNumber');
        if (part !== null) {
          if (store.broken > 0 && part === '2') {
            store.broken -= 1;
            return request.socket.destroy();
          }
          parts.set(part, Buffer.concat(pieces));
          return response.writeHead(200, { etag: `"<${part}>"` }).end();
        }
        if (store.isSplit) return response.writeHead(200).end('<Error><Code>InternalError</Code></Error>');
        const named = [
          ...Buffer.concat(pieces)
            .toString()
            .matchAll(/<ETag>"&lt;(\d+)&gt;"<\/ETag>/g),
        ];
        files.set(pathname, Buffer.concat(named.map(([, tag = '']) => parts.get(tag)!)));
        parts.clear();
        return response.writeHead(200).end('<CompleteMultipartUploadResult/>');
      }
      if (request.method === 'PUT') files.set(path, Buffer.concat(pieces));
      if (request.method === 'DELETE') files.delete(path);
      if (request.method !== 'GET') return response.writeHead(204).end();
      const file = files.get(path);
      if (!file) return response.writeHead(404).end('NoSuchKey');
      const range = /bytes=(\d+)-(\d+)/.exec(request.headers.range ?? '');
      const piece = range ? file.subarray(Number(range[1]), Number(range[2]) + 1) : file;
      return response.writeHead(range ? 206 : 200).end(piece);
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo; // listening on a port
  return Object.assign(store, {
    ...{ server, requests, parts },
    url: `s3://key-id:top-secret@127.0.0.1:${port}/files?region=eu-central-1&tls=off`,
  });
}
