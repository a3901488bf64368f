import { isUuid } from '@app/domain/uuid';
import { constantTimeEqual } from 'better-auth/crypto';
import type { SecretBox } from '../platform/request-context.ts';

/** What a mailed link does with the row that it names; one for this opens nothing else. */
export type LinkPurpose = 'invitation' | 'email change' | 'undo of email change';

/** What a mailed link carries: made of the id of its row under the server's key, so that no table holds what opens an account. */
export function makeLinkToken(
  secrets: Pick<SecretBox, 'fingerprint'>,
  purpose: LinkPurpose,
  id: string,
): string {
  return `${id}.${secrets.fingerprint(`${purpose} ${id}`)}`;
}

/** The id that a token is for; null for a guess, which costs no query. */
export function readLinkToken(
  secrets: Pick<SecretBox, 'fingerprint'>,
  purpose: LinkPurpose,
  token: string,
): string | null {
  const id = token.slice(0, Math.max(0, token.indexOf('.')));
  if (!isUuid(id) || id !== id.toLowerCase()) return null;
  return constantTimeEqual(token, makeLinkToken(secrets, purpose, id)) ? id : null;
}
