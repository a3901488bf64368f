import { describe, expect, test } from 'vitest';
import { cleanTags, cleanText, readContactStatus, readEmailAddress } from './contact.ts';

describe('texts as they are stored', () => {
  test.each([
    ['  Ann \t\n Lee ', 'Ann Lee'],
    ['A\u0000nn', 'Ann'],
    ['half \ud83d', 'half \ufffd'],
    [' ', ''],
  ])('%j becomes %j', (text, stored) => {
    expect(cleanText(text)).toBe(stored);
  });

  test('tags: empty ones dropped, doubled ones ignored, semicolons separate', () => {
    expect(cleanTags([' vip ', '', 'VIP', 'a;b', 'b'])).toEqual(['vip', 'a', 'b']);
  });

  test.each([
    ['blocked', 'blocked'],
    ['Blocked', 'active'],
    [' blocked', 'active'],
    [undefined, 'active'],
  ])('status %j is %s', (word, status) => {
    expect(readContactStatus(word)).toBe(status);
  });

  test.each([
    [' ann@example.com ', 'ann@example.com'],
    ['ann@mail.example.com', 'ann@mail.example.com'],
    ['ann@example', undefined],
    ['ann example.com', undefined],
    ['a@b@c.de', undefined],
    ['unknown', undefined],
    [' ', null],
    ['N/A', null],
    ['-', null],
    ['none', null],
  ])('the address in %j is %j', (text, expected) => {
    expect(readEmailAddress(text)).toBe(expected);
  });
});
