import type { ViewCadence } from '../analytics/mailed-view.ts';

export const summaryKinds = ['daily_summary', 'weekly_report'] as const;
export type SummaryKind = (typeof summaryKinds)[number];

/** The mails: those of summaries, and one that holds nothing but saved views. */
export const summaryMailKinds = [...summaryKinds, 'monthly_report'] as const;
export type SummaryMailKind = (typeof summaryMailKinds)[number];

/** Which saved views come with which mail. */
export const cadenceOfMail = {
  daily_summary: 'daily',
  weekly_report: 'weekly',
  monthly_report: 'monthly',
} as const satisfies Record<SummaryMailKind, ViewCadence>;

export function isSummaryKind(kind: SummaryMailKind): kind is SummaryKind {
  return kind !== 'monthly_report';
}

/** The local hours between which a summary begins: a process that was away catches up until the evening. */
export const SUMMARY_HOURS = { from: '08:00', until: '20:00' } as const;

export const summaryFigures = [
  'sent',
  'delivered',
  'read',
  'failed',
  'answered',
  'inTime',
  'contacts',
] as const;
export type SummaryFigure = (typeof summaryFigures)[number];

export type Summary = {
  /** Of the day or week that is over, and of the one before it. Those that the person may not read are not there. */
  figures: Partial<Record<SummaryFigure, { now: number; before: number }>>;
  /** Campaigns that ended in that time; the first of them by name. */
  ended: { id: string; name: string; sent: number; failed: number }[];
  endedCount: number;
  /** What needs somebody. */
  needs: {
    ownUnanswered: number;
    freeUnanswered: number;
    stoppedNumbers: string[];
    rejectedTemplates: string[];
    pausedCampaigns: string[];
    dueCampaigns: { name: string; at: Date }[];
  };
};

/**
 * Whether it tells anything. A day on which nothing happened and on which no campaign is due has no mail, whatever has been waiting for long; a week
 * has one as long as something needs somebody.
 */
export function isWorthTelling(kind: SummaryKind, { figures, endedCount, needs }: Summary): boolean {
  const happened = Object.values(figures).some(({ now }) => now > 0) || endedCount > 0;
  if (happened || needs.dueCampaigns.length > 0) return true;
  return kind === 'weekly_report' && listNeeds(needs).length > 0;
}

/** Names of what needs somebody, the most urgent first. */
export function listNeeds(needs: Summary['needs']): (keyof Summary['needs'])[] {
  const order = [
    ...([
      'stoppedNumbers',
      'ownUnanswered',
      'freeUnanswered',
      'pausedCampaigns',
      'rejectedTemplates',
    ] as const),
    'dueCampaigns' as const,
  ];
  return order.filter((name) => {
    const need = needs[name];
    return typeof need === 'number' ? need > 0 : need.length > 0;
  });
}

/** The change in percent; null where there was nothing before. */
export function changeOf({ now, before }: { now: number; before: number }): number | null {
  return before === 0 ? null : Math.round(((now - before) / before) * 100);
}
