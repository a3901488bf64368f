import { describe, expect, it } from 'vitest';
import { nameMedia, sniffMedia as sniffInSteps, type SniffedMedia } from './sniff-media.ts';

function sniffMedia(bytes: Uint8Array): SniffedMedia {
  const steps = sniffInSteps(bytes);
  for (;;) {
    const { done, value } = steps.next();
    if (done) return value;
  }
}

const text = (value: string) => Uint8Array.from(value, (character) => character.charCodeAt(0));

function join(...parts: (Uint8Array | number[] | string)[]): Uint8Array {
  const bytes = parts.flatMap((part) => (typeof part === 'string' ? [...text(part)] : [...part]));
  return Uint8Array.from(bytes);
}

function number32(value: number): number[] {
  return [24, 16, 8, 0].map((shift) => (value >>> shift) & 0xff);
}

function pngChunk(type: string, data: Uint8Array | number[]): Uint8Array {
  return join(number32(data.length), type, data, [0, 0, 0, 0]);
}

function png(width: number, height: number): Uint8Array {
  const header = [...number32(width), ...number32(height), 8, 2, 0, 0, 0];
  return join(
    [0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a],
    pngChunk('IHDR', header),
    pngChunk('IDAT', [1, 2, 3]),
    pngChunk('IEND', []),
  );
}

function jpeg(width: number, height: number): Uint8Array {
  const size = [(height >> 8) & 0xff, height & 0xff, (width >> 8) & 0xff, width & 0xff];
  return join(
    [0xff, 0xd8, 0xff, 0xe0, 0, 4, 1, 2],
    [0xff, 0xc2, 0, 11, 8, ...size, 1, 1, 0x11, 0],
    [0xff, 0xda, 0, 8, 1, 1, 0, 0, 0x3f, 0],
    [1, 2, 0xff, 0x00, 3, 0xff, 0xd0, 4],
    [0xff, 0xda, 0, 8, 1, 1, 0, 0, 0x3f, 0, 9, 9],
    [0xff, 0xd9],
  );
}

function box(type: string, data: Uint8Array | number[] | string): Uint8Array {
  const content = join(data);
  return join(number32(content.length + 8), type, content);
}

const mp4 = (brand = 'isom') =>
  join(box('ftyp', `${brand}0000isom`), box('moov', 'avc1'), box('mdat', [1, 2, 3]));
const gif = (more: string | number[] = []) =>
  join(
    'GIF89a',
    [2, 0, 1, 0, 0x80, 0, 0, 1, 2, 3, 4, 5, 6],
    [0x21, 0xf9, 4, 0, 0, 0, 0, 0],
    [0x2c, 0, 0, 0, 0, 2, 0, 1, 0, 0, 2, 2, 0x4c, 0x01, 0],
    [0x3b],
    more,
  );
const webm = (type = 'webm', length: number[] = [0x84]) =>
  join(
    [0x1a, 0x45, 0xdf, 0xa3, 0x87, 0x42, 0x82, 0x80 + type.length],
    type,
    [0x18, 0x53, 0x80, 0x67],
    length,
    [0xec, 0x82, 0, 0],
  );
const pdf = (inside = '') => text(`%PDF-1.7\n${inside}\ntrailer\n%%EOF\n`);
const spread = (word: string) => [...word].join('\u0000');
const doc = (...streams: string[]) =>
  join([0xd0, 0xcf, 0x11, 0xe0, 0xa1, 0xb1, 0x1a, 0xe1], ...streams.map(spread));

function zip(...names: string[]): Uint8Array {
  const start = text('PK\u0003\u0004local');
  const directory = text(names.join('|'));
  const end = [
    ...[0x50, 0x4b, 0x05, 0x06, 0, 0, 0, 0, 1, 0, 1, 0],
    ...number32(directory.length).toReversed(),
    ...number32(start.length).toReversed(),
    ...[0, 0],
  ];
  return join(start, directory, end);
}
const docx = (...more: string[]) => zip('[Content_Types].xml', 'word/document.xml', ...more);

describe('a file is known by its bytes', () => {
  it.each<[string, Uint8Array, string]>([
    ['png', png(800, 600), 'image/png'],
    ['jpeg', jpeg(800, 600), 'image/jpeg'],
    ['jpeg with a second picture behind it', join(jpeg(800, 600), jpeg(80, 60)), 'image/jpeg'],
    ['mp4', mp4(), 'video/mp4'],
    ['3gp', mp4('3gp5'), 'video/3gpp'],
    ['pdf', pdf(), 'application/pdf'],
    ['old Word', doc('WordDocument'), 'application/msword'],
    ['Word', docx(), 'application/vnd.openxmlformats-officedocument.wordprocessingml.document'],
  ])('%s', (_case, bytes, mimeType) => {
    expect(sniffMedia(bytes)).toEqual({ outcome: 'known', mimeType });
  });
});

describe('a file is not known', () => {
  it.each<[string, Uint8Array]>([
    ['nothing', new Uint8Array(0)],
    ['SVG', text('<svg xmlns="http://www.w3.org/2000/svg" onload="alert(1)"/>')],
    ['a page', text('<!doctype html><script>alert(1)</script>')],
    ['plain text', text('hello')],
    ['GIF and script in one', text('GIF89a/*....*/=1;alert(1)')],
    [
      'PNG with a page inside',
      join(
        png(8, 8).subarray(0, 33),
        pngChunk('tEXt', text('<script>alert(1)</script>')),
        png(8, 8).subarray(33),
      ),
    ],
    ['PNG with a page behind it', join(png(8, 8), '<script>alert(1)</script>')],
    ['PNG with an archive behind it', join(png(8, 8), docx())],
    ['JPEG with an archive behind it', join(jpeg(8, 8), zip('a'))],
    [
      'JPEG with a page in its comment',
      join(jpeg(8, 8).subarray(0, 8), [0xff, 0xfe, 0, 10], '<script>', jpeg(8, 8).subarray(8)),
    ],
    ['PNG that is cut off', png(8, 8).subarray(0, 40)],
    ['JPEG that is cut off', jpeg(8, 8).subarray(0, 30)],
    ['PNG of no size', png(0, 8)],
    ['PDF with something before it', join('\n', pdf())],
    ['PDF that begins as a page', pdf('<html><script>alert(1)</script>')],
    ['PDF without an end', text('%PDF-1.7')],
    ['video without a movie', join(box('ftyp', 'isom0000'), box('mdat', [1]))],
    ['video with a page behind it', join(mp4(), '<html>')],
    ['video of another brand', mp4('heic')],
    ['archive', zip('a.txt')],
    ['Word with macros', docx('word/vbaProject.bin')],
    ['old Word with macros', doc('WordDocument', '_VBA_PROJECT')],
    ['archive with something behind it', join(docx(), 'x')],
  ])('%s', (_case, bytes) => {
    expect(sniffMedia(bytes)).toEqual({ outcome: 'unknown' });
  });

  it.each([
    ['wide', png(20_001, 1)],
    ['large', png(10_000, 10_000)],
    ['large JPEG', jpeg(60_000, 60_000)],
  ])('a picture that unpacks to too many pixels: %s', (_case, bytes) => {
    expect(sniffMedia(bytes)).toEqual({ outcome: 'too_many_pixels' });
  });

  it('whatever is cut off or changed, and never throws', () => {
    for (const whole of [png(8, 8), jpeg(8, 8), mp4(), pdf(), docx(), doc('WordDocument')]) {
      for (let length = 0; length < whole.length; length += 1) {
        expect(() => sniffMedia(whole.subarray(0, length))).not.toThrow();
        const changed = Uint8Array.from(whole);
        changed[length] = 0xff;
        expect(() => sniffMedia(changed)).not.toThrow();
      }
    }
  });
});

describe('the name of a file', () => {
  it.each([
    ['photo.png', 'photo.png'],
    ['photo', 'photo.png'],
    ['../../etc/passwd.png', '.._.._etc_passwd.png'],
    ['a\u0000b.PNG', 'a_b.PNG'],
    ['photo.jpg', null],
    ['photo.svg', null],
    ['photo.png.html', null],
  ])('%s: %s', (name, kept) => {
    expect(nameMedia(name, 'image/png')).toBe(kept);
  });
});

describe('a file of 16 megabytes', () => {
  const SIZE = 16 * 1024 * 1024;
  function watch(bytes: Uint8Array): { pauses: number; sniffed: SniffedMedia } {
    const steps = sniffInSteps(bytes);
    for (let pauses = 0; ; pauses += 1) {
      const { done, value } = steps.next();
      if (done) return { pauses, sniffed: value };
    }
  }
  const behind = (start: Uint8Array, filling: readonly number[]) => {
    const bytes = new Uint8Array(SIZE);
    bytes.set(filling);
    for (let filled = filling.length; filled < SIZE; filled *= 2) bytes.copyWithin(filled, 0, filled);
    bytes.copyWithin(start.length, 0, SIZE - start.length);
    bytes.set(start);
    return bytes;
  };
  const tail = (bytes: Uint8Array, end: string) => {
    bytes.set(text(end), SIZE - end.length);
    return bytes;
  };

  it.each([
    ['a JPEG with a tail', behind(jpeg(40, 30), [1, 2, 0x3c, 0x50, 0x25]), 'known', 30],
    ['a JPEG with a tail of one letter', behind(jpeg(40, 30), [0x3c]), 'known', 30],
    ['a JPEG with a page at its very end', tail(behind(jpeg(40, 30), [0x3c]), '<scRIPT>'), 'unknown', 30],
    ['a JPEG of nothing but marks', behind(jpeg(40, 30).subarray(0, -2), [0xff]), 'unknown', 0],
    ['a video of empty boxes', behind(mp4(), [0, 0, 0, 8, 0x66, 0x72, 0x65, 0x65]), 'unknown', 0],
  ])('is looked through with pauses, or given up soon: %s', (_case, bytes, outcome, leastPauses) => {
    const { pauses, sniffed } = watch(bytes);
    expect(sniffed.outcome).toBe(outcome);
    expect(pauses).toBeGreaterThanOrEqual(leastPauses);
  });
});

describe('animations and films of cards', () => {
  it.each([
    ['a GIF', gif(), 'image/gif'],
    ['a WebM', webm(), 'video/webm'],
    ['a WebM that was streamed', webm('webm', [0xff]), 'video/webm'],
  ])('%s is known by its bytes', (_, bytes, mimeType) => {
    expect(sniffMedia(bytes)).toEqual({ outcome: 'known', mimeType });
  });

  it.each([
    ['a GIF without its end', gif().slice(0, -1)],
    ['a GIF without a picture', join('GIF89a', [2, 0, 1, 0, 0, 0, 0, 0x3b])],
    ['a GIF with an archive behind it', gif('PK\u0003\u0004')],
    ['a GIF with a page in it', gif('<script>')],
    ['a GIF whose part runs over the end', join(gif().slice(0, -6), [0xff])],
    ['another kind of film in the same wrapping', webm('mkv8')],
    ['a WebM that is longer than it says', join(webm(), [0])],
    ['a WebM that is cut off', webm().slice(0, -1)],
  ])('%s is not', (_, bytes) => {
    expect(sniffMedia(bytes)).toEqual({ outcome: 'unknown' });
  });
});
