import { isUuid } from '@app/domain/uuid';
import { constantTimeEqual } from 'better-auth/crypto';
import type { SecretBox } from '../platform/request-context.ts';

type Fingerprints = Pick<SecretBox, 'fingerprint'>;

/** What provider and browser must show for an attempt: made of its id under the server's key, so that no table holds it. */
export function secretsOf(secrets: Fingerprints, attemptId: string) {
  const derive = (use: string) => secrets.fingerprint(`company sign-in ${use} ${attemptId}`);
  return {
    /** Travels through the provider and back. */
    state: `${attemptId}.${derive('state')}`,
    /** Stands in the signed answer. */
    nonce: derive('nonce'),
    /** Shown with the code, so that a stolen one is worth nothing (PKCE). */
    verifier: derive('verifier'),
    /** Stays in the browser that began. */
    ticket: `${attemptId}.${derive('ticket')}`,
  };
}

/** The attempt that a state is of; null for a guess, which costs no query. */
export function readState(secrets: Fingerprints, state: string): string | null {
  return readSigned(state, (id) => secretsOf(secrets, id).state);
}

export function readTicket(secrets: Fingerprints, ticket: string): string | null {
  return readSigned(ticket, (id) => secretsOf(secrets, id).ticket);
}

function readSigned(text: string, write: (id: string) => string): string | null {
  const id = text.slice(0, Math.max(0, text.indexOf('.')));
  if (!isUuid(id) || id !== id.toLowerCase()) return null;
  return constantTimeEqual(text, write(id)) ? id : null;
}
