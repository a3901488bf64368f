import { expect, test } from 'vitest';
import { acceptedTypes, validateFile } from './chosen-file.ts';

const rule = (mimeTypes: string[], megabytes: number, longestCaption = 1024) => ({
  ...{ mimeTypes, longestCaption },
  maxBytes: megabytes * 1_048_576,
});
const media = {
  image: rule(['image/jpeg', 'image/png'], 5),
  audio: rule(['audio/mpeg', 'audio/mp4', 'audio/ogg'], 16, 0),
  document: rule(['application/pdf'], 100),
  sticker: rule(['image/webp'], 0.1, 0),
};
const file = (name: string, type: string, size = 1000) => ({ name, type, size });

test.each([
  ['a picture', file('a.png', 'image/png'), { kind: 'image', longestCaption: 1024 }],
  ['a picture of more than 5 MB', file('a.png', 'image/png', 5_242_881), { reason: 'too_large', n: 5 }],
  ['a picture of just 5 MB', file('a.png', 'image/png', 5_242_880), { kind: 'image', longestCaption: 1024 }],
  ['a large sticker', file('a.webp', 'image/webp', 200_000), { reason: 'too_large', n: 0.1 }],
  ['a file without a type', file('Price list.PDF', ''), { kind: 'document', longestCaption: 1024 }],
  ['a song of a telephone', file('a.m4a', 'audio/x-m4a'), { kind: 'audio', longestCaption: 0 }],
  [
    'a recording with its codec',
    file('a.ogg', 'audio/ogg;codecs=opus'),
    { kind: 'audio', longestCaption: 0 },
  ],
  ['a program', file('a.exe', 'application/x-msdownload'), { reason: 'unsupported' }],
  ['a page that says it is a picture', file('a.png', 'text/html'), { reason: 'unsupported' }],
  ['nothing', file('a.png', 'image/png', 0), { reason: 'empty' }],
])('%s', (_, chosen, judged) => expect(validateFile(chosen, { media })).toEqual(judged));

test('the file dialog offers what the channel takes', () =>
  expect(acceptedTypes({ media })).toBe(
    'image/jpeg,image/png,audio/mpeg,audio/mp4,audio/ogg,application/pdf,image/webp',
  ));
