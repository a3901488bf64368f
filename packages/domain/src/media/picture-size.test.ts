import { expect, test } from 'vitest';
import { readPictureSize } from './picture-size.ts';

const png = (width: number, height: number) => {
  const bytes = new Uint8Array(33);
  bytes.set([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a, 0, 0, 0, 13, 0x49, 0x48, 0x44, 0x52]);
  new DataView(bytes.buffer).setUint32(16, width);
  new DataView(bytes.buffer).setUint32(20, height);
  return bytes;
};
const frame = [0xff, 0xc2, 0, 17, 8, 0x01, 0x2c, 0x03, 0x84, 3, 0, 0];

test.each([
  ['a PNG', png(300, 200), { type: 'image/png', width: 300, height: 200 }],
  ['a PNG that promises a flood', png(60_000, 60_000), { type: 'image/png', width: 60_000, height: 60_000 }],
  ['a PNG that is cut', png(1, 1).slice(0, 20), null],
  ['a JPEG', [0xff, 0xd8, 0xff, 0xe0, 0, 4, 1, 2, ...frame], { type: 'image/jpeg', width: 900, height: 300 }],
  ['a JPEG with padding', [0xff, 0xd8, 0xff, ...frame], { type: 'image/jpeg', width: 900, height: 300 }],
  ['a JPEG without a frame', [0xff, 0xd8, 0xff, 0xe0, 0, 2, 0, 0, 0, 0, 0, 0, 0], null],
  ['a segment without a length', [0xff, 0xd8, 0xff, 0xe0, 0, 0, 0xff, 0xe0, 0, 0, 0, 0, 0], null],
  ['SVG', Array.from('<svg xmlns="http://www.w3.org/2000/svg"/>', (sign) => sign.charCodeAt(0)), null],
  ['nothing', [], null],
])('%s', (_, bytes, size) => {
  expect(readPictureSize(Uint8Array.from(bytes))).toEqual(size);
});
