import { describe, expect, test } from 'vitest';
import { readMarkedText } from './marked-text.ts';
import type { TextPiece } from './marked-text.ts';

describe('formatting of a message', () => {
  test.each<[string, string, TextPiece[]]>([
    ['plain text stays', 'Hello there', ['Hello there']],
    ['bold', 'a *b* c', ['a ', { style: 'bold', pieces: ['b'] }, ' c']],
    ['italic', '_b_', [{ style: 'italic', pieces: ['b'] }]],
    ['strike', '~b~', [{ style: 'strike', pieces: ['b'] }]],
    ['inline code', '`b`', [{ style: 'code', pieces: ['b'] }]],
    ['mono over lines', '```a\nb```', [{ style: 'mono', pieces: ['a\nb'] }]],
    [
      'styles inside each other',
      '*a _b_*',
      [{ style: 'bold', pieces: ['a ', { style: 'italic', pieces: ['b'] }] }],
    ],
    ['nothing is formatted inside mono', '```*a*```', [{ style: 'mono', pieces: ['*a*'] }]],
    ['an unpaired mark is text', '2 * 3', ['2 * 3']],
    ['a mark inside a word is text', 'snake_case_name', ['snake_case_name']],
    ['a space inside the mark is text', '* a *', ['* a *']],
    ['a style ends with its line', '*a\nb*', ['*a\nb*']],
    ['doubled marks are text', '**a**', ['**a**']],
    ['an empty pair is text', '** ``````', ['** ``````']],
    ['markup is text', '<b>a</b>', ['<b>a</b>']],
    ['a placeholder in bold', '*{{name}}*', [{ style: 'bold', pieces: ['{{name}}'] }]],
    ['letters of other alphabets are words', 'ж*б*', ['ж*б*']],
  ])('%s', (_, text, pieces) => {
    expect(readMarkedText(text)).toEqual(pieces);
  });

  test('a long text of marks is read quickly and kept whole', () => {
    const text = '*_~'.repeat(400);
    const flat = (pieces: TextPiece[]): string =>
      pieces.map((piece) => (typeof piece === 'string' ? piece : flat(piece.pieces))).join('');
    expect(flat(readMarkedText(text)).length).toBeGreaterThan(0);
  });
});
