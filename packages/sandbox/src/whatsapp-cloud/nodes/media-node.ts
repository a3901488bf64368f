import { createHmac, randomBytes } from 'node:crypto';
import type { Media } from '../store.ts';
import type { NodeType } from './node-type.ts';

const ADDRESS_LIFE_MS = 5 * 60_000;
const key = randomBytes(16);

export const mediaNode: NodeType<Media> = {
  name: 'WhatsAppMedia',
  usual: ['messaging_product', 'url', 'mime_type', 'sha256', 'file_size'],
  fields: {
    id: (media) => media.id,
    messaging_product: () => 'whatsapp',
    url: (media, { origin }) => addressOf(origin, media),
    mime_type: (media) => media.mimeType,
    sha256: (media) => media.sha256.toString('hex'),
    file_size: (media) => media.bytes.length,
  },
};

/** An address that lives five minutes, for who has the token. */
export function addressOf(origin: string, media: Media): string {
  const expires = Date.now() + ADDRESS_LIFE_MS;
  const query = new URLSearchParams({
    mid: media.id,
    ext: String(expires),
    hash: signatureOf(media.id, expires),
  });
  return `${origin}/lookaside/whatsapp_business/attachments/?${query.toString()}`;
}

/** The file of a valid address, else undefined (the platform answers 404). */
export function mediaAt(query: Record<string, string>, files: ReadonlyMap<string, Media>): Media | undefined {
  const id = query['mid'] ?? '';
  const expires = Number(query['ext']);
  if (!(expires > Date.now()) || query['hash'] !== signatureOf(id, expires)) return undefined;
  const media = files.get(id);
  const isEnded = expires - ADDRESS_LIFE_MS <= (media?.addressesEndedAt ?? 0);
  return media && !isEnded && media.goneAt > Date.now() ? media : undefined;
}

function signatureOf(id: string, expires: number): string {
  return createHmac('sha256', key).update(`${id}/${expires}`).digest('base64url');
}
