import { describe, expect, it } from 'vitest';
import type { MediaKind } from '../messaging/message-content.ts';
import { judgeUpload } from './judge-upload.ts';
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
  ])('%s', (_, bytes, kind, mimeType) => {
    expect(judgeUpload(bytes, { media })).toMatchObject({ kind, mimeType, isAnimated: false });
  });

  it('a recording of a browser becomes a voice note', () => {
    expect(judgeUpload(voice, { media })).toMatchObject({
      ...{ kind: 'audio', mimeType: 'audio/ogg', isVoice: true, bytes: webmToOgg(voice) },
    });
  });

  it('one that moves may be larger', () => {
    expect(judgeUpload(webp(2, 5_000), { media })).toMatchObject({ kind: 'sticker', isAnimated: true });
    expect(judgeUpload(webp(0, 5_000), { media })).toEqual({ code: 'message_file_too_large', kilobytes: 1 });
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
  ])('%s', (_, bytes, refusal) => {
    expect(judgeUpload(bytes, { media })).toEqual(refusal);
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
