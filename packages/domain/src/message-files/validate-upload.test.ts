import { describe, expect, it } from 'vitest';
import type { MediaKind } from '../messaging/message-content.ts';
import { fileOf } from './file-bytes.ts';
import { foreseeUpload, validateUpload } from './validate-upload.ts';
import { RECORDED_VOICE } from './recorded-voice.ts';
import { webmToOgg } from './webm-to-ogg.ts';

const bytesOf = (text: string) => Uint8Array.from(text, (sign) => sign.charCodeAt(0));
const voice = Uint8Array.from(RECORDED_VOICE.match(/../g) ?? [], (byte) => parseInt(byte, 16));
const box = (type: string, content = '') =>
  `${String.fromCharCode(0, 0, 0, content.length + 8)}${type}${content}`;
const padded = (text: string, length: number) => bytesOf(text.padEnd(length, '\x01'));
const webp = (flags: number, length = 100) =>
  padded(`RIFF\0\0\0\0WEBPVP8X\x0a\0\0\0${String.fromCharCode(flags)}`, length);

const media = {
  image: { mimeTypes: ['image/jpeg', 'image/png'], maxBytes: 5_120, longestCaption: 10 },
  video: { mimeTypes: ['video/mp4', 'video/3gpp'], maxBytes: 16_384, longestCaption: 10 },
  audio: {
    mimeTypes: ['audio/aac', 'audio/amr', 'audio/mpeg', 'audio/mp4', 'audio/ogg'],
    maxBytes: 16_384,
    longestCaption: 0,
  },
  document: {
    mimeTypes: ['text/plain', 'application/pdf', 'application/msword', 'application/vnd.ms-excel'],
    maxBytes: 102_400,
    longestCaption: 10,
  },
  sticker: { mimeTypes: ['image/webp'], maxBytes: 1_024, maxAnimatedBytes: 5_120, longestCaption: 0 },
};

describe('a file is taken for what its bytes are', () => {
  it.each<[string, Uint8Array<ArrayBuffer>, MediaKind, string]>([
    ['a picture', bytesOf('\x89PNG\r\n\x1a\n'), 'image', 'image/png'],
    ['a film', bytesOf(box('ftyp', 'isom') + box('moov', 'hdlrvide')), 'video', 'video/mp4'],
    [
      'a sound in the frame of a film',
      bytesOf(box('ftyp', 'iso5') + box('moov', 'mp4a')),
      'audio',
      'audio/mp4',
    ],
    ['a sound', bytesOf('ID3\x04'), 'audio', 'audio/mpeg'],
    ['a sticker', webp(0), 'sticker', 'image/webp'],
    ['a PDF', bytesOf('%PDF-1.7'), 'document', 'application/pdf'],
    ['a text', bytesOf('Gr\xc3\xbc\xc3\x9fe \xf0\x9f\x91\x8d\n'), 'document', 'text/plain'],
    [
      'an old table',
      bytesOf(`\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1${[...'Workbook'].join('\0')}`),
      'document',
      'application/vnd.ms-excel',
    ],
  ])('%s', async (_, bytes, kind, mimeType) => {
    expect(await validateUpload(fileOf(bytes), { media })).toMatchObject({
      kind,
      mimeType,
      isAnimated: false,
    });
  });

  it('a recording of a browser becomes a voice note', async () => {
    expect(await validateUpload(fileOf(voice), { media })).toMatchObject({
      ...{ kind: 'audio', mimeType: 'audio/ogg', isVoice: true, rewritten: webmToOgg(voice) },
    });
  });

  it('one that moves may be larger', async () => {
    expect(await validateUpload(fileOf(webp(2, 5_000)), { media })).toMatchObject({
      ...{ kind: 'sticker', isAnimated: true },
    });
    expect(await validateUpload(fileOf(webp(0, 5_000)), { media })).toEqual({
      code: 'message_file_too_large',
      kilobytes: 1,
    });
  });
});

describe('a file is refused', () => {
  const unsupported = { code: 'message_file_unsupported' };
  it.each<[string, Uint8Array<ArrayBuffer>, object]>([
    ['empty', bytesOf(''), unsupported],
    ['a moving picture of old', bytesOf('GIF89a'), unsupported],
    ['an archive', bytesOf('PK\x03\x04'), unsupported],
    ['a program', bytesOf('MZ\0\0'), unsupported],
    ['letters of no known writing', bytesOf('Gr\xfc\xdfe'), unsupported],
    ['Ogg that is not Opus', bytesOf('OggS\0\0\x01vorbis'), unsupported],
    ['a film of an Apple', bytesOf(box('ftyp', 'qt  ')), unsupported],
    ['Opus in the frame of a film', bytesOf(box('ftyp', 'iso5') + box('moov', 'Opus')), unsupported],
    ['WebM with pictures', bytesOf('\x1a\x45\xdf\xa3\x80'), unsupported],
    ['too large', padded('\x89PNG\r\n\x1a\n', 5_121), { code: 'message_file_too_large', kilobytes: 5 }],
  ])('%s', async (_, bytes, refusal) => {
    expect(await validateUpload(fileOf(bytes), { media })).toEqual(refusal);
  });
});

describe('the beginning of a file says', () => {
  it.each<[string, Uint8Array<ArrayBuffer>, object]>([
    ['of a picture how large it may be', bytesOf('\x89PNG\r\n\x1a\n'), { most: 5_120 }],
    ['of a recording that it is a sound', voice.slice(0, 64), { most: 16_384 }],
    ['of a film that it may be a sound', bytesOf(box('ftyp', 'isom')), { most: 16_384 }],
    ['of a sticker that it may move', webp(0), { most: 5_120 }],
    ['of a text that it may be a long one', bytesOf('words'), { most: 102_400 }],
    ['of a program that nobody takes it', bytesOf('MZ\0\0'), { code: 'message_file_unsupported' }],
  ])('%s', (_, head, foreseen) => {
    expect(foreseeUpload(head, { media })).toEqual(foreseen);
  });
});

describe('a file that is larger than memory should be', () => {
  const MEGABYTE = 1_024 * 1_024;
  /** Reads of it, so that a test sees how much is taken at once. */
  function watched(bytes: Uint8Array) {
    const reads: number[] = [];
    const file = fileOf(bytes);
    return {
      ...{ reads, size: file.size },
      read: (start: number, end: number) => {
        reads.push(Math.min(end, file.size) - start);
        return file.read(start, end);
      },
    };
  }
  const large = { ...media, document: { ...media.document, maxBytes: 10 * MEGABYTE } };

  it('is a text across the borders of pieces, and read a megabyte at a time', async () => {
    const text = bytesOf(`x${'\xc3\xbc'.repeat(MEGABYTE)}`);
    const file = watched(text);
    expect(await validateUpload(file, { media: large })).toMatchObject({ mimeType: 'text/plain' });
    expect(Math.max(...file.reads)).toBeLessThanOrEqual(MEGABYTE);
    text[text.length - 1] = 0x41;
    expect(await validateUpload(fileOf(text), { media: large })).toEqual({
      code: 'message_file_unsupported',
    });
    expect(await validateUpload(fileOf(text.slice(0, -1)), { media: large })).toEqual({
      code: 'message_file_unsupported',
    });
  });

  it('is an old document whose name stands across that border', async () => {
    const bytes = new Uint8Array(3 * MEGABYTE);
    bytes.set(bytesOf('\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1'));
    bytes.set(bytesOf([...'Workbook'].join('\0')), MEGABYTE - 7);
    const file = watched(bytes);
    expect(await validateUpload(file, { media: large })).toMatchObject({
      mimeType: 'application/vnd.ms-excel',
    });
    expect(Math.max(...file.reads)).toBeLessThanOrEqual(MEGABYTE);
  });

  it('is a film whose description stands behind its pictures, which nobody reads', async () => {
    const bytes = new Uint8Array(3 * MEGABYTE);
    bytes.set(bytesOf(box('ftyp', 'isom')));
    new DataView(bytes.buffer).setUint32(12, 2 * MEGABYTE);
    bytes.set(bytesOf('mdat'), 16);
    const description = bytesOf(box('moov', 'hdlrvide'));
    bytes.set(description, 12 + 2 * MEGABYTE);
    const film = bytes.slice(0, 12 + 2 * MEGABYTE + description.length);
    const file = watched(film);
    const films = { ...media, video: { ...media.video, maxBytes: 10 * MEGABYTE } };
    expect(await validateUpload(file, { media: films })).toMatchObject({ mimeType: 'video/mp4' });
    expect(file.reads.reduce((sum, one) => sum + one, 0)).toBeLessThan(MEGABYTE / 4);
  });
});

describe('Ogg out of WebM', () => {
  /** Pages with what stands in their heads. */
  function pagesOf(bytes: Uint8Array) {
    const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
    const pages = [];
    for (let at = 0; at < bytes.length;) {
      const segments = [...bytes.subarray(at + 27, at + 27 + bytes[at + 26]!)];
      const length = segments.reduce((sum, one) => sum + one, 0);
      pages.push({
        begins: String.fromCharCode(...bytes.subarray(at, at + 4)),
        flags: bytes[at + 5],
        position: Number(view.getBigUint64(at + 6, true)),
        packets: segments.filter((one) => one < 255).length,
        content: String.fromCharCode(...bytes.subarray(at + 27 + segments.length, at + 35 + segments.length)),
      });
      at += 27 + segments.length + length;
    }
    return pages;
  }

  it('holds head, labels and all packets, and says how long it is', () => {
    const pages = pagesOf(webmToOgg(voice)!);
    expect(pages.every(({ begins }) => begins === 'OggS')).toBe(true);
    expect(pages[0]).toMatchObject({ flags: 2, content: 'OpusHead', packets: 1 });
    expect(pages[1]).toMatchObject({ content: 'OpusTags', packets: 1 });
    expect(pages.at(-1)).toMatchObject({ flags: 4 });
    // 22 packets of 60 ms.
    expect(pages.slice(2).reduce((sum, { packets }) => sum + packets, 0) * 2_880).toBe(
      pages.at(-1)?.position,
    );
  });

  it('says that it is mono', () => {
    expect(webmToOgg(voice)![28 + 9]).toBe(1);
  });

  it('is made of a recording that broke off, as far as it goes', () => {
    const whole = webmToOgg(voice)!;
    expect(webmToOgg(voice.slice(0, 2_000))?.length).toBeLessThan(whole.length);
  });

  it('never throws, whatever it is given', () => {
    for (let length = 0; length < voice.length; length += 7) {
      const broken = voice.slice(0, length);
      if (length > 5) broken[length - 3] = 0xff;
      expect(() => webmToOgg(broken)).not.toThrow();
    }
  });
});
