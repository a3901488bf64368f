import { ContentReader } from '../content-reader.ts';
import type { ContentType, ContentValue, MapLinks, ReadContent } from '../content-type.ts';
import type { LibraryFile } from '../library-files.ts';
import { readSuggestions, type Suggestion } from './rcs-suggestions.ts';

/** Limits of the platform, in characters and counts; of a whole message in bytes. */
export const rcsLimits = {
  ...{ text: 3_072, title: 200, description: 2_000, address: 2_048 },
  ...{ suggestions: 11, cardSuggestions: 4, fewestCards: 2, mostCards: 10, message: 250_000 },
} as const;

/** At a public address, or a file of the library: exactly one of both. */
export type MediaPlace = { link: string; file?: undefined } | { link?: undefined; file: LibraryFile };
export type CardMedia = MediaPlace & { thumbnailLink?: string; height: 'short' | 'medium' | 'tall' };
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
/** A file by itself. */
export type RcsFile = { media: MediaPlace & { thumbnailLink?: string }; suggestions: readonly Suggestion[] };
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

export const rcsFile: ContentType = {
  ...{ ...ofRcs, name: 'file' },
  read(given) {
    const reader = new ContentReader();
    const value = reader.object(given, '');
    const media = reader.object(value['media'], 'media');
    return reader.end({
      media: readPlace(reader, media, 'media'),
      suggestions: suggestionsOf(reader, value),
    });
  },
  lineOf: (value) => lineOfMedia(asFile(value).media),
  mapLinks: (value, change) => ({ ...value, suggestions: linked(asFile(value).suggestions, change) }),
};

export const rcsContents: readonly ContentType[] = [rcsText, rcsCard, rcsCarousel, rcsFile];

// Values that were read, in the form that `read` gives.
export const asText = (value: ContentValue) => value as unknown as TextWithSuggestions;
export const asCard = (value: ContentValue) => value as unknown as StandaloneCard;
export const asCarousel = (value: ContentValue) => value as unknown as RcsCarousel;
export const asFile = (value: ContentValue) => value as unknown as RcsFile;

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
  return {
    ...readPlace(reader, value, path),
    height: reader.oneOf(value['height'], `${path}.height`, ['short', 'medium', 'tall']),
  };
}

function readPlace(
  reader: ContentReader,
  value: Record<string, unknown>,
  path: string,
): MediaPlace & { thumbnailLink?: string } {
  const { address } = rcsLimits;
  const thumbnail = value['thumbnailLink'] !== undefined && {
    thumbnailLink: reader.address(value['thumbnailLink'], `${path}.thumbnailLink`, address),
  };
  if (value['file'] !== undefined) {
    const file = reader.file(value['file'], `${path}.file`);
    if (!isCardFile(file)) reader.fault(`${path}.file`, 'not_known');
    return { file, ...thumbnail };
  }
  const link = reader.address(value['link'], `${path}.link`, address);
  if (refusedEndings.has(endingOf(link))) reader.fault(`${path}.link`, 'not_known');
  return { link, ...thumbnail };
}

/** What a card or a file by itself may show: pictures, videos and PDF. */
export function isCardFile({ mimeType }: LibraryFile): boolean {
  return mimeType === undefined || /^(?:image\/(?:jpeg|png|gif)|video\/.+|application\/pdf)$/.test(mimeType);
}

/** Endings of files that the platform rejects here; an address may have any other, or none. */
const refusedEndings: ReadonlySet<string> = new Set([
  ...['mp3', 'aac', 'm4a', 'ogg', 'oga', 'wav', 'amr', 'webp', 'svg', 'bmp', 'tif', 'tiff', 'heic', 'avif'],
  ...['doc', 'docx', 'xls', 'xlsx', 'ppt', 'pptx', 'zip', 'txt', 'csv', 'html', 'htm', 'avi', 'mov', 'mkv'],
]);

function endingOf(link: string): string {
  const path = link.split(/[?#]/)[0] ?? '';
  return (/^https?:\/\/[^/]+\/.*\.([a-z0-9]{2,5})$/i.exec(path)?.[1] ?? '').toLowerCase();
}

/** Whether it is a PDF, as far as its type or its address says. */
export function isPdf({ link, file }: MediaPlace): boolean {
  return file ? file.mimeType === 'application/pdf' : endingOf(link) === 'pdf';
}

function suggestionsOf(reader: ContentReader, value: Record<string, unknown>): Suggestion[] {
  return readSuggestions(reader, value['suggestions'], 'suggestions', rcsLimits.suggestions);
}

function lineOfCard({ title, description, media }: Card): string {
  return title ?? description ?? (media ? lineOfMedia(media) : '');
}

/** The name of a file, or its address. */
export function lineOfMedia({ link, file }: MediaPlace): string {
  return file ? (file.name ?? '') : link;
}

/** As a phone calls a file: the name of a file of the library, else the end of its address. */
export function nameOfMedia({ link, file }: MediaPlace): string {
  if (file) return file.name ?? '';
  const end =
    link
      .split(/[?#]/)[0]
      ?.replace(/^https?:\/\/[^/]*/i, '')
      .split('/')
      .at(-1) ?? '';
  try {
    return decodeURIComponent(end) || link;
  } catch {
    return end;
  }
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
