import { plainDigits, readInternational } from '../../contacts/written-number.ts';
import type { ContentReader } from '../content-reader.ts';

/** What can be tapped below a message or on a card. `data` comes back with a tap; without one it is the text. */
export type Suggestion = { text: string; data: string } & (
  | { type: 'reply' }
  | { type: 'url'; url: string }
  | { type: 'dial'; phone: string }
  | { type: 'location'; latitude: number; longitude: number; label?: string }
  | { type: 'share_location' }
  | { type: 'calendar'; title: string; description?: string; startsAt: string; endsAt: string }
);

export const suggestionTypes = ['reply', 'url', 'dial', 'location', 'share_location', 'calendar'] as const;

export const suggestionLimits = {
  ...{ text: 25, data: 2_048, url: 2_048, phone: 30, label: 100, title: 100, description: 500 },
} as const;

/** None where there are none. */
export function readSuggestions(
  reader: ContentReader,
  given: unknown,
  path: string,
  most: number,
): Suggestion[] {
  if (given === undefined) return [];
  return reader
    .list(given, path, { least: 0, most })
    .map(({ value, path: place }) => readSuggestion(reader, value, place));
}

function readSuggestion(reader: ContentReader, given: unknown, path: string): Suggestion {
  const limits = suggestionLimits;
  const value = reader.object(given, path);
  const text = reader.text(value['text'], `${path}.text`, limits.text);
  const data = reader.optionalText(value['data'], `${path}.data`, limits.data) ?? text;
  const shared = { text, data };
  const type = reader.oneOf(value['type'], `${path}.type`, suggestionTypes);
  switch (type) {
    case 'reply':
    case 'share_location':
      return { type, ...shared };
    case 'url':
      return { type, ...shared, url: reader.address(value['url'], `${path}.url`, limits.url) };
    case 'dial': {
      // People write numbers in groups; the platform wants them without.
      const written = reader.text(value['phone'], `${path}.phone`, limits.phone);
      const phone = readInternational(written) ?? plainDigits(written).replaceAll(/[\s()./-]/g, '');
      if (phone !== '' && !/^[\d+*#]+$/.test(phone)) reader.fault(`${path}.phone`, 'not_known');
      return { type, ...shared, phone };
    }
    case 'location': {
      const label = reader.optionalText(value['label'], `${path}.label`, limits.label);
      return {
        ...{ type, ...shared },
        latitude: reader.number(value['latitude'], `${path}.latitude`, { least: -90, most: 90 }),
        longitude: reader.number(value['longitude'], `${path}.longitude`, { least: -180, most: 180 }),
        ...(label !== undefined && { label }),
      };
    }
    case 'calendar': {
      const description = reader.optionalText(
        value['description'],
        `${path}.description`,
        limits.description,
      );
      const startsAt = reader.instant(value['startsAt'], `${path}.startsAt`);
      const endsAt = reader.instant(value['endsAt'], `${path}.endsAt`);
      if (startsAt !== '' && endsAt !== '' && endsAt < startsAt) reader.fault(`${path}.endsAt`, 'not_known');
      return {
        ...{ type, ...shared, startsAt, endsAt },
        title: reader.text(value['title'], `${path}.title`, limits.title),
        ...(description !== undefined && { description }),
      };
    }
  }
}
