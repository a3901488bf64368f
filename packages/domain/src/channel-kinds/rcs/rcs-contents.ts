import { ContentReader } from '../content-reader.ts';
import type { ContentType, ContentValue, MapLinks, ReadContent } from '../content-type.ts';
import { readSuggestions, type Suggestion } from './rcs-suggestions.ts';

/** Limits of the platform, in characters and counts. */
export const rcsLimits = {
  ...{ text: 3_072, title: 200, description: 2_000, address: 2_048 },
  ...{ suggestions: 11, cardSuggestions: 4, fewestCards: 2, mostCards: 10 },
} as const;

export type CardMedia = { link: string; thumbnailLink?: string; height: 'short' | 'medium' | 'tall' };
export type Card = {
  title?: string;
  description?: string;
  media?: CardMedia;
  suggestions: readonly Suggestion[];
};
/** A text with what can be tapped below it. */
export type TextWithSuggestions = { text: string; suggestions: readonly Suggestion[] };
export type StandaloneCard = {
  orientation: 'vertical' | 'horizontal';
  /** On which side the picture of a horizontal card is. */
  imageSide: 'left' | 'right';
  card: Card;
  suggestions: readonly Suggestion[];
};
export type RcsCarousel = {
  width: 'small' | 'medium';
  cards: readonly Card[];
  suggestions: readonly Suggestion[];
};

const ofRcs = { kind: 'rcs', inTemplates: true };

export const rcsText: ContentType = {
  ...{ ...ofRcs, name: 'text' },
  read(given) {
    const reader = new ContentReader();
    const value = reader.object(given, '');
    const text = reader.text(value['text'], 'text', rcsLimits.text);
    return reader.end({ text, suggestions: suggestionsOf(reader, value) });
  },
  lineOf: (value) => asText(value).text,
  mapLinks: (value, change, changeText) => {
    const { text, suggestions } = asText(value);
    return { ...value, text: changeText(text), suggestions: linked(suggestions, change) };
  },
};

export const rcsCard: ContentType = {
  ...{ ...ofRcs, name: 'standalone_card' },
  read(given) {
    const reader = new ContentReader();
    const value = reader.object(given, '');
    return reader.end({
      orientation: reader.oneOf(value['orientation'], 'orientation', ['vertical', 'horizontal']),
      imageSide:
        value['imageSide'] === undefined
          ? 'left'
          : reader.oneOf(value['imageSide'], 'imageSide', ['left', 'right']),
      card: readCard(reader, value['card'], 'card'),
      suggestions: suggestionsOf(reader, value),
    });
  },
  lineOf: (value) => lineOfCard(asCard(value).card),
  mapLinks: (value, ...changes) => {
    const { card, suggestions } = asCard(value);
    return { ...value, card: linkedCard(card, ...changes), suggestions: linked(suggestions, changes[0]) };
  },
};

export const rcsCarousel: ContentType = {
  ...{ ...ofRcs, name: 'carousel' },
  read: readCarousel,
  lineOf: (value) => asCarousel(value).cards.map(lineOfCard).join(' · '),
  mapLinks: (value, ...changes) => {
    const { cards, suggestions } = asCarousel(value);
    return {
      ...value,
      cards: cards.map((card) => linkedCard(card, ...changes)),
      suggestions: linked(suggestions, changes[0]),
    };
  },
};

export const rcsContents: readonly ContentType[] = [rcsText, rcsCard, rcsCarousel];

// Values that were read, in the form that `read` gives.
export const asText = (value: ContentValue) => value as unknown as TextWithSuggestions;
export const asCard = (value: ContentValue) => value as unknown as StandaloneCard;
export const asCarousel = (value: ContentValue) => value as unknown as RcsCarousel;

function readCarousel(given: unknown): ReadContent {
  const reader = new ContentReader();
  const value = reader.object(given, '');
  const width = reader.oneOf(value['width'], 'width', ['small', 'medium']);
  const cards = readCards(reader, value['cards'], { least: rcsLimits.fewestCards, width });
  return reader.end({ width, cards, suggestions: suggestionsOf(reader, value) });
}

/** Cards beside each other: they have to look alike. */
export function readCards(
  reader: ContentReader,
  given: unknown,
  { least, width }: { least: number; width?: RcsCarousel['width'] },
): Card[] {
  const cards = reader
    .list(given, 'cards', { least, most: rcsLimits.mostCards })
    .map((card) => readCard(reader, card.value, card.path));
  for (const [index, { media }] of cards.entries())
    // Tall media have no room in small cards.
    if (width === 'small' && media?.height === 'tall')
      reader.fault(`cards.${index}.media.height`, 'not_known');
  // All cards are stretched to the tallest one: different heights look broken.
  reader.alike(
    cards.map(({ media }) => media?.height ?? 'none'),
    (index) => `cards.${index}.media.height`,
  );
  return cards;
}

export function readCard(reader: ContentReader, given: unknown, path: string): Card {
  const value = reader.object(given, path);
  const title = reader.optionalText(value['title'], `${path}.title`, rcsLimits.title);
  const description = reader.optionalText(value['description'], `${path}.description`, rcsLimits.description);
  const media = value['media'] === undefined ? undefined : readMedia(reader, value['media'], `${path}.media`);
  if (title === undefined && description === undefined && media === undefined)
    reader.fault(`${path}.title`, 'missing');
  return {
    ...(title !== undefined && { title }),
    ...(description !== undefined && { description }),
    ...(media !== undefined && { media }),
    suggestions: readSuggestions(
      reader,
      value['suggestions'],
      `${path}.suggestions`,
      rcsLimits.cardSuggestions,
    ),
  };
}

function readMedia(reader: ContentReader, given: unknown, path: string): CardMedia {
  const value = reader.object(given, path);
  const { address } = rcsLimits;
  return {
    link: reader.address(value['link'], `${path}.link`, address),
    ...(value['thumbnailLink'] !== undefined && {
      thumbnailLink: reader.address(value['thumbnailLink'], `${path}.thumbnailLink`, address),
    }),
    height: reader.oneOf(value['height'], `${path}.height`, ['short', 'medium', 'tall']),
  };
}

function suggestionsOf(reader: ContentReader, value: Record<string, unknown>): Suggestion[] {
  return readSuggestions(reader, value['suggestions'], 'suggestions', rcsLimits.suggestions);
}

function lineOfCard({ title, description, media }: Card): string {
  return title ?? description ?? media?.link ?? '';
}

type Change = Parameters<MapLinks>[1];

function linkedCard(card: Card, change: Change, changeText: (text: string) => string): Card {
  const { description, suggestions } = card;
  return {
    ...card,
    ...(description !== undefined && { description: changeText(description) }),
    suggestions: linked(suggestions, change),
  };
}

function linked(suggestions: readonly Suggestion[], change: Change): Suggestion[] {
  return suggestions.map((one) => (one.type === 'url' ? { ...one, url: change(one.url, one.text) } : one));
}
