/** The last that moved first; or first those that somebody pinned, and each part so; or those with a target alone, what is due next first. */
export const conversationOrders = ['newest', 'pinned', 'due'] as const;
export type ConversationOrder = (typeof conversationOrders)[number];

export const listLimits = {
  /** Of one act on many. */
  changed: 200,
  /** Letters. */
  shortestSearch: 2,
  longestSearch: 200,
  /** More are counted as so many. */
  counted: 1_000,
} as const;
