import { describe, expect, test } from 'vitest';
import { readMarkedBlocks, readMarkedText, type TextBlock, type TextPiece } from './marked-text.ts';

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

  test.each<[string, string, TextPiece[]]>([
    ['alone', 'https://a.test/b', [{ link: 'https://a.test/b', text: 'https://a.test/b' }]],
    [
      'in a sentence',
      'See https://a.test/b_c_d, please.',
      ['See ', { link: 'https://a.test/b_c_d', text: 'https://a.test/b_c_d' }, ', please.'],
    ],
    [
      'in brackets, with brackets of its own',
      '(https://a.test/b_(c))',
      ['(', { link: 'https://a.test/b_(c)', text: 'https://a.test/b_(c)' }, ')'],
    ],
    [
      'in bold',
      '*https://a.test*',
      [{ style: 'bold', pieces: [{ link: 'https://a.test', text: 'https://a.test' }] }],
    ],
    ['of a script is text', 'javascript:alert(1)', ['javascript:alert(1)']],
    ['of data is text', 'data:text/html,<script>', ['data:text/html,<script>']],
    ['without a host is text', 'https://', ['https://']],
    ['within a word is text', 'xhttps://a.test', ['xhttps://a.test']],
    [
      'ends before what turns the text around',
      'https://a.test/\u202Egpj.exe',
      [{ link: 'https://a.test/', text: 'https://a.test/' }, '\u202Egpj.exe'],
    ],
    [
      'ends before markup',
      'https://a.test/"><script>',
      [{ link: 'https://a.test/', text: 'https://a.test/' }, '"><script>'],
    ],
  ])('an address %s', (_, text, pieces) => {
    expect(readMarkedText(text)).toEqual(pieces);
  });

  // Reading that grows with the square of the text would not end within the time of a test.
  test.each(['*_~', ' *a', '`', '*a _b ~c ', '```', 'https://(', '*a*_b_'])(
    'a long text of %o is read to its end',
    (part) => {
      const text = part.repeat(400_000 / part.length);
      const flat = (pieces: TextPiece[]): string =>
        pieces
          .map((piece) =>
            typeof piece === 'string' ? piece : 'link' in piece ? piece.text : flat(piece.pieces),
          )
          .join('');
      expect(flat(readMarkedText(text)).endsWith(text.slice(-1)) || part === '*a*_b_').toBe(true);
    },
  );
});

describe('lists and quotes of a message', () => {
  test.each<[string, string, TextBlock[]]>([
    ['lines stay together', 'a\nb', [{ kind: 'lines', pieces: ['a\nb'] }]],
    [
      'a list between lines',
      'Buy\n- *milk*\n- bread\nnow',
      [
        { kind: 'lines', pieces: ['Buy'] },
        { kind: 'list', start: null, items: [[{ style: 'bold', pieces: ['milk'] }], ['bread']] },
        { kind: 'lines', pieces: ['now'] },
      ],
    ],
    [
      'a list that counts from where it says',
      '3. a\n4. b',
      [{ kind: 'list', start: 3, items: [['a'], ['b']] }],
    ],
    [
      'one that does not count on is another',
      '1. a\n5. b',
      [
        { kind: 'list', start: 1, items: [['a']] },
        { kind: 'list', start: 5, items: [['b']] },
      ],
    ],
    [
      'a star at both ends is bold, no list',
      '*a*',
      [{ kind: 'lines', pieces: [{ style: 'bold', pieces: ['a'] }] }],
    ],
    [
      'a quote over lines',
      '> a\n> b\nc',
      [
        { kind: 'quote', pieces: ['a\nb'] },
        { kind: 'lines', pieces: ['c'] },
      ],
    ],
    ['a number is no list', '5 apples', [{ kind: 'lines', pieces: ['5 apples'] }]],
    [
      'nothing begins inside mono',
      '```\n- a\n> b\n```',
      [{ kind: 'lines', pieces: [{ style: 'mono', pieces: ['\n- a\n> b\n'] }] }],
    ],
    ['nothing', '', [{ kind: 'lines', pieces: [] }]],
  ])('%s', (_, text, blocks) => {
    expect(readMarkedBlocks(text)).toEqual(blocks);
  });
});
