import fc from 'fast-check';
import { expect, test } from 'vitest';
import { splitJsonArray } from './json-elements.ts';

function split(text: string, pieceLength: number): unknown[] {
  const array = splitJsonArray('contacts');
  const elements: unknown[] = [];
  for (let start = 0; start < text.length; start += pieceLength)
    elements.push(...array.push(text.slice(start, start + pieceLength)));
  array.end();
  return elements;
}

test('any array comes back element by element, wherever the pieces are cut', () => {
  fc.assert(
    fc.property(
      fc.array(fc.jsonValue({ maxDepth: 3 }), { maxLength: 5 }),
      fc.integer({ min: 1, max: 20 }),
      fc.boolean(),
      (elements, pieceLength, isField) => {
        const text = JSON.stringify(
          isField ? { other: ['contacts'], contacts: elements } : elements,
          null,
          1,
        );
        expect(split(text, pieceLength)).toEqual(JSON.parse(JSON.stringify(elements)));
      },
    ),
  );
});

test.each([
  ['7', 'not-an-array'],
  ['{"contacts": 7}', 'not-an-array'],
  ['{"people": []}', 'not-an-array'],
  ['[1, 2', 'unfinished'],
  ['[1 2]', 'malformed'],
  ['[1,]', 'malformed'],
  ['[1}', 'malformed'],
  ['[1] x', 'malformed'],
  ['['.repeat(100), 'too-deep'],
  [`["${'a'.repeat(1_000_001)}`, 'too-long'],
])('%.20s is %s', (text, problem) => {
  expect(() => split(text, 50_000)).toThrow(expect.objectContaining({ problem }));
});
