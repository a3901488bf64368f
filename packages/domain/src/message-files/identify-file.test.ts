import { describe, expect, test } from 'vitest';
import { identifyFile, isOfKind } from './identify-file.ts';
import { afterFailure } from './file-retries.ts';
import { measureSound } from './measure-sound.ts';
import { nameFile } from './name-file.ts';

const text = (value: string) => Uint8Array.from(value, (letter) => letter.charCodeAt(0));
const join = (...parts: (string | readonly number[] | Uint8Array)[]) =>
  Uint8Array.from(parts.flatMap((part) => [...(typeof part === 'string' ? text(part) : part)]));
const number32 = (value: number) => [value >>> 24, (value >>> 16) & 255, (value >>> 8) & 255, value & 255];
const box = (type: string, content: readonly number[] | Uint8Array) =>
  join(number32(content.length + 8), type, content);

describe('a file is known by its first bytes', () => {
  test.each<[string, Uint8Array, string]>([
    ['png', text('\u0089PNG\r\n\u001a\n'), 'image/png'],
    ['jpeg', text('\u00ff\u00d8\u00ff\u00e0'), 'image/jpeg'],
    ['gif', text('GIF89a'), 'image/gif'],
    ['webp', text('RIFF0000WEBPVP8 '), 'image/webp'],
    ['ogg', text('OggS'), 'audio/ogg'],
    ['mp3', join([0xff, 0xfb, 0x90, 0]), 'audio/mpeg'],
    ['aac', join([0xff, 0xf1, 0x50, 0x80]), 'audio/aac'],
    ['m4a', text('0000ftypM4A '), 'audio/mp4'],
    ['mp4', text('0000ftypisom'), 'video/mp4'],
    ['3gp', text('0000ftyp3gp5'), 'video/3gpp'],
    ['pdf', text('%PDF-1.7'), 'application/pdf'],
    [
      'a sheet',
      text('PK\u0003\u0004[Content_Types].xml xl/workbook.xml'),
      'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet',
    ],
    ['an archive', text('PK\u0003\u0004 word/'), 'application/zip'],
    ['a page', text('<!doctype html><script>'), 'application/octet-stream'],
    ['a drawing', text('<svg xmlns="http://www.w3.org/2000/svg">'), 'application/octet-stream'],
    ['a program', text('MZ'), 'application/octet-stream'],
    ['nothing', new Uint8Array(0), 'application/octet-stream'],
  ])('%s', (_, bytes, mimeType) => {
    expect(identifyFile(bytes).mimeType).toBe(mimeType);
  });

  test('and is of a kind only where it can be shown as that', () => {
    const page = identifyFile(text('<html>'));
    expect(
      (['image', 'video', 'audio', 'sticker', 'document'] as const).filter((kind) => isOfKind(kind, page)),
    ).toEqual(['document']);
    const jpeg = identifyFile(text('\u00ff\u00d8\u00ff'));
    expect([isOfKind('image', jpeg), isOfKind('sticker', jpeg), isOfKind('video', jpeg)]).toEqual([
      true,
      false,
      false,
    ]);
    // A recording of some telephones.
    expect(isOfKind('audio', identifyFile(text('0000ftypisom')))).toBe(true);
  });
});

/** A page of Ogg: its position in samples, and the lengths of its packets. */
function page(position: number, packets: readonly (readonly number[] | Uint8Array)[]): Uint8Array {
  const place = new Uint8Array(8);
  new DataView(place.buffer).setBigInt64(0, BigInt(position), true);
  const lacing = packets.map(({ length }) => length);
  return join(
    'OggS',
    [0, 0],
    place,
    Array.from({ length: 12 }, () => 0),
    [packets.length],
    lacing,
    ...packets,
  );
}
const filled = (length: number) => new Uint8Array(length);

describe('how long something lasts stands in its structure', () => {
  const opusHead = join('OpusHead', [1, 1], [0x38, 0x01], number32(0), [0, 0, 0]);
  const voice = join(
    page(0, [opusHead]),
    page(0, [text('OpusTags')]),
    page(
      48_000 + 312,
      Array.from({ length: 50 }, () => filled(20)),
    ),
    page(
      96_000 + 312,
      Array.from({ length: 50 }, () => filled(120)),
    ),
  );

  test('of a voice message, with how loud it is', () => {
    const { durationMs, waveform } = measureSound(voice, 'audio/ogg');
    expect(durationMs).toBe(2_000);
    expect(waveform).toHaveLength(64);
    expect([waveform?.[0], waveform?.at(-1)]).toEqual([0, 100]);
  });

  test('of a film that was held upright, with its size', () => {
    const movie = new Uint8Array(100);
    new DataView(movie.buffer).setUint32(12, 600);
    new DataView(movie.buffer).setUint32(16, 1_500);
    const track = new Uint8Array(84);
    const view = new DataView(track.buffer);
    view.setInt32(44, 0x10000);
    view.setUint32(76, 1_280 << 16);
    view.setUint32(80, 720 << 16);
    const film = join(
      box('ftyp', text('isom')),
      box('moov', join(box('mvhd', movie), box('trak', box('tkhd', track)))),
    );
    expect(measureSound(film, 'video/mp4')).toMatchObject({ durationMs: 2_500, width: 720, height: 1_280 });
  });

  test('of what telephones record', () => {
    const amr = join('#!AMR\n', ...Array.from({ length: 10 }, () => [0x3c, ...filled(31)]));
    expect(measureSound(amr, 'audio/amr').durationMs).toBe(200);
  });

  test('and of what is cut off, empty or changed nothing is said, and nothing thrown', () => {
    for (const [bytes, type] of [
      [voice, 'audio/ogg'],
      [box('moov', box('mvhd', filled(4))), 'video/mp4'],
    ] as const)
      for (let length = 0; length < bytes.length; length += 7) {
        expect(() => measureSound(bytes.subarray(0, length), type)).not.toThrow();
        const changed = Uint8Array.from(bytes);
        changed[length] = 0xff;
        expect(() => measureSound(changed, type)).not.toThrow();
      }
    expect(measureSound(new Uint8Array(0), 'audio/aac')).toMatchObject({ durationMs: null, waveform: null });
  });
});

describe('the name for the disk', () => {
  const at = new Date('2026-03-04T05:06:07Z');
  test.each<[string | null, string, string]>([
    ['order.pdf', 'application/pdf', 'order.pdf'],
    ['order', 'application/pdf', 'order.pdf'],
    ['photo.exe', 'image/jpeg', 'photo.exe.jpg'],
    ['../../etc/passwd', 'application/octet-stream', '_.._etc_passwd'],
    ['a\u202egpj.exe', 'application/octet-stream', 'agpj.exe'],
    ['a\u0000b\n.txt', 'application/octet-stream', 'ab.txt'],
    [null, 'audio/ogg', 'audio-2026-03-04.ogg'],
    ['  ', 'application/octet-stream', 'audio-2026-03-04'],
  ])('%j of %s: %s', (name, mimeType, kept) => {
    expect(nameFile({ name, kind: 'audio', mimeType, at })).toBe(kept);
  });

  test('is no longer than disks take, whatever it is made of', () => {
    const long = nameFile({ name: '👩‍👩‍👧'.repeat(500), kind: 'image', mimeType: 'image/png', at });
    expect([...long].length).toBeLessThanOrEqual(154);
    expect(long.isWellFormed()).toBe(true);
  });
});

describe('a file that did not come', () => {
  const now = Date.UTC(2026, 1, 1);
  const after = (
    failure: Parameters<typeof afterFailure>[0],
    attempts: number,
    expiresAt: number | null = null,
  ) => afterFailure(failure, { attempts, expiresAt, now });
  test('is asked for as long as the platform has it, at last every half hour', () => {
    expect(after('platform_unreachable', 1)).toEqual({ state: 'waiting', nextTryAt: now + 15_000 });
    expect(after('platform_unreachable', 400)).toEqual({ state: 'waiting', nextTryAt: now + 1_800_000 });
    expect(after('platform_unreachable', 3, now)).toEqual({ state: 'expired', nextTryAt: null });
  });
  test('is given up when it is refused again and again', () => {
    expect(after('platform_refused', 4).state).toBe('waiting');
    expect(after('platform_refused', 5)).toEqual({ state: 'failed', nextTryAt: null });
    expect(after('checksum_wrong', 5).state).toBe('failed');
  });
});
