export const reportViewLimits = { name: 60, views: 20, value: 200 } as const;

/** What the chart of volume shows; messages are those that were sent. */
export const viewMeasures = ['messages', 'delivered', 'read'] as const;

/** The count of a measure; a view without one shows the first. */
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
