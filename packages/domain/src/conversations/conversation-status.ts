/** Where a conversation stands: somebody has to answer, the customer has to, it is over, or it comes back by itself later. */
export const conversationStatuses = ['open', 'waiting', 'resolved', 'snoozed'] as const;
export type ConversationStatus = (typeof conversationStatuses)[number];

/** How urgent it is, the least first. */
export const conversationPriorities = ['low', 'normal', 'high', 'urgent'] as const;
export type ConversationPriority = (typeof conversationPriorities)[number];

export const conversationLimits = { labels: 20, label: 50, text: 4_096, snoozeDays: 366 } as const;

const DAY_MS = 86_400_000;

/** Snoozed is until a time that is to come, and not in years; any other status has none. `now` in milliseconds. */
export function isSnoozeTimely(
  status: ConversationStatus,
  snoozedUntil: string | null,
  now: number,
): boolean {
  if (status !== 'snoozed' || snoozedUntil === null) return status !== 'snoozed' && snoozedUntil === null;
  const until = Date.parse(snoozedUntil);
  return until > now && until <= now + conversationLimits.snoozeDays * DAY_MS;
}

/** Labels as they are kept: without blanks around them, each once, in their order. */
export function cleanLabels(labels: readonly string[]): string[] {
  const clean = labels.map((label) => label.replace(/\s+/g, ' ').trim()).filter((label) => label !== '');
  return clean.filter(
    (label, place) => clean.findIndex((other) => other.toLowerCase() === label.toLowerCase()) === place,
  );
}
