import type { InboundEvent } from '../messaging/inbound-event.ts';
import type { Credentials } from './channel-credentials.ts';

/** Headers or parameters of a request. */
export type NamedValues = { get(name: string): string | null };

/** How one kind of platform tells us what happened. It knows no table: the address of an event says whose it is. */
export type WebhookReader = {
  handshake: Handshake;
  /** Whether a request brings anything that could prove who sends it. One that does not is refused before its body is read. */
  mayBeSigned(headers: NamedValues): boolean;
  /**
   * Whose secret signs. With `channel`, an event must be signed with the secret of the channel it is for. With `account`, channels share a
   * secret, and each of them may prove a request for all.
   */
  signedBy: 'account' | 'channel';
  /** Whether exactly these bytes are signed with the credentials of this channel. */
  isSigned(credentials: Credentials, body: Uint8Array, headers: NamedValues): boolean;
  /**
   * Every event in a body, in order; never throws, what it does not understand becomes `unknown`. Null for a body that holds more
   * events than the platform sends.
   */
  parse(body: Uint8Array): InboundEvent[] | null;
  /** The form of a body for people who look whether webhooks arrive: everything that somebody wrote or is called is blanked. */
  outline?(body: Uint8Array): string;
};

/** How the platform makes sure that the address is ours, before it sends anything. The answer is text, or null where the proof fails. */
export type Handshake =
  | { method: 'GET'; answer(credentials: Credentials, query: NamedValues): string | null }
  /** An unsigned request with a small body. */
  | { method: 'POST'; answer(credentials: Credentials, body: Uint8Array): string | null };
