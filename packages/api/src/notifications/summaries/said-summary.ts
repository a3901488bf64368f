import type { MailedReport } from '../../analytics/mails/report-mail.ts';

/** A figure as it is said, and whether its change is good news; null without one, or where it says nothing of good and bad. */
export type SaidFigure = { label: string; value: string; change: string; isGood: boolean | null };
export type SaidNeed = { text: string; link: string };
export type SaidSummary = {
  /** False for a mail that holds nothing but views. */
  hasSummary: boolean;
  reports: readonly MailedReport[];
  reportWords: { gone: string; attached: string; open: string };
  /** Where each report is opened, in their order. */
  reportLinks: readonly string[];
  business: string;
  hasLogo: boolean;
  title: string;
  period: string;
  greeting: string;
  figures: SaidFigure[];
  needsTitle: string;
  needs: SaidNeed[];
  nothingNeeds: string;
  endedTitle: string;
  ended: { name: string; text: string; link: string }[];
  open: { text: string; link: string };
  why: string;
  /** Null where the mail comes once. */
  unsubscribe: { text: string; link: string } | null;
};
