import { isTimeZone } from '../campaigns/quiet-hours.ts';
import { isUuid } from '../uuid.ts';
import { daysBetween, LONGEST_PERIOD } from './report-period.ts';

/**
 * What can be counted of a message. `unread` was delivered and not read, `undelivered` was sent and neither delivered nor failed. `optedOut` is
 * a contact who opted out within so many days after a campaign message.
 */
export const reportMetrics = [
  'sent',
  'delivered',
  'read',
  'failed',
  'replied',
  'unread',
  'undelivered',
  'optedOut',
] as const;
export type ReportMetric = (typeof reportMetrics)[number];

/** In days: how long after a campaign message an opt-out counts as caused by it. */
export const optOutWindow = { usual: 7, most: 30 } as const;

/** Which messages a report counts; each part that is there must hold. */
export type MessageFilter = {
  campaignId?: string | undefined;
  templateId?: string | undefined;
  /** The sender. */
  channelId?: string | undefined;
  /** A kind of channel. */
  channel?: string | undefined;
  /** Of contacts whose number is of this country (ISO 3166). */
  country?: string | undefined;
  /** Messages that this member wrote. */
  agentId?: string | undefined;
  /** Messages that members of this team wrote. */
  teamId?: string | undefined;
};

/** Days of a calendar, both of them counted, in a time zone. */
export type ReportPeriod = { from: string; to: string; zone: string };

/** The people behind one number of a report: contacts to whose messages this happened in the period. */
export type ReportPeople = ReportPeriod &
  MessageFilter & {
    metric: ReportMetric;
    /** Of `optedOut`, in days; `optOutWindow.usual` where it is missing. */
    windowDays?: number | undefined;
  };

const IDS = ['campaignId', 'templateId', 'channelId', 'agentId', 'teamId'] as const;
const WORDS = ['channel', 'country'] as const;
const DAY = /^\d{4}-(0[1-9]|1[0-2])-(0[1-9]|[12]\d|3[01])$/;

/** As one text, for addresses and filters; `readReportPeople` reads it. */
export function writeReportPeople(people: ReportPeople): string {
  const { metric, from, to, zone } = people;
  const named = [...IDS, ...WORDS, 'windowDays' as const].flatMap((name) =>
    people[name] ? [`${name}=${people[name]}`] : [],
  );
  return [metric, from, to, zone, ...named].join(';');
}

/** Null for a text that says no people: the caller must then find nobody, never everybody. */
export function readReportPeople(text: string): ReportPeople | null {
  const [word, from = '', to = '', zone = '', ...named] = text.split(';');
  const metric = reportMetrics.find((one) => one === word);
  const days = DAY.test(from) && DAY.test(to) ? daysBetween(from, to) : 0;
  if (!metric || !(days > 0 && days <= LONGEST_PERIOD) || !isReportZone(zone)) return null;
  const filter: Pick<ReportPeople, keyof MessageFilter | 'windowDays'> = {};
  for (const part of named) {
    const at = part.indexOf('=');
    const value = part.slice(at + 1);
    const id = IDS.find((one) => one === part.slice(0, at));
    const words = WORDS.find((one) => one === part.slice(0, at));
    if (id && isUuid(value)) filter[id] = value;
    else if (words && /^[\w-]{1,32}$/.test(value)) filter[words] = value;
    else if (part.startsWith('windowDays=') && isWindow(value)) filter.windowDays = Number(value);
    else return null;
  }
  return { metric, from, to, zone, ...filter };
}

function isWindow(text: string): boolean {
  return /^[1-9]\d?$/.test(text) && Number(text) <= optOutWindow.most;
}

/** A name of a time zone. An offset such as +05:30 is none: PostgreSQL reads it the other way round. */
export function isReportZone(name: string): boolean {
  return name.length <= 64 && /^[A-Za-z]/.test(name) && isTimeZone(name);
}
