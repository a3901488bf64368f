export const reportViewLimits = { name: 60, views: 20, value: 200 } as const;

/** What a saved view keeps of the page, each as the address says it. */
export const reportViewParts = [
  ...([
    'period',
    'from',
    'to',
    'campaign',
    'template',
    'sender',
    'channel',
    'tag',
    'segment',
    'country',
  ] as const),
  ...(['agent', 'team', 'zone', 'by', 'shown', 'section'] as const),
] as const;
