import {
  asCard,
  asCarousel,
  asFile,
  asText,
  rcsLimits,
  type Card,
  type CardMedia,
  type RcsFile,
} from '@app/domain/channel-kinds/rcs/rcs-contents';
import { suggestionLimits, type Suggestion } from '@app/domain/channel-kinds/rcs/rcs-suggestions';
import type {
  ContactCard,
  InteractiveContent,
  KindContent,
  MessageContent,
  Place,
} from '@app/domain/messaging/message-content';
import type { JsonRecord } from '../calls/json-values.ts';

/** What was written last, and how: a campaign whose message is the same for all writes it once. */
let last: { content: MessageContent; text: string } | undefined;

/** The body of one send. Throws for a content that cannot be sent; contents must not be changed after their first use. */
export function writeMessageBody(content: MessageContent, trafficType: string, expiresAt?: Date): string {
  if (last?.content !== content) last = { content, text: JSON.stringify(describeContent(content)) };
  const end = expiresAt ? `,"expireTime":"${expiresAt.toISOString()}"` : '';
  return `{"contentMessage":${last.text},"messageTrafficType":"${trafficType}"${end}}`;
}

/** The platform's `contentMessage`. Throws for a form that the kind has not: such a message is not sent. */
function describeContent(content: MessageContent): JsonRecord {
  switch (content.type) {
    case 'text':
      return { text: content.body };
    case 'media': {
      const { media } = content;
      if ('id' in media) return { uploadedRbmFile: { fileName: media.id } };
      if (!('link' in media)) throw new Error('A file is handed to the platform first.');
      return { contentInfo: { fileUrl: media.link, forceRefresh: false } };
    }
    case 'location':
      return describePlace(content.location);
    case 'contacts':
      return { text: content.contacts.map(lineOfCard).join('\n\n').slice(0, rcsLimits.text) };
    case 'interactive':
      return describeInteractive(content);
    case 'kind_content':
      return describeKindContent(content);
    default:
      throw new Error(`A message of the form ${content.type} cannot be sent here.`);
  }
}

/** Head, text and foot are one text; what can be tapped are suggestions. */
function describeInteractive({ header, body, footer, action }: InteractiveContent): JsonRecord {
  const title = header?.type === 'text' ? header.text : undefined;
  const text = [title, body, footer].filter((part) => part !== undefined && part !== '').join('\n\n');
  switch (action.type) {
    case 'reply_buttons': {
      const suggestions = action.buttons.map(({ id, title: label }): Suggestion => ({
        type: 'reply',
        text: label,
        data: id,
      }));
      return { text, suggestions: suggestions.map(describeSuggestion) };
    }
    case 'link_button': {
      const { label, url } = action;
      return { text, suggestions: [describeSuggestion({ type: 'url', text: label, data: label, url })] };
    }
    case 'list':
      return describeList(text, action.sections);
    case 'location_request': {
      const text_ = 'Location';
      return {
        text,
        suggestions: [describeSuggestion({ type: 'share_location', text: text_, data: 'share_location' })],
      };
    }
    default:
      throw new Error(`An action of the form ${action.type} cannot be sent here.`);
  }
}

type Sections = Extract<InteractiveContent['action'], { type: 'list' }>['sections'];

/** The platform has no lists: the rows are written below the text, and each can be tapped as a reply. */
function describeList(text: string, sections: Sections): JsonRecord {
  const rows = sections.flatMap((section) => section.rows).slice(0, rcsLimits.suggestions);
  const lines = rows.map(
    ({ title, description }, index) => `${index + 1}. ${title}${description ? ` – ${description}` : ''}`,
  );
  return {
    text: `${text}\n\n${lines.join('\n')}`.slice(0, rcsLimits.text),
    suggestions: rows.map(({ id, title }) =>
      describeSuggestion({ type: 'reply', text: title.slice(0, suggestionLimits.text), data: id }),
    ),
  };
}

/** The platform sends no places by themselves: a text with what shows it on a map. */
function describePlace({ latitude, longitude, name, address }: Place): JsonRecord {
  const position = `${latitude}, ${longitude}`;
  const lines = [name, address].filter((line) => line !== undefined && line !== '');
  const label = (lines[0] ?? position).slice(0, suggestionLimits.text);
  const place = { latitude, longitude, label: (lines[0] ?? position).slice(0, suggestionLimits.label) };
  return {
    text: lines.length > 0 ? lines.join('\n') : position,
    suggestions: [describeSuggestion({ type: 'location', text: label, data: position, ...place })],
  };
}

function lineOfCard({ formattedName, phones = [], emails = [], urls = [] }: ContactCard): string {
  const lines = [...phones.map(({ phone }) => phone), ...emails.map(({ email }) => email)];
  return [formattedName, ...lines, ...urls.map(({ url }) => url)].join('\n');
}

function describeKindContent({ kind, contentType, value }: KindContent): JsonRecord {
  switch (kind === 'rcs' ? contentType : '') {
    case 'text': {
      const { text, suggestions } = asText(value);
      return suggestions.length === 0 ? { text } : { text, ...describeSuggestions(suggestions) };
    }
    case 'standalone_card': {
      const { orientation, imageSide, card, suggestions } = asCard(value);
      const standaloneCard = {
        cardOrientation: orientation.toUpperCase(),
        ...(orientation === 'horizontal' && { thumbnailImageAlignment: imageSide.toUpperCase() }),
        cardContent: describeCard(card),
      };
      return { richCard: { standaloneCard }, ...describeSuggestions(suggestions) };
    }
    case 'carousel': {
      const { width, cards, suggestions } = asCarousel(value);
      const carouselCard = { cardWidth: width.toUpperCase(), cardContents: cards.map(describeCard) };
      return { richCard: { carouselCard }, ...describeSuggestions(suggestions) };
    }
    case 'file': {
      const { media, suggestions } = asFile(value);
      return { contentInfo: describeFile(media), ...describeSuggestions(suggestions) };
    }
    default:
      throw new Error(`A message of the form ${kind} ${contentType} cannot be sent here.`);
  }
}

function describeCard({ title, description, media, suggestions }: Card): JsonRecord {
  return {
    ...(title !== undefined && { title }),
    ...(description !== undefined && { description }),
    ...(media !== undefined && { media: describeMedia(media) }),
    ...describeSuggestions(suggestions),
  };
}

function describeMedia({ height, ...media }: CardMedia): JsonRecord {
  return { height: height.toUpperCase(), contentInfo: describeFile(media) };
}

function describeFile({ link, thumbnailLink }: RcsFile['media']): JsonRecord {
  if (link === undefined) throw new Error('A file of the library has an address before it is sent.');
  return {
    fileUrl: link,
    ...(thumbnailLink !== undefined && { thumbnailUrl: thumbnailLink }),
    forceRefresh: false,
  };
}

function describeSuggestions(suggestions: readonly Suggestion[]): JsonRecord {
  return suggestions.length === 0 ? {} : { suggestions: suggestions.map(describeSuggestion) };
}

function describeSuggestion(suggestion: Suggestion): JsonRecord {
  const shared = { text: suggestion.text, postbackData: suggestion.data };
  switch (suggestion.type) {
    case 'reply':
      return { reply: shared };
    case 'url':
      return { action: { ...shared, openUrlAction: { url: suggestion.url } } };
    case 'dial':
      return { action: { ...shared, dialAction: { phoneNumber: suggestion.phone } } };
    case 'share_location':
      return { action: { ...shared, shareLocationAction: {} } };
    case 'location': {
      const { latitude, longitude, label } = suggestion;
      const place = { latLong: { latitude, longitude }, ...(label !== undefined && { label }) };
      return { action: { ...shared, viewLocationAction: place } };
    }
    case 'calendar': {
      const { title, description, startsAt: startTime, endsAt: endTime } = suggestion;
      const event = { startTime, endTime, title, ...(description !== undefined && { description }) };
      return { action: { ...shared, createCalendarEventAction: event } };
    }
  }
}
