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

/** An address that lives five minutes. */
function addressOf(origin: string, media: Media): string {
  const expires = Date.now() + ADDRESS_LIFE_MS;
  const query = new URLSearchParams({
    mid: media.id,
    ext: String(expires),
    hash: signatureOf(media.id, expires),
  });
  return `${origin}/lookaside/whatsapp_business/attachments/?${query.toString()}`;
}

/** The id of the media for a valid address, else undefined (the platform answers 404). */
export function mediaIdIn(query: Record<string, string>): string | undefined {
  const id = query['mid'] ?? '';
  const expires = Number(query['ext']);
  return expires > Date.now() && query['hash'] === signatureOf(id, expires) ? id : undefined;
}

function signatureOf(id: string, expires: number): string {
  return createHmac('sha256', key).update(`${id}/${expires}`).digest('base64url');
}
