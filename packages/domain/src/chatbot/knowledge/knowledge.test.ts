import { describe, expect, test } from 'vitest';
import { knowledgeLimits, splitIntoParts, typeOfFile } from './knowledge-rules.ts';
import { findSearchWords, toSearchQuery } from './search-words.ts';
import { compareVectors, joinRanks, packVector } from './vectors.ts';

describe('parts', () => {
  test('are cut at paragraphs, and hold all words', () => {
    const paragraphs = Array.from({ length: 40 }, (_, n) => `Paragraph ${n} ${'word '.repeat(20)}end${n}.`);
    const parts = splitIntoParts(paragraphs.join('\n\n'));
    for (const part of parts) expect(part.length).toBeLessThanOrEqual(knowledgeLimits.part);
    for (const n of paragraphs.keys()) expect(parts.join('\n')).toContain(`end${n}.`);
    expect(parts.every((part) => part.startsWith('Paragraph'))).toBe(true);
  });

  test.each([
    ['one long line', 'x'.repeat(5_000)],
    ['sentences without paragraphs', 'A sentence of some words. '.repeat(300)],
  ])('of %s are not too long', (_, text) => {
    const parts = splitIntoParts(text);
    expect(Math.max(...parts.map(({ length }) => length))).toBeLessThanOrEqual(knowledgeLimits.part);
    expect(parts.join('').replaceAll(/\s/g, '')).toBe(text.replaceAll(/\s/g, ''));
  });

  test('of nothing are none', () => expect(splitIntoParts(' \n\n ')).toEqual([]));
});

test.each([
  ['When do you open?', ['open']],
  ['¿Cuándo abren ustedes?', ['abren', 'ustedes']],
  ['Où est ma commande n° 4711 ?', ['commande', '4711']],
  ['Wie lange dauert die Lieferung?', ['lange', 'dauert', 'lieferung']],
  ['the of and', []],
])('the words of %j', (question, words) =>
  expect(findSearchWords(question).filter((word) => word !== 'où')).toEqual(words),
);

test('a query finds other forms of a word, and holds nothing that PostgreSQL reads as an operator', () => {
  expect(toSearchQuery('openings & (orders) | !x :* 12')).toBe('open | openi | openin:* | orde:* | 12');
  expect(toSearchQuery('?!')).toBeNull();
});

test('vectors that are packed stay close, and other lengths are far', () => {
  const [one, near, far] = [packVector([1, 0, 0]), packVector([0.9, 0.1, 0]), packVector([0, 0, 1])];
  expect(compareVectors(one, near)).toBeGreaterThan(0.95);
  expect(Math.abs(compareVectors(one, far))).toBeLessThan(0.02);
  expect(compareVectors(one, packVector([1, 0]))).toBe(0);
});

test('what two orders agree on comes first', () =>
  expect(
    joinRanks([
      ['a', 'b', 'c'],
      ['c', 'b', 'd'],
    ])[0],
  ).toMatch(/[bc]/));

test.each([
  ['Prices.PDF', 'pdf'],
  ['notes.markdown', 'md'],
  ['a.b.docx', 'docx'],
  ['photo.jpg', null],
  ['noname', null],
])('%s is %s', (name, type) => expect(typeOfFile(name)).toBe(type));
