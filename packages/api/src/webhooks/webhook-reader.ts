import type { InboundEvent } from '@app/domain/messaging/inbound-event';

/** What a vendor's webhooks need of its client code; the host supplies it, so that the API knows no vendor. */
export type WebhookReader = {
  /** The challenge to answer when the platform proves that it knows our verify token, else null. */
  answerHandshake(query: URLSearchParams, verifyToken: string): string | null;
  /** Whether the bytes carry the platform's signature for this app secret. */
  isSigned(appSecret: string, rawBody: Uint8Array, signature: string | null): boolean;
  /**
   * Every event in a body, in order; never throws, what it does not understand becomes `unknown`. Null for a body that holds more events
   * than the platform sends.
   */
  parse(rawBody: Uint8Array): InboundEvent[] | null;
};
