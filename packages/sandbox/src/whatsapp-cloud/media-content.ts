import { isObject, objectOf, textOf, type JsonObject } from '../core/json.ts';
import { invalid, missing } from './messages/content-checks.ts';
import { GraphError } from './errors.ts';

/** A file by id or by link, in a message or in the header of one. */
export function checkMediaContent(type: string, media: JsonObject, mayHaveCaption: boolean): void {
  const id = textOf(media['id']);
  const link = textOf(media['link']);
  if (!id && !link) missing(`${type}.id or ${type}.link`);
  if (id && link) invalid(`${type} has both id and link`);
  if (link && !/^https?:\/\//i.test(link)) invalid(`${type}.link must be an http address`);
  const caption = textOf(media['caption']);
  if (caption !== undefined && !mayHaveCaption)
    throw new GraphError(100, { details: `${type} takes no caption` });
  if ((caption?.length ?? 0) > 1024) invalid(`${type}.caption is longer than 1024 characters`);
}

const mediaTypes = new Set(['image', 'video', 'audio', 'document', 'sticker']);

export function isMediaType(type: string): boolean {
  return mediaTypes.has(type);
}

/** The uploads that a message needs, wherever they stand: headers, parameters, cards. */
export function mediaIdsIn(content: unknown, type: string, found: string[] = []): string[] {
  if (type === 'text' || type === 'contacts' || type === 'reaction') return found;
  if (isMediaType(type)) {
    const id = textOf(objectOf(content)['id']);
    if (id) found.push(id);
  } else if (Array.isArray(content)) {
    for (const item of content) mediaIdsIn(item, '', found);
  } else if (isObject(content)) {
    for (const [key, value] of Object.entries(content)) {
      if (typeof value === 'object' && value !== null) mediaIdsIn(value, key, found);
    }
  }
  return found;
}
