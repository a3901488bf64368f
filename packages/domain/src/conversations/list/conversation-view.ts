export const viewLimits = {
  name: 60,
  /** That everybody sees, and again as many of each person. */
  views: 20,
} as const;

/** What a view may name that is gone by now; it then finds no conversation. */
export const gonePartsOfViews = ['assignee', 'label', 'team', 'channel'] as const;
