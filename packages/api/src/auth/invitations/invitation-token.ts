import { isUuid } from '@app/domain/uuid';
import { constantTimeEqual } from 'better-auth/crypto';
import type { SecretBox } from '../../platform/request-context.ts';

/** What the link of an invitation carries: made of its id under the server's key, so that no table holds what opens an account. */
export function makeInvitationToken(secrets: Pick<SecretBox, 'fingerprint'>, invitationId: string): string {
  return `${invitationId}.${secrets.fingerprint(`invitation ${invitationId}`)}`;
}

/** The invitation that a token is for; null for a guess, which costs no query. */
export function readInvitationToken(secrets: Pick<SecretBox, 'fingerprint'>, token: string): string | null {
  const invitationId = token.slice(0, Math.max(0, token.indexOf('.')));
  if (!isUuid(invitationId) || invitationId !== invitationId.toLowerCase()) return null;
  return constantTimeEqual(token, makeInvitationToken(secrets, invitationId)) ? invitationId : null;
}
