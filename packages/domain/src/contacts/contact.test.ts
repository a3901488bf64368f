import { describe, expect, test } from 'vitest';
import { cleanTags, cleanText, isEmailAddress, readContactStatus } from './contact.ts';

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
    ['ann@example.com', true],
    ['ann@mail.example.com', true],
    ['ann@example', false],
    ['ann example.com', false],
    ['a@b@c.de', false],
  ])('%s is an address: %s', (text, expected) => {
    expect(isEmailAddress(text)).toBe(expected);
  });
});
