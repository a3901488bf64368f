export const reportViewLimits = { name: 60, views: 20, value: 200 } as const;

/** The count that the chart of volume shows; a view without one shows what was sent. */
export function countOfMeasure(measure: string | undefined): 'sent' | 'delivered' | 'read' {
  return measure === 'delivered' || measure === 'read' ? measure : 'sent';
}

/** In percent: after a period of next to nothing a larger change says no more. */
export const LARGEST_CHANGE = 999;

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
