import { describe, expect, test } from 'vitest';
import { findUnstorableText, isStorableText, storableEscapes } from './storable-text.ts';

test.each([
  ['plain', true],
  ['', true],
  ['\u{1f600} and \t', true],
  ['a\0b', false],
  ['\ud83d', false],
  ['x\udc00y', false],
])('%j', (text, isStorable) => expect(isStorableText(text)).toBe(isStorable));

test.each([
  [String.raw`{"a":"x\u0000y"}`, { a: 'x\ufffdy' }],
  [String.raw`["\ud83d","\ude00","\ud83d\ude00"]`, ['\ufffd', '\ufffd', '\u{1f600}']],
  [String.raw`["\\u0000"]`, [String.raw`\u0000`]],
])('%s is read as text that can be stored', (json, value) =>
  expect(JSON.parse(storableEscapes(json))).toEqual(value),
);

describe('findUnstorableText', () => {
  test('names every place, however deep', () => {
    const value = { name: 'a\0', tags: ['fine', '\ud800'], inner: { text: 'fine', count: 1, none: null } };
    expect(findUnstorableText(value)).toEqual([['name'], ['tags', '1']]);
  });

  test('goes as deep as the value does', () => {
    const depth = 200_000;
    const value: unknown = JSON.parse(`${'['.repeat(depth)}"a\\u0000"${']'.repeat(depth)}`);
    expect(findUnstorableText(value).map((path) => path.length)).toEqual([depth]);
  });

  test('blames the record for a key', () => {
    expect(findUnstorableText({ variables: { 'a\0': 'fine' } })).toEqual([['variables']]);
  });
});
