import { interfaceLanguages } from '@app/domain/text/interface-language';
import { describe, expect, test } from 'vitest';
import { findEmoji, loadEmoji } from './emoji-data.ts';

describe.each(interfaceLanguages)('in %s', (language) => {
  test('every emoji has a name, once', async () => {
    const all = await loadEmoji(language);
    expect(all.length).toBeGreaterThan(1_500);
    expect(all.filter(({ words }) => words === '')).toEqual([]);
    expect(new Set(all.map(({ emoji }) => emoji)).size).toBe(all.length);
  });
});

test.each([
  ['en', 'thumbs up', '👍'],
  ['es', 'corazon', '❤️'],
  ['fr', 'cœur', '❤️'],
  ['de', 'herz', '❤️'],
  ['pt', 'coração', '❤️'],
  ['de', 'ROTES Herz', '❤️'],
] as const)('in %s, %s finds %s', async (language, typed, emoji) => {
  const found = findEmoji(await loadEmoji(language), typed).map((one) => one.emoji);
  expect(found).toContain(emoji);
});
