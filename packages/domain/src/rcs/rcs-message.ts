import { ContentReader } from '../channel-kinds/content-reader.ts';
import type { ContentFault, ContentValue } from '../channel-kinds/content-type.ts';
import {
  isPdf,
  lineOfMedia,
  rcsLimits,
  readCard,
  readCards,
  type Card,
  type RcsCarousel,
  type RcsFile,
  type StandaloneCard,
  type TextWithSuggestions,
} from '../channel-kinds/rcs/rcs-contents.ts';
import { readSuggestions, suggestionLimits, type Suggestion } from '../channel-kinds/rcs/rcs-suggestions.ts';

/** As the specification names them. */
export const rcsMessageTypes = ['text', 'rich_card', 'carousel', 'list', 'standalone_card'] as const;
export type RcsMessageType = (typeof rcsMessageTypes)[number];
export const rcsMessageStatuses = ['draft', 'active', 'paused'] as const;
export type RcsMessageStatus = (typeof rcsMessageStatuses)[number];
export const rcsMessageCategories = [
  ...(['marketing', 'transactional', 'customer_service', 'promotional'] as const),
] as const;
export type RcsMessageCategory = (typeof rcsMessageCategories)[number];

export const rcsMessageLimits = {
  name: 100,
  /** Of one workspace. */
  messages: 1_000,
  /** Of one message, with the one for everybody else. */
  languages: 20,
  ...{ fewestRows: 1, mostRows: rcsLimits.suggestions, rowTitle: suggestionLimits.text, rowDescription: 72 },
  /** The rows are written below the text of a list, and share its length. */
  listText: 1_024,
} as const;

export type ListRow = { title: string; description?: string; data: string };
/** What a message of each type holds. */
export type RcsMessageContents = {
  text: TextWithSuggestions;
  /** One card, or up to ten beside each other. */
  rich_card: { cards: readonly Card[]; suggestions: readonly Suggestion[] };
  carousel: RcsCarousel;
  list: { text: string; rows: readonly ListRow[] };
  standalone_card: StandaloneCard;
};
export type RcsMessageContent = {
  [Type in RcsMessageType]: { type: Type; value: RcsMessageContents[Type] };
}[RcsMessageType];

/** What is written in one language more: the content in the form of the message's type. */
export type Translations = Readonly<Record<string, unknown>>;

/** A message in all its languages, with everything that is wrong; places in a translation begin with `translations` and its code. */
export function readRcsLanguages(
  type: RcsMessageType,
  {
    language,
    content: given,
    translations,
  }: { language: string; content: unknown; translations: Translations },
) {
  const { content, faults: own } = readRcsMessage(type, given);
  const faults: ContentFault[] = [...own];
  const others: Record<string, RcsMessageContent> = {};
  const codes = Object.keys(translations);
  if (codes.length >= rcsMessageLimits.languages)
    faults.push({ path: 'translations', problem: 'too_many', limit: rcsMessageLimits.languages });
  for (const code of codes) {
    if (code === language) faults.push({ path: `translations.${code}`, problem: 'repeated' });
    const read = readRcsMessage(type, translations[code]);
    others[code] = read.content;
    faults.push(...read.faults.map((fault) => ({ ...fault, path: `translations.${code}.${fault.path}` })));
  }
  return { content, others, faults };
}

/**
 * The content of a message in its clean form, with everything that is wrong with it. The value is there also with faults, so that a draft is kept
 * as far as it was written. `{{word}}` counts as it is written.
 */
export function readRcsMessage(
  type: RcsMessageType,
  given: unknown,
): { content: RcsMessageContent; faults: readonly ContentFault[] } {
  const reader = new ContentReader();
  const value = reader.object(given, '');
  const content = readContent(reader, type, value);
  checkReplies(reader, content);
  // Only many cards with long data come near it. The names of the platform's fields take about as much room as ours.
  if (sizeOf(content.value) > rcsLimits.message) reader.fault('cards', 'too_long', rcsLimits.message / 1_000);
  return { content, faults: reader.faults };
}

/** In bytes of UTF-8: a half of a pair has two. */
function sizeOf(value: unknown): number {
  const text = JSON.stringify(value);
  let size = 0;
  for (let at = 0; at < text.length; at += 1) {
    const unit = text.charCodeAt(at);
    size += unit < 0x80 ? 1 : unit < 0x800 || (unit >= 0xd800 && unit <= 0xdfff) ? 2 : 3;
  }
  return size;
}

/** Two replies with the same text and the same data come back alike: nobody could tell which card was chosen. */
function checkReplies(reader: ContentReader, { type, value }: RcsMessageContent): void {
  if (type === 'list') return;
  const cards =
    type === 'standalone_card'
      ? [{ path: 'card.suggestions', list: value.card.suggestions }]
      : type === 'text'
        ? []
        : value.cards.map((card, n) => ({ path: `cards.${n}.suggestions`, list: card.suggestions }));
  const places = [...cards, { path: 'suggestions', list: value.suggestions }].flatMap(({ path, list }) =>
    list.flatMap((one, n) => (one.type === 'reply' ? [{ one, path: `${path}.${n}.data` }] : [])),
  );
  reader.different(
    places.map(({ one: { text, data } }) => (text === '' ? '' : `${text}\n${data}`)),
    (index) => places[index]!.path, // one of the places
  );
}

function readContent(
  reader: ContentReader,
  type: RcsMessageType,
  value: Record<string, unknown>,
): RcsMessageContent {
  const suggestions = () =>
    readSuggestions(reader, value['suggestions'], 'suggestions', rcsLimits.suggestions);
  switch (type) {
    case 'text':
      return {
        type,
        value: { text: reader.text(value['text'], 'text', rcsLimits.text), suggestions: suggestions() },
      };
    case 'rich_card':
      return {
        type,
        value: { cards: readCards(reader, value['cards'], { least: 1 }), suggestions: suggestions() },
      };
    case 'carousel': {
      const width = reader.oneOf(value['width'] ?? 'medium', 'width', ['small', 'medium']);
      const cards = readCards(reader, value['cards'], { least: rcsLimits.fewestCards, width });
      return { type, value: { width, cards, suggestions: suggestions() } };
    }
    case 'list': {
      const limits = rcsMessageLimits;
      const text = reader.text(value['text'], 'text', limits.listText);
      const amount = { least: limits.fewestRows, most: limits.mostRows };
      const rows = reader.list(value['rows'], 'rows', amount).map((row) => readRow(reader, row));
      reader.different(
        rows.map(({ title }) => title),
        (index) => `rows.${index}.title`,
      );
      return { type, value: { text, rows } };
    }
    case 'standalone_card':
      return {
        type,
        value: {
          orientation: reader.oneOf(value['orientation'] ?? 'vertical', 'orientation', [
            'vertical',
            'horizontal',
          ]),
          imageSide: reader.oneOf(value['imageSide'] ?? 'left', 'imageSide', ['left', 'right']),
          card: readCard(reader, value['card'], 'card'),
          suggestions: suggestions(),
        },
      };
  }
}

function readRow(reader: ContentReader, { value: given, path }: { value: unknown; path: string }): ListRow {
  const value = reader.object(given, path);
  const title = reader.text(value['title'], `${path}.title`, rcsMessageLimits.rowTitle);
  const description = reader.optionalText(
    value['description'],
    `${path}.description`,
    rcsMessageLimits.rowDescription,
  );
  return {
    title,
    ...(description !== undefined && { description }),
    data: reader.optionalText(value['data'], `${path}.data`, suggestionLimits.data) ?? title,
  };
}

/** As it leaves: the platform knows texts, single cards and carousels. */
export function rcsContentOf({ type, value }: RcsMessageContent): {
  contentType: string;
  value: ContentValue;
} {
  switch (type) {
    case 'text':
      return { contentType: 'text', value };
    case 'standalone_card':
      return { contentType: 'standalone_card', value };
    case 'carousel':
      return { contentType: 'carousel', value };
    case 'rich_card': {
      const { cards, suggestions } = value;
      const [card] = cards;
      const file = card && cards.length === 1 ? fileAlone(card, suggestions) : null;
      if (file) return { contentType: 'file', value: file };
      return cards.length === 1
        ? {
            contentType: 'standalone_card',
            value: { orientation: 'vertical', imageSide: 'left', card, suggestions },
          }
        : { contentType: 'carousel', value: { width: 'medium', cards, suggestions } };
    }
    case 'list':
      return { contentType: 'text', value: textOfList(value) };
  }
}

/** Few phones show a PDF on a card, and every phone opens one that is sent by itself: a card that holds nothing else leaves as a file. */
function fileAlone(
  { title, description, media, suggestions: own }: Card,
  below: readonly Suggestion[],
): RcsFile | null {
  if (title !== undefined || description !== undefined || !media || !isPdf(media)) return null;
  const { height: _, ...place } = media;
  return { media: place, suggestions: [...own, ...below].slice(0, rcsLimits.suggestions) };
}

/** The platform has no lists: rows are numbered lines, and each is a reply to tap. */
function textOfList({ text, rows }: RcsMessageContents['list']): TextWithSuggestions {
  const lines = rows.map(
    ({ title, description }, index) =>
      `${index + 1}. ${title}${description === undefined ? '' : ` – ${description}`}`,
  );
  return {
    text: [text, lines.join('\n')].join('\n\n'),
    suggestions: rows.map(({ title, data }) => ({ type: 'reply', text: title, data })),
  };
}

/** What a list shows of a message, in one line. */
export function lineOfRcsMessage({ type, value }: RcsMessageContent): string {
  switch (type) {
    case 'text':
    case 'list':
      return value.text;
    case 'standalone_card':
      return lineOfCard(value.card);
    case 'rich_card':
    case 'carousel':
      return value.cards.map(lineOfCard).filter(Boolean).join(' · ');
  }
}

function lineOfCard({ title, description, media }: Card): string {
  return title ?? description ?? (media?.file ? lineOfMedia(media) : '');
}

/** The rates of the specification, in whole percent: clicked of sent, and conversions of clicked. Null where there is nothing to be a part of. */
export function rcsRates({
  sent,
  clicked,
  conversions,
}: {
  sent: number;
  clicked: number;
  conversions: number;
}) {
  const percent = (part: number, whole: number) => (whole === 0 ? null : Math.round((part / whole) * 100));
  return { click: percent(clicked, sent), conversion: percent(conversions, clicked) };
}
