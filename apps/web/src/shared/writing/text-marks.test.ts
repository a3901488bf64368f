import { describe, expect, test } from 'vitest';
import {
  findMentionWord,
  findSlashWord,
  insertText,
  toggleMark,
  type MarkedSelection,
} from './text-marks.ts';

/** `[` and `]` stand around what is selected, `|` where the caret is. */
function read(shown: string): MarkedSelection {
  const text = shown.replace(/[[\]|]/g, '');
  const caret = shown.indexOf('|');
  if (caret !== -1) return { text, start: caret, end: caret };
  return { text, start: shown.indexOf('['), end: shown.indexOf(']') - 1 };
}
function write({ text, start, end }: MarkedSelection): string {
  if (start === end) return `${text.slice(0, start)}|${text.slice(start)}`;
  return `${text.slice(0, start)}[${text.slice(start, end)}]${text.slice(end)}`;
}

describe('marks', () => {
  test.each([
    ['say [hello] now', 'bold', 'say *[hello]* now'],
    ['say *[hello]* now', 'bold', 'say [hello] now'],
    ['say [*hello*] now', 'bold', 'say [hello] now'],
    ['say [ hello ]now', 'italic', 'say  _[hello]_ now'],
    ['say |', 'strike', 'say ~|~'],
    ['say ~|~', 'strike', 'say |'],
    ['[a]', 'mono', '```[a]```'],
    ['```[a]```', 'mono', '[a]'],
    ['*[a]*', 'italic', '*_[a]_*'],
    ['[👍🏽]', 'bold', '*[👍🏽]*'],
    ['[a\n\n b]', 'bold', '[*a*\n\n *b*]'],
    ['[*a*\nb]', 'bold', '[*a*\n*b*]'],
    ['[*a*\n*b*]', 'bold', '[a\nb]'],
    ['[a\nb]', 'mono', '```[a\nb]```'],
  ] as const)('%s, %s: %s', (before, mark, after) =>
    expect(write(toggleMark(read(before), mark))).toBe(after),
  );

  test('taken away where they were just put are as before', () => {
    const before = read('one [two] three');
    for (const mark of ['bold', 'italic', 'strike', 'mono'] as const)
      expect(toggleMark(toggleMark(before, mark), mark)).toEqual(before);
  });
});

test.each([
  ['a|b', 'a😀|b'],
  ['a[xx]b', 'a😀|b'],
])('inserted into %s is %s', (before, after) => expect(write(insertText(read(before), '😀'))).toBe(after));

test.each([
  ['/|', ''],
  ['/tha|', 'tha'],
  ['  /tha|nks', 'tha'],
  ['hello /tha|', null],
  ['/tha nks|', null],
  ['http://|', null],
  ['[/tha]', null],
])('the quick reply of %s is %j', (shown, word) =>
  expect(findSlashWord(read(shown))?.word ?? null).toBe(word),
);

test.each([
  ['@|', '', 0],
  ['ask @mar|', 'mar', 4],
  ['ask @Maria Lo|', 'Maria Lo', 4],
  ['mail a@b|', null, null],
  ['@a b c|', null, null],
])('the mention of %s is %j', (shown, word, start) => {
  const found = findMentionWord(read(shown));
  expect([found?.word ?? null, found?.start ?? null]).toEqual([word, start]);
});
