import { isReportZone } from '@app/domain/analytics/report-filter';
import { daysBetween, isReportDay } from '@app/domain/analytics/report-period';
import { z } from 'zod';
import { endpoint, id } from '../endpoint.ts';

/** A year, and the day that a leap year has more. */
const MOST_DAYS = 366;

const reportDay = z.iso.date().refine(isReportDay, 'not from 1970 to 2999');

const figures = {
  /** Taken by the platform and not failed later. */
  sent: z.number(),
  delivered: z.number(),
  read: z.number(),
  failed: z.number(),
  /** Recipients who clicked a counted link of the first message. */
  clicked: z.number(),
  /** Recipients with a conversion that belongs to the campaign, within the attribution window. */
  converted: z.number(),
  /** Recipients who were sent the second message of a campaign in place of this one. */
  fallback: z.number(),
  /** Of the messages that were delivered, at the price of their campaign, in `currency`. */
  cost: z.number(),
};

export const rcsAnalyticsContract = {
  getAnalytics: endpoint({
    method: 'GET',
    path: '/rcs/analytics',
    access: 'analytics:read',
    forKeys: { example: { from: '2026-01-01', to: '2026-01-31', zone: 'Europe/Berlin' } },
    summary:
      'What became of messages through RCS agents, by message, day and country: each message counts on the day on which it was sent',
    input: z
      .object({
        /** Calendar days of the zone, both of them counted, at most 366; without them the last 30. */
        from: reportDay.optional(),
        to: reportDay.optional(),
        zone: z.string().max(64).refine(isReportZone, 'no time zone').default('UTC'),
      })
      .refine(
        ({ from, to }) => !from || !to || (daysBetween(from, to) > 0 && daysBetween(from, to) <= MOST_DAYS),
        { path: ['to'], message: 'not before from, and at most 366 days' },
      ),
    output: z.object({
      from: z.string(),
      to: z.string(),
      total: z.object(figures),
      /** Each day of the period. */
      days: z.array(z.object({ day: z.string(), ...figures })),
      /** The most sent first. */
      messages: z.array(
        z.object({
          /** Of the RCS message, or of a campaign with another one; null for messages to single contacts. */
          id: id.nullable(),
          kind: z.enum(['message', 'campaign', 'single']),
          /** Null for messages to single contacts, and for a campaign that was deleted. */
          name: z.string().nullable(),
          ...figures,
        }),
      ),
      /** By the country of the number (ISO 3166); null for numbers of no country. The most sent first. */
      countries: z.array(z.object({ country: z.string().nullable(), ...figures })),
      currency: z.string(),
      /** Delivered messages whose price is not known, or is in another currency: they are not in the cost. */
      withoutCost: z.number(),
    }),
  }),
};
