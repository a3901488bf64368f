import { isUuid } from '@app/domain/uuid';
import { constantTimeEqual } from 'better-auth/crypto';
import type { SecretBox } from '../request-context.ts';

type Fingerprints = Pick<SecretBox, 'fingerprint'>;

/** An id with a mark under the server's key, for one use alone: it opens something, and no table holds it. */
export function signId({ fingerprint }: Fingerprints, use: string, id: string): string {
  return `${id}.${fingerprint(`${use} ${id}`)}`;
}

/** The id that was signed for this use; null for a guess, which costs no query. */
export function readSignedId(secrets: Fingerprints, use: string, text: string): string | null {
  const id = text.slice(0, Math.max(0, text.indexOf('.')));
  if (!isUuid(id) || id !== id.toLowerCase()) return null;
  return constantTimeEqual(text, signId(secrets, use, id)) ? id : null;
}
