import { describe, expect, test } from 'vitest';
import { findTitle, readAnswer, readNumber, type AnswerType } from './read-answer.ts';

test.each<[AnswerType, string, string | null]>([
  ['text', '  Ann Lee ', 'Ann Lee'],
  ['text', '   ', null],
  ['number', '12', '12'],
  ['number', '1,5', '1.5'],
  ['number', '1 500', '1500'],
  ['number', '1.500', null],
  ['number', 'twelve', null],
  ['number', '٢٥', '25'],
  ['number', '２５', '25'],
  ['number', '30 €', '30'],
  ['number', '$1,50', '1.5'],
  ['email', 'ann@example.com', 'ann@example.com'],
  ['email', 'ann@example', null],
  ['email', 'none', null],
  ['email', '<mailto:ann@example.com>', 'ann@example.com'],
  ['email', '\u200eann@example.com.', 'ann@example.com'],
  ['date', '31.12.2026', '2026-12-31'],
  ['date', '2026-12-31', '2026-12-31'],
  ['date', '12/31/2026', '2026-12-31'],
  ['date', '03/04/2026', null],
  ['date', '31.02.2026', null],
  ['date', '٣١/١٢/٢٠٢٦', '2026-12-31'],
  ['phone', '+49 (151) 123-4567', '+491511234567'],
  ['phone', '0049 151 1234567', '+491511234567'],
  ['phone', '0151 1234567', null],
  ['phone', '\u202a+49 151 1234567\u202c', '+491511234567'],
  ['phone', '+49 (0)151 1234567', '+491511234567'],
  ['phone', '＋٤٩١٥١١٢٣٤٥٦٧', '+491511234567'],
  ['phone', 'Tel.: +49 151 1234567', '+491511234567'],
])('an answer of the type %s: %j is %j', (type, text, answer) =>
  expect(readAnswer(text, { type, least: null, most: null })).toBe(answer),
);

test.each([
  ['5', '5'],
  ['0', null],
  ['11', null],
])('a number within its limits: %s', (text, answer) =>
  expect(readAnswer(text, { type: 'number', least: 1, most: 10 })).toBe(answer),
);

test('numbers are read as people write them', () => {
  expect(["1'234", '-3', '+2,50', '1e5', '', '1,234'].map(readNumber)).toEqual([
    1234,
    -3,
    2.5,
    null,
    null,
    null,
  ]);
});

describe('a title that is typed', () => {
  const titles = ['By post', 'In the shop', 'At home'];
  test.each([
    ['by post', 0],
    ['BY PÓST', 0],
    ['2', 1],
    ['3.', 2],
    ['٢', 1],
    ['2️⃣', 1],
    ['#2', 1],
    ['4', null],
    ['I would bring it in the shop', 1],
    ['by post or at home', null],
    ['never', null],
    ['', null],
  ])('%j is %j', (text, place) => expect(findTitle(text, titles)).toBe(place));
});
