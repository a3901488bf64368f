import { zonedTimeToInstant } from '../campaigns/zoned-time.ts';
import { numberCountries } from '../settings/calling-codes.ts';
import { isUuid } from '../uuid.ts';
import { isReportZone, type MessageFilter } from './report-filter.ts';
import { addDays, dayIn, daysBetween, isReportDay, LONGEST_PERIOD } from './report-period.ts';
import type { reportViewParts } from './report-view.ts';

export type ViewQuery = { readonly [Part in (typeof reportViewParts)[number]]?: string | undefined };

/** The periods of the page in days; `custom` has its own. */
const DAYS = new Map([
  ['7days', 7],
  ['30days', 30],
  ['90days', 90],
  ['1year', 365],
]);
const USUAL_DAYS = 30;

/** Which day is the last one: that of an instant (milliseconds), by the zone of the view, or a day itself. */
export type ViewEnd = { zone: string } & ({ now: number } | { end: string });

/**
 * The last day that a mail of `day` is about. It is over where the view looks at it, also when the reader is ahead of that zone: a morning in Tokyo is the day
 * before in Los Angeles. It is that of the hour at which mails begin, so that a mail that is late has the same days.
 */
export function lastDayOfMail(
  query: ViewQuery,
  { zone, day, from }: { zone: string; day: string; from: string },
): string {
  const yesterday = addDays(day, -1);
  const begins = zonedTimeToInstant(`${day}T${from}`, zone);
  if (begins === null || query.zone === undefined || !isReportZone(query.zone)) return yesterday;
  const there = addDays(dayIn(query.zone, begins.getTime()), -1);
  return there < yesterday ? there : yesterday;
}

/** What a saved view asks of the server; what is unknown in it narrows nothing. `zone` is that of views without one. */
export function readViewQuery(
  query: ViewQuery,
  last: ViewEnd,
): MessageFilter & { from: string; to: string; zone: string; tag?: string; segmentId?: string } {
  const zone = query.zone !== undefined && isReportZone(query.zone) ? query.zone : last.zone;
  const end = 'end' in last ? last.end : dayIn(zone, last.now);
  const id = (part: string | undefined) => (part !== undefined && isUuid(part) ? part : undefined);
  const word = (part: string | undefined) =>
    part !== undefined && /^[\w-]{1,32}$/.test(part) ? part : undefined;
  const named = {
    ...{ campaignId: id(query.campaign), templateId: id(query.template), channelId: id(query.sender) },
    ...{ agentId: id(query.agent), teamId: id(query.team), segmentId: id(query.segment) },
    ...{ channel: word(query.channel), tag: query.tag || undefined },
    country:
      query.country !== undefined && numberCountries.includes(query.country) ? query.country : undefined,
  };
  const filter = Object.fromEntries(Object.entries(named).filter(([, value]) => value !== undefined));
  return { ...filter, zone, ...daysOf(query, end) };
}

function daysOf({ period, from = '', to = '' }: ViewQuery, end: string): { from: string; to: string } {
  if (period === 'custom') {
    const days = {
      from: isReportDay(from) ? from : addDays(end, 1 - USUAL_DAYS),
      to: isReportDay(to) ? to : end,
    };
    const count = daysBetween(days.from, days.to);
    if (count > 0 && count <= LONGEST_PERIOD) return days;
  }
  return { from: addDays(end, 1 - (DAYS.get(period ?? '') ?? USUAL_DAYS)), to: end };
}
