/** What became of one call of a platform. */
export const webhookCallStates = [
  'received',
  'handshake',
  'signature_missing',
  'signature_wrong',
  'token_wrong',
  'too_large',
  'busy',
] as const;
export type WebhookCallState = (typeof webhookCallStates)[number];

/** Calls that are shown, of those that were taken and of those that were refused. */
export const SHOWN_WEBHOOK_CALLS = 100;
/** A platform that says nothing for so long may have lost us. */
export const SILENT_AFTER_MS = 24 * 3_600_000;
