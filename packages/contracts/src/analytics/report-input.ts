import { isReportZone } from '@app/domain/analytics/report-filter';
import { daysBetween, isReportDay, LONGEST_PERIOD } from '@app/domain/analytics/report-period';
import { contactLimits } from '@app/domain/contacts/contact';
import { numberCountries } from '@app/domain/settings/calling-codes';
import { z } from 'zod';

export const filters = {
  /** What is counted: of one campaign, template, sender, or kind of channel. */
  campaignId: z.uuid().optional(),
  templateId: z.uuid().optional(),
  channelId: z.uuid().optional(),
  channel: z.string().max(32).optional(),
  /** Of contacts that have a tag, belong to a segment, or have a number of a country (ISO 3166) now, as far as their messages are stored. */
  tag: z.string().min(1).max(contactLimits.tag).optional(),
  segmentId: z.uuid().optional(),
  country: z.enum(numberCountries).optional(),
  /** What a member, or the members of a team, wrote to single people. */
  agentId: z.uuid().optional(),
  teamId: z.uuid().optional(),
};
/** A year that nobody means, such as 9999, is refused: the days around it cannot be written. */
const reportDay = z.iso.date().refine(isReportDay, 'not from 1970 to 2999');

/** Calendar days of the zone, both of them counted; without them the last 30. `zone` is a name such as Asia/Kolkata. */
export const period = {
  from: reportDay.optional(),
  to: reportDay.optional(),
  zone: z.string().max(64).refine(isReportZone, 'no time zone').default('UTC'),
  ...filters,
};

type Dates = { from?: string | undefined; to?: string | undefined };
export const isPeriod = ({ from, to }: Dates) =>
  !from || !to || (daysBetween(from, to) > 0 && daysBetween(from, to) <= LONGEST_PERIOD);
export const wrongPeriod = { path: ['to'], message: 'not before from, and at most ten years' };
export const counts = {
  sent: z.number(),
  delivered: z.number(),
  read: z.number(),
  failed: z.number(),
  replied: z.number(),
};
/** Of failed: what the platform refused, so that it was never sent. A delivery rate is delivered of sent and refused. */
export const refused = { refused: z.number() };
/** The days that were counted. */
export const counted = { from: z.string(), to: z.string() };

export const reportExample = { from: '2026-01-01', to: '2026-01-31', zone: 'Europe/Berlin' };

/** What all reports have in common. */
export const reportAccess = {
  method: 'GET',
  access: 'analytics:read',
  errors: ['segment_not_found'],
} as const;
