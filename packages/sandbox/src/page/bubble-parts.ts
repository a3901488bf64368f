import { objectOf, objectsOf, textOf, type JsonObject } from '../core/json.ts';
import type { Platform } from '../whatsapp-cloud/platform.ts';

export interface BubbleMedia {
  type: string;
  /** null: the file lies elsewhere or is gone. */
  address: string | null;
  mediaId: string | null;
  label: string;
  isVoice: boolean;
}

export interface BubblePlace {
  name: string | null;
  address: string | null;
  latitude: number;
  longitude: number;
}

export interface BubbleCard {
  name: string;
  lines: string[];
}

export interface BubbleProduct {
  id: string;
  detail: string | null;
}

/** A file of a message, and where the page finds it. */
export function mediaOf(platform: Platform, type: string, content: JsonObject): BubbleMedia {
  const id = textOf(content['id']);
  const isHere = id !== undefined && platform.store.media.has(id);
  return {
    type,
    address: isHere ? `/_sandbox/whatsapp/media/${id}` : null,
    mediaId: isHere ? id : null,
    label: textOf(content['filename']) ?? textOf(content['link']) ?? type,
    isVoice: content['voice'] === true,
  };
}

/** A pin on the map, or a place with a name. */
export function placeOf(part: JsonObject): BubblePlace {
  return {
    name: textOf(part['name']) ?? null,
    address: textOf(part['address']) ?? null,
    latitude: Number(part['latitude']),
    longitude: Number(part['longitude']),
  };
}

/** A contact card with all that can be written on one line each. */
export function cardOf(contact: JsonObject): BubbleCard {
  const texts = (list: unknown, key: string) => objectsOf(list).flatMap((item) => textOf(item[key]) ?? []);
  const organisation = objectOf(contact['org']);
  return {
    name: textOf(objectOf(contact['name'])['formatted_name']) ?? '',
    lines: [
      ...texts(contact['phones'], 'phone'),
      ...texts(contact['emails'], 'email'),
      ...[textOf(organisation['company']) ?? []].flat(),
      ...texts(contact['urls'], 'url'),
    ],
  };
}
