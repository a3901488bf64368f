import { activeLocale, type Locale } from '../../../shared/messages.ts';

export const emojiGroups = [
  ...(['smileys', 'people', 'nature', 'food', 'travel'] as const),
  ...(['activities', 'objects', 'symbols', 'flags'] as const),
] as const;
export type EmojiGroup = (typeof emojiGroups)[number];
/** `words` is its name in the language of the interface, which is searched and read aloud. */
export type Emoji = { emoji: string; words: string; group: EmojiGroup };

/** Names are those of the Unicode CLDR (Unicode License v3), as emojibase gathers them (MIT). */
const words: Record<Locale, () => Promise<{ default: Record<EmojiGroup, string> }>> = {
  en: () => import('./words-en.json'),
  es: () => import('./words-es.json'),
  fr: () => import('./words-fr.json'),
  de: () => import('./words-de.json'),
  pt: () => import('./words-pt.json'),
};

/** Every emoji with its name. */
export async function loadEmoji(locale: Locale = activeLocale()): Promise<Emoji[]> {
  const [{ default: signs }, { default: named }] = await Promise.all([
    import('./emoji.json'),
    words[locale](),
  ]);
  return emojiGroups.flatMap((group) => {
    const names = named[group].split('|');
    return signs[group].split(' ').map((emoji, place) => ({ emoji, words: names[place] ?? '', group }));
  });
}

/** Those with all of the words in their name; a name that begins with the first stands before. */
export function findEmoji(all: readonly Emoji[], typed: string): Emoji[] {
  const plain = (text: string) => text.normalize('NFD').replace(/\p{M}/gu, '').toLowerCase();
  const asked = plain(typed).split(/\s+/).filter(Boolean);
  const [first = ''] = asked;
  return all
    .map((one) => ({ one, name: plain(one.words) }))
    .filter(({ name }) => asked.every((word) => name.includes(word)))
    .toSorted((a, b) => rankOf(a.name, first) - rankOf(b.name, first))
    .map(({ one }) => one);
}

function rankOf(name: string, word: string): number {
  if (name.startsWith(word)) return 0;
  return name.includes(` ${word}`) ? 1 : 2;
}
