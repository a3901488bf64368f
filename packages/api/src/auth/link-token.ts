import type { SecretBox } from '../platform/request-context.ts';
import { readSignedId, signId } from '../platform/account/signed-id.ts';

/** What a mailed link does with the row that it names; one for this opens nothing else. */
export type LinkPurpose = 'invitation' | 'email change' | 'undo of email change';

type Fingerprints = Pick<SecretBox, 'fingerprint'>;

/** What a mailed link carries: made of the id of its row under the server's key, so that no table holds what opens an account. */
export function makeLinkToken(secrets: Fingerprints, purpose: LinkPurpose, id: string): string {
  return signId(secrets, purpose, id);
}

/** The id that a token is for; null for a guess. */
export function readLinkToken(secrets: Fingerprints, purpose: LinkPurpose, token: string): string | null {
  return readSignedId(secrets, purpose, token);
}
