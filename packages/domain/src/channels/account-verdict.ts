import type { StopScope } from '../messaging/rejection.ts';

/** What a platform has decided about the whole account behind numbers. */
export const accountVerdicts = [
  /** Nobody may be written to first. */
  'campaigns_restricted',
  /** Nobody may be answered. */
  'replies_restricted',
  /** Neither. */
  'restricted',
  /** Something else, such as more numbers. */
  'partly_restricted',
  /** A rule was broken; the next time may cost more. */
  'violation',
  /** It will be banned, unless somebody objects. */
  'ban_planned',
  'banned',
  'deleted',
  'review_failed',
  /** A ban is over. */
  'reinstated',
] as const;
export type AccountVerdict = (typeof accountVerdicts)[number];

/** Codes of stops that such a verdict makes; a refusal of the platform never has one. */
export const verdictStops = ['account_restricted', 'account_banned', 'account_deleted'] as const;
export type VerdictStop = (typeof verdictStops)[number];

/** What the numbers of the account do no more; null where they may go on. */
export function stopOfVerdict(verdict: AccountVerdict): { code: VerdictStop; blocks: StopScope } | null {
  switch (verdict) {
    case 'campaigns_restricted':
      return { code: 'account_restricted', blocks: 'campaigns' };
    case 'restricted':
      return { code: 'account_restricted', blocks: 'everything' };
    case 'banned':
      return { code: 'account_banned', blocks: 'everything' };
    case 'deleted':
      return { code: 'account_deleted', blocks: 'everything' };
    default:
      return null;
  }
}

export function isVerdictStop(code: string): code is VerdictStop {
  return verdictStops.some((known) => known === code);
}
