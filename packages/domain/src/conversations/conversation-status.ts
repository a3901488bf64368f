/** Where a conversation stands: somebody has to answer, the customer has to, it is over, or it comes back by itself later. */
export const conversationStatuses = ['open', 'waiting', 'resolved', 'snoozed'] as const;
export type ConversationStatus = (typeof conversationStatuses)[number];

export const conversationLimits = { labels: 20, label: 50, text: 4_096, snoozeDays: 366 } as const;

/** Labels as they are kept: without blanks around them, each once, in their order. */
export function cleanLabels(labels: readonly string[]): string[] {
  const clean = labels.map((label) => label.replace(/\s+/g, ' ').trim()).filter((label) => label !== '');
  return clean.filter(
    (label, place) => clean.findIndex((other) => other.toLowerCase() === label.toLowerCase()) === place,
  );
}
