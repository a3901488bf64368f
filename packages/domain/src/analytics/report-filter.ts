import { isTimeZone } from '../campaigns/quiet-hours.ts';
import { isUuid } from '../uuid.ts';
import { daysBetween, isReportDay, LONGEST_PERIOD } from './report-period.ts';

/** What can be counted of a message. `unread` was delivered and not read, `undelivered` was sent and neither delivered nor failed. */
export const messageMetrics = [
  'sent',
  'delivered',
  'read',
  'failed',
  'replied',
  'unread',
  'undelivered',
] as const;
export type MessageMetric = (typeof messageMetrics)[number];

export function isMessageMetric(metric: ReportMetric): metric is MessageMetric {
  return messageMetrics.some((one) => one === metric);
}

/**
 * What a number of a report can count of a contact. `optedOut`: within so many days after a campaign message. `clicked` and `converted`: a first
 * click on a link, and a conversion that belongs to a campaign. `added`, `optIns`, `optOuts`: became a contact, and what they said about marketing.
 * `waiting` is the one that asks about now: a conversation waits for an answer. `answered`, `answeredLate`, `resolved`: conversations. `asked`: for
 * a rating, which `ratedGood`, `ratedOkay` and `ratedBad` gave. `botTalks`: the bot answered; `botSolved` and `handedOver` say how that ended.
 * `runs`: a run of a workflow ended, of which the last three say how.
 */
export const reportMetrics = [
  ...messageMetrics,
  ...(['optedOut', 'clicked', 'converted', 'added', 'optIns', 'optOuts'] as const),
  ...(['waiting', 'answered', 'answeredLate', 'resolved'] as const),
  ...(['asked', 'ratedGood', 'ratedOkay', 'ratedBad'] as const),
  ...(['botTalks', 'botSolved', 'handedOver'] as const),
  ...(['runs', 'runsCompleted', 'runsFailed', 'runsCancelled'] as const),
] as const;
export type ReportMetric = (typeof reportMetrics)[number];

/** What figures can be narrowed to, in the order of the page. */
export const reportFilterKinds = [
  ...(['campaign', 'template', 'channel', 'sender', 'tag', 'segment', 'country', 'agent', 'team'] as const),
] as const;
export type ReportFilterKind = (typeof reportFilterKinds)[number];

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
    /** Of `failed` the error code, of `handedOver` why; `NO_CODE` where there is none. */
    reason?: string | undefined;
    /** Of `added`, `optIns` and `optOuts`: where it came from. */
    source?: string | undefined;
    /** Of runs: of this workflow. */
    flowId?: string | undefined;
  };

/** The reason of a failure that nobody explained. */
export const NO_CODE = '-';

const IDS = ['campaignId', 'templateId', 'channelId', 'agentId', 'teamId', 'flowId'] as const;
const WORDS = ['channel', 'country', 'reason', 'source'] as const;
const WORD = /^[\w.:-]{1,64}$/;

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
  const days = isReportDay(from) && isReportDay(to) ? daysBetween(from, to) : 0;
  if (!metric || !(days > 0 && days <= LONGEST_PERIOD) || !isReportZone(zone)) return null;
  const filter: Omit<ReportPeople, keyof ReportPeriod | 'metric'> = {};
  for (const part of named) {
    const at = part.indexOf('=');
    const value = part.slice(at + 1);
    const id = IDS.find((one) => one === part.slice(0, at));
    const words = WORDS.find((one) => one === part.slice(0, at));
    if (id && isUuid(value)) filter[id] = value;
    else if (words && isReportWord(value)) filter[words] = value;
    else if (part.startsWith('windowDays=') && isWindow(value)) filter.windowDays = Number(value);
    else return null;
  }
  return { metric, from, to, zone, ...filter };
}

/** Whether it can stand in the text of people: a reason or a source with other letters cannot be asked for. */
export function isReportWord(text: string): boolean {
  return WORD.test(text);
}

function isWindow(text: string): boolean {
  return /^[1-9]\d?$/.test(text) && Number(text) <= optOutWindow.most;
}

/** A name of a time zone. An offset such as +05:30 is none: PostgreSQL reads it the other way round. */
export function isReportZone(name: string): boolean {
  return name.length <= 64 && /^[A-Za-z]/.test(name) && isTimeZone(name);
}
