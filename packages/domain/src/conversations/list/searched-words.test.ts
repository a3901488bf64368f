import { describe, expect, test } from 'vitest';
import { excerpt, markWords, searchedWords } from './searched-words.ts';

test.each([
  ['  Preço, POR favor! ', ['preco', 'por', 'favor']],
  ['Größe GRÖSSE', ['grosse']],
  ['ﬁne ½', ['fine', '1', '2']],
  ['+49 157-123', ['49', '157', '123']],
  ['привет МИР', ['привет', 'мир']],
  ["o'neil 🙏thanks", ['o', 'neil', 'thanks']],
  ['?!', []],
  ['x'.repeat(90), ['x'.repeat(40)]],
])('%s is looked for as its words', (typed, words) => expect(searchedWords(typed)).toEqual(words));

describe('what was found', () => {
  test('is marked where a word begins like it, whatever its case and accents', () => {
    expect(markWords('O PREÇO das flores, sem precos.', ['preco'])).toEqual([
      { text: 'O ', isFound: false },
      { text: 'PREÇO', isFound: true },
      { text: ' das flores, sem ', isFound: false },
      { text: 'precos', isFound: true },
      { text: '.', isFound: false },
    ]);
  });

  test('stands in what is shown of a long text', () => {
    const text = `${'before '.repeat(60)}needle ${'after '.repeat(60)}`;
    const shown = excerpt(text, ['needle']);
    expect(shown).toContain('needle');
    expect(shown.startsWith('…') && shown.endsWith('…')).toBe(true);
    expect([...shown].length).toBeLessThanOrEqual(162);
  });

  test('cuts no letter of several parts', () => {
    expect(excerpt('👩‍👧'.repeat(300), ['x']).isWellFormed()).toBe(true);
  });
});
