/** What became of one recipient of a campaign, in the order in which they come to it. */
export const recipientOutcomes = [
  'pending',
  'sending',
  'waiting',
  'sent',
  'delivered',
  'read',
  'failed',
  'cancelled',
  'unknown',
] as const;

export type RecipientOutcome = (typeof recipientOutcomes)[number];

/** In place of the code of whoever has none, where people are asked for by it. */
export const NO_REASON = 'none';
