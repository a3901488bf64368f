import type { SecretBox } from '../platform/request-context.ts';
import { readSignedId, signId } from '../platform/account/signed-id.ts';

type Fingerprints = Pick<SecretBox, 'fingerprint'>;

const STATE = 'company sign-in state';
const TICKET = 'company sign-in ticket';

/** What provider and browser must show for an attempt: made of its id under the server's key, so that no table holds it. */
export function secretsOf(secrets: Fingerprints, attemptId: string) {
  return {
    /** Travels through the provider and back. */
    state: signId(secrets, STATE, attemptId),
    /** Stands in the signed answer. */
    nonce: secrets.fingerprint(`company sign-in nonce ${attemptId}`),
    /** Shown with the code, so that a stolen one is worth nothing (PKCE). */
    verifier: secrets.fingerprint(`company sign-in verifier ${attemptId}`),
    /** Stays in the browser that began. */
    ticket: signId(secrets, TICKET, attemptId),
  };
}

/** The attempt that a state is of; null for a guess. */
export function readState(secrets: Fingerprints, state: string): string | null {
  return readSignedId(secrets, STATE, state);
}

export function readTicket(secrets: Fingerprints, ticket: string): string | null {
  return readSignedId(secrets, TICKET, ticket);
}
