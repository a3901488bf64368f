import fc from 'fast-check';
import { expect, test } from 'vitest';
import { longTest } from '@app/database/testing/long-test';
import {
  decodeImport,
  ImportRefused,
  type ImportEncoding,
} from '../../src/contact-imports/reading/import-text.ts';

/** What is read of these bytes, however they arrive. */
async function read(bytes: Uint8Array, cuts: readonly number[] = [], mayMix = false) {
  let encoding: ImportEncoding | null = null;
  async function* pieces() {
    let from = 0;
    for (const to of [
      ...cuts.map((cut) => cut % (bytes.length + 1)).toSorted((a, b) => a - b),
      bytes.length,
    ]) {
      if (to > from) yield bytes.slice(from, to);
      from = to;
    }
  }
  let text = '';
  for await (const piece of decodeImport(pieces(), { mayMix, onEncoding: (found) => (encoding = found) }))
    text += piece;
  return { text, encoding };
}

/** As programs of Windows in western Europe write it. */
function writeWestern(text: string): Uint8Array {
  const special = '€‚ƒ„…†‡ˆ‰Š‹ŒŽ‘’“”•–—˜™š›œžŸ';
  const codes = [
    ...'\x80\x82\x83\x84\x85\x86\x87\x88\x89\x8a\x8b\x8c\x8e\x91\x92\x93\x94\x95\x96\x97\x98\x99\x9a\x9b\x9c\x9e\x9f',
  ];
  return Uint8Array.from([...text], (letter) => {
    const place = [...special].indexOf(letter);
    return (place === -1 ? letter : codes[place]!).charCodeAt(0);
  });
}

const cuts = fc.array(fc.nat(), { maxLength: 6 });
const plain = fc.string({ unit: fc.constantFrom(...'abz 09,;"\n') });
const accent = fc.constantFrom(...'äöüßéèçñõãÄÉÇÑø€–’œŠ');
/** Words with an accent here and there, as they are in names. */
const western = fc
  .array(fc.tuple(plain, accent, fc.constantFrom('a', 'n', ' ', ',')), { minLength: 1, maxLength: 12 })
  .map((words) => words.flat().join(''));

test('text of Windows-1252 is read as it was written, wherever it is cut', async () => {
  await fc.assert(
    fc.asyncProperty(western, cuts, async (text, places) => {
      expect(await read(writeWestern(text), places)).toEqual({ text, encoding: 'windows-1252' });
    }),
  );
});

longTest('text of UTF-8 is read as it was written, wherever it is cut', async () => {
  await fc.assert(
    fc.asyncProperty(fc.string({ unit: 'binary', minLength: 1 }), cuts, async (written, places) => {
      const text = written.replaceAll(/[\0\ufeff]/g, '');
      const bytes = new TextEncoder().encode(text);
      fc.pre(bytes.length > 0);
      try {
        expect(await read(bytes, places)).toEqual({ text, encoding: 'utf-8' });
      } catch (error) {
        // A text of chance may begin as an archive does.
        if (!(error instanceof ImportRefused) || error.code !== 'wrong_file') throw error;
      }
    }),
  );
});

test.each([
  ['Cyrillic of Windows-1251', [0xcf, 0xf0, 0xe8, 0xe2, 0xe5, 0xf2]],
  ['a byte that stands for nothing', [0x41, 0x42, 0x43, 0x81]],
  ['UTF-8 behind Latin-1', [0x4d, 0xfc, 0x6c, 0x0a, 0x4d, 0xc3, 0xbc, 0x6c]],
  ['Latin-1 behind UTF-8', [0x4d, 0xc3, 0xbc, 0x6c, 0x0a, 0x4d, 0xfc, 0x6c]],
])('%s is refused, with the line', async (_, bytes) => {
  await expect(read(Uint8Array.from([0x6e, 0x0a, ...bytes]))).rejects.toMatchObject({ code: 'encoding' });
});

test('lines of both are read each in its own where they may stand in one file', async () => {
  const lines = fc.array(fc.tuple(western, fc.boolean()), { minLength: 1, maxLength: 8 });
  await fc.assert(
    fc.asyncProperty(lines, cuts, fc.boolean(), async (written, places, isMarked) => {
      const whole = written.map(([text]) => `${text.replaceAll('\n', ' ')}\n`);
      const bytes = Buffer.concat([
        ...(isMarked ? [Uint8Array.of(0xef, 0xbb, 0xbf)] : []),
        ...whole.map((text, index) => (written[index]?.[1] ? Buffer.from(text) : writeWestern(text))),
      ]);
      expect((await read(new Uint8Array(bytes), places, true)).text).toBe(whole.join(''));
    }),
  );
});

test('UTF-16 without its mark is told by its NULs', async () => {
  const text = 'name,phone\nÉmile,+33612345678\n';
  const little = Buffer.from(text, 'utf16le');
  expect(await read(new Uint8Array(little))).toEqual({ text, encoding: 'utf-16le' });
  expect(await read(new Uint8Array(little.swap16()))).toEqual({ text, encoding: 'utf-16be' });
});
