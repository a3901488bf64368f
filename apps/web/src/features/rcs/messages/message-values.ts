import type { ContentFault } from '@app/domain/channel-kinds/content-type';
import type { LibraryFile } from '@app/domain/channel-kinds/library-files';
import { readRcsLanguages, type RcsMessageContent, type RcsMessageType } from '@app/domain/rcs/rcs-message';
import { newKey } from '../../../shared/api.ts';
import { activeLocale } from '../../../shared/messages.ts';
import type { RcsMessage } from './rcs-messages-queries.ts';

export const suggestionKinds = ['reply', 'url', 'dial', 'location', 'calendar', 'share_location'] as const;
export type SuggestionKind = (typeof suggestionKinds)[number];
const suggestionFields = [
  ...(['text', 'data', 'url', 'phone', 'latitude', 'longitude', 'label'] as const),
  ...(['title', 'description', 'startsAt', 'endsAt'] as const),
] as const;
export type SuggestionField = (typeof suggestionFields)[number];

/** What can be tapped, while it is edited: the fields of every kind, as they are typed. */
export type EditedSuggestion = { key: string; type: SuggestionKind } & Record<SuggestionField, string>;
export const mediaHeights = ['short', 'medium', 'tall'] as const;
export type EditedCard = {
  key: string;
  title: string;
  description: string;
  link: string;
  /** In place of an address: a file of the library. */
  file: LibraryFile | null;
  height: (typeof mediaHeights)[number];
  suggestions: EditedSuggestion[];
};
export type EditedRow = { key: string; title: string; description: string };

/** What one language says. What another type has is kept, so that a change of type loses nothing. */
export type ContentValues = {
  text: string;
  suggestions: EditedSuggestion[];
  cards: EditedCard[];
  rows: EditedRow[];
  width: 'small' | 'medium';
  orientation: 'vertical' | 'horizontal';
  imageSide: 'left' | 'right';
};

/** A message while it is edited: the content that everybody gets who has none of the other languages, and the others by their codes. */
export type MessageValues = Pick<RcsMessage, 'name' | 'type' | 'status' | 'category' | 'language'> &
  ContentValues & { translations: Readonly<Record<string, ContentValues>> };

export function newSuggestion(): EditedSuggestion {
  const fields = Object.fromEntries(suggestionFields.map((name) => [name, '']));
  return { key: newKey(), type: 'reply', ...(fields as Record<SuggestionField, string>) }; // each of them
}

export function newCard(): EditedCard {
  return {
    key: newKey(),
    title: '',
    description: '',
    link: '',
    file: null,
    height: 'medium',
    suggestions: [],
  };
}

export const newRow = (): EditedRow => ({ key: newKey(), title: '', description: '' });

export function valuesOf(message: RcsMessage | undefined): MessageValues {
  const others = Object.entries(message?.translations ?? {});
  return {
    ...{ name: message?.name ?? '', type: message?.type ?? 'text' },
    ...{ status: message?.status ?? 'draft', category: message?.category ?? 'marketing' },
    language: message?.language ?? activeLocale().slice(0, 2),
    translations: Object.fromEntries(others.map(([code, content]) => [code, readContent(content)])),
    ...readContent(message?.content ?? {}),
  };
}

/** The content of a language, with keys of its own. */
export function copyContent(content: ContentValues): ContentValues {
  const renewed = <Part extends { key: string }>(parts: readonly Part[]): Part[] =>
    parts.map((part) => ({ ...part, key: newKey() }));
  return {
    ...content,
    suggestions: renewed(content.suggestions),
    rows: renewed(content.rows),
    cards: renewed(content.cards).map((card) => ({ ...card, suggestions: renewed(card.suggestions) })),
  };
}

export function contentIn(values: MessageValues, language: string): ContentValues {
  const other = values.translations[language];
  if (other) return other;
  const { text, suggestions, cards, rows, width, orientation, imageSide } = values;
  return { text, suggestions, cards, rows, width, orientation, imageSide };
}

function readContent(content: Fields): ContentValues {
  const word = <Word extends string>(name: string, words: readonly [Word, ...Word[]]) =>
    words.find((known) => known === content[name]) ?? words[0];
  const cards = listOf(content['cards'] ?? (content['card'] === undefined ? [] : [content['card']])).map(
    cardOf,
  );
  const rows = listOf(content['rows']).map(({ title, description }) => ({
    ...{ key: newKey(), title: textOf(title), description: textOf(description) },
  }));
  return {
    text: textOf(content['text']),
    suggestions: listOf(content['suggestions']).map(suggestionOf),
    cards: cards.length > 0 ? cards : [newCard()],
    rows: rows.length > 0 ? rows : [newRow()],
    width: word('width', ['medium', 'small']),
    orientation: word('orientation', ['vertical', 'horizontal']),
    imageSide: word('imageSide', ['left', 'right']),
  };
}

/** What the API takes; empty fields are left out. */
export function contentOf(values: ContentValues & Pick<MessageValues, 'type'>): Record<string, unknown> {
  const { type, text, cards, rows, width, orientation, imageSide } = values;
  const suggestions = values.suggestions.map(describeSuggestion);
  const byType: Record<RcsMessageType, () => Record<string, unknown>> = {
    text: () => ({ text, suggestions }),
    list: () => ({
      text,
      rows: rows.map(({ title, description }) => ({ title, ...filled({ description }) })),
    }),
    rich_card: () => ({ cards: cards.map(describeCard), suggestions }),
    carousel: () => ({ width, cards: cards.map(describeCard), suggestions }),
    standalone_card: () => ({
      ...{ orientation, imageSide, suggestions },
      card: describeCard(cards[0] ?? newCard()),
    }),
  };
  return byType[type]();
}

export function translationsOf({
  type,
  translations,
}: MessageValues): Record<string, Record<string, unknown>> {
  const others = Object.entries(translations);
  return Object.fromEntries(others.map(([code, content]) => [code, contentOf({ type, ...content })]));
}

/** As it would be stored, with all that is wrong in any of its languages. */
export function readValues(values: MessageValues): {
  content: RcsMessageContent;
  others: Readonly<Record<string, RcsMessageContent>>;
  faults: readonly ContentFault[];
} {
  const { type, language } = values;
  return readRcsLanguages(type, {
    language,
    content: contentOf(values),
    translations: translationsOf(values),
  });
}

function describeCard({ title, description, link, file, height, suggestions }: EditedCard) {
  const media = file ? { file, height } : link.trim() === '' ? null : { link: link.trim(), height };
  return {
    ...filled({ title, description }),
    ...(media && { media }),
    suggestions: suggestions.map(describeSuggestion),
  };
}

const fieldsOf: Record<SuggestionKind, readonly SuggestionField[]> = {
  reply: [],
  share_location: [],
  url: ['url'],
  dial: ['phone'],
  location: ['latitude', 'longitude', 'label'],
  calendar: ['title', 'description', 'startsAt', 'endsAt'],
};

export const fieldsOfSuggestion = (type: SuggestionKind): readonly SuggestionField[] => fieldsOf[type];

function describeSuggestion(suggestion: EditedSuggestion) {
  const { type, text, data } = suggestion;
  const own = Object.fromEntries(fieldsOf[type].map((name) => [name, suggestion[name]]));
  const { latitude, longitude, startsAt, endsAt, ...words } = own;
  return {
    ...{ type, text, ...filled({ data, ...words }) },
    ...(type === 'location' && { latitude: numberOf(latitude), longitude: numberOf(longitude) }),
    ...(type === 'calendar' && { startsAt: instantOf(startsAt), endsAt: instantOf(endsAt) }),
  };
}

function filled(fields: Record<string, string | undefined>): Record<string, string> {
  const found = Object.entries(fields).flatMap(([name, text]): [string, string][] =>
    text === undefined || text.trim() === '' ? [] : [[name, text]],
  );
  return Object.fromEntries(found);
}

function numberOf(text = ''): number | undefined {
  return text.trim() === '' ? undefined : Number(text.replace(',', '.'));
}

/** A moment of this browser's clock, as it is written in its field. */
function instantOf(local = ''): string | undefined {
  const at = new Date(local);
  return Number.isNaN(at.getTime()) ? undefined : at.toISOString();
}

function localOf(value: unknown): string {
  const at = new Date(textOf(value));
  if (Number.isNaN(at.getTime())) return '';
  return new Date(at.getTime() - at.getTimezoneOffset() * 60_000).toISOString().slice(0, 16);
}

type Fields = Record<string, unknown>;

function cardOf(card: Fields): EditedCard {
  const [media] = listOf([card['media']]);
  return {
    ...{ key: newKey(), title: textOf(card['title']), description: textOf(card['description']) },
    ...{ link: textOf(media?.['link']), file: fileOf(media?.['file']) },
    height: mediaHeights.find((known) => known === media?.['height']) ?? 'medium',
    suggestions: listOf(card['suggestions']).map(suggestionOf),
  };
}

function fileOf(value: unknown): LibraryFile | null {
  const [file] = listOf([value]);
  const id = textOf(file?.['id']);
  return id === '' ? null : { ...file, id };
}

function suggestionOf(given: Fields): EditedSuggestion {
  const { text, data } = given;
  const fields = Object.fromEntries(suggestionFields.map((name) => [name, textOf(given[name])]));
  return {
    ...newSuggestion(),
    ...fields,
    type: suggestionKinds.find((known) => known === given['type']) ?? 'reply',
    ...{ startsAt: localOf(given['startsAt']), endsAt: localOf(given['endsAt']) },
    // Without data of its own it is the text.
    data: data === text ? '' : textOf(data),
  };
}

function listOf(value: unknown): Fields[] {
  return Array.isArray(value)
    ? value.filter((one): one is Fields => typeof one === 'object' && one !== null)
    : [];
}

function textOf(value: unknown): string {
  return typeof value === 'string' || typeof value === 'number' ? String(value) : '';
}
