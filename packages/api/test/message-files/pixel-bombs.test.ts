import { crc32, deflateSync } from 'node:zlib';
import { fileOf } from '@app/domain/message-files/file-bytes';
import { expect, test } from 'vitest';
import { inspectFile } from '../../src/message-files/inspect-file.ts';

/** A picture that says how large it is and holds next to nothing. */
function png(width: number, height: number): Buffer {
  const chunk = (type: string, data: Buffer) => {
    const body = Buffer.concat([Buffer.from(type, 'latin1'), data]);
    const [length, sum] = [Buffer.alloc(4), Buffer.alloc(4)];
    length.writeUInt32BE(data.length);
    sum.writeUInt32BE(crc32(body));
    return Buffer.concat([length, body, sum]);
  };
  const head = Buffer.alloc(13);
  head.writeUInt32BE(width);
  head.writeUInt32BE(height, 4);
  head[8] = 1; // a bit for each pixel
  return Buffer.concat([
    Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]),
    ...[chunk('IHDR', head), chunk('IDAT', deflateSync(Buffer.alloc(100_000)))],
    chunk('IEND', Buffer.alloc(0)),
  ]);
}

/** A screen of that size, on which so many pictures of one pixel follow each other. */
function gif(width: number, height: number, frames: number): Buffer {
  const screen = Buffer.from('GIF89a\0\0\0\0\x80\0\0\0\0\0\xff\xff\xff', 'latin1');
  screen.writeUInt16LE(width, 6);
  screen.writeUInt16LE(height, 8);
  const frame = Buffer.from(',\0\0\0\0\x01\0\x01\0\0\x02\x02D\x01\0', 'latin1');
  return Buffer.concat([screen, ...Array<Buffer>(frames).fill(frame), Buffer.from(';')]);
}

/** A canvas of that size without a picture. */
function webp(side: number): Buffer {
  const head = Buffer.from('RIFF\x16\0\0\0WEBPVP8X\x0a\0\0\0\x02\0\0\0\0\0\0\0\0\0', 'latin1');
  head.writeUIntLE(side - 1, 24, 3);
  head.writeUIntLE(side - 1, 27, 3);
  return head;
}

test.each<[string, Buffer]>([
  ['a PNG of 50,000 by 50,000', png(50_000, 50_000)],
  ['a WebP of 16,383 by 16,383', webp(16_383)],
])('%s is refused as a picture, and a document for the disk', async (_, bytes) => {
  const before = process.memoryUsage().rss;
  expect(await inspectFile('image', fileOf(bytes))).toEqual({
    ...{ outcome: 'refused', code: 'picture_unreadable' },
  });
  expect(await inspectFile('document', fileOf(bytes))).toMatchObject({
    ...{ outcome: 'kept', file: { mimeType: 'application/octet-stream', thumbnail: null } },
  });
  // Unpacked they would take gigabytes.
  expect(process.memoryUsage().rss - before).toBeLessThan(300 * 1024 * 1024);
});

test('a GIF is as large as its pictures, whatever it says of its screen', async () => {
  const before = process.memoryUsage().rss;
  expect(await inspectFile('image', fileOf(gif(60_000, 60_000, 2)))).toMatchObject({
    ...{ outcome: 'kept', file: { width: 1, height: 1 } },
  });
  expect(process.memoryUsage().rss - before).toBeLessThan(300 * 1024 * 1024);
});

test('of a GIF with thousands of pictures the first alone is looked at', async () => {
  const before = process.memoryUsage().rss;
  expect(await inspectFile('image', fileOf(gif(1_000, 1_000, 5_000)))).toMatchObject({
    ...{ outcome: 'kept', file: { width: 1_000, height: 1_000, mimeType: 'image/gif' } },
  });
  expect(process.memoryUsage().rss - before).toBeLessThan(300 * 1024 * 1024);
});

test('what says that it is a picture and is larger than any camera makes is not read as a whole', async () => {
  const reads: number[] = [];
  const size = 90 * 1024 * 1024;
  const head = png(10, 10);
  const file = {
    size,
    read: async (start: number, end: number) => {
      reads.push(end - start);
      const bytes = Buffer.alloc(end - start);
      if (start === 0) head.copy(bytes);
      return bytes;
    },
  };
  expect(await inspectFile('document', file)).toMatchObject({ file: { thumbnail: null } });
  expect(Math.max(...reads)).toBeLessThan(100_000);
});
