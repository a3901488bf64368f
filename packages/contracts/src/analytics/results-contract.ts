import { abMetrics } from '@app/domain/campaigns/ab-test/ab-test';
import { optOutWindow } from '@app/domain/analytics/report-filter';
import { z } from 'zod';
import { endpoint } from '../endpoint.ts';
import {
  counted,
  counts,
  isPeriod,
  period,
  refused,
  reportAccess,
  reportExample,
  wrongPeriod,
} from './report-input.ts';

const input = z.object(period).refine(isPeriod, wrongPeriod);
const named = { id: z.uuid(), name: z.string().nullable() };

/** What came of campaigns, of templates, of the bot and of workflows. */
export const resultsContract = {
  getResults: endpoint({
    ...reportAccess,
    path: '/analytics/results',
    forKeys: { example: reportExample },
    summary: 'The funnel of a period, its spend, and campaigns side by side with their opt-outs and costs',
    input: z
      .object({
        ...period,
        /** Days after a campaign message within which an opt-out counts as caused by it. */
        windowDays: z.coerce.number().int().min(1).max(optOutWindow.most).default(optOutWindow.usual),
      })
      .refine(isPeriod, wrongPeriod),
    output: z.object({
      ...counted,
      windowDays: z.number(),
      /** `clicked` is null where a filter asks for contacts or members: clicks are counted by campaign and template alone. */
      funnel: z.object({
        ...counts,
        ...refused,
        clicked: z.number().nullable(),
        /** Contacts with a conversion in the period that belongs to a campaign; null where a filter asks for members. */
        converted: z.number().nullable(),
      }),
      /** In days: how long after the last click a conversion belongs to it. It is a setting of the workspace. */
      conversionDays: z.number(),
      /** Of these conversions, in units of `revenueCurrency`; values in other currencies are not in it. Null as above. */
      revenue: z.number().nullable(),
      revenueCurrency: z.string().nullable(),
      /** Contacts who opted out after a campaign message; each belongs to the last campaign that reached them. */
      optOuts: z.number(),
      /** Spent in the period, in units of `currency`; null where a filter asks for contacts or members. */
      cost: z.number().nullable(),
      currency: z.string(),
      /** This month's budget of the workspace; null while it has none. Nothing is counted as spent before there is one. */
      budget: z.object({ perMonth: z.number(), used: z.number(), left: z.number() }).nullable(),
      /** The last 100 A/B tests that ended in the period, with their figures of then. */
      abTests: z.array(
        z.object({
          campaignId: z.uuid(),
          name: z.string(),
          metric: z.enum(abMetrics),
          outcome: z.enum(['winner', 'too_few', 'no_difference']),
          endedAt: z.iso.datetime(),
          /** From A on. `base` were delivered to, `hits` did what the metric counts, and `interval` is that of 95 % around their share. */
          variants: z.array(
            z.object({
              base: z.number(),
              hits: z.number(),
              interval: z.object({ low: z.number(), high: z.number() }).nullable(),
              isWinner: z.boolean(),
            }),
          ),
        }),
      ),
      /** How many campaigns there are; `items` holds at most 1,000. */
      total: z.number(),
      items: z.array(
        z.object({
          ...named,
          isDeleted: z.boolean(),
          ...counts,
          ...refused,
          clicked: z.number().nullable(),
          converted: z.number().nullable(),
          revenue: z.number().nullable(),
          optOuts: z.number(),
          cost: z.number().nullable(),
        }),
      ),
    }),
  }),
  getTemplateHealth: endpoint({
    ...reportAccess,
    path: '/analytics/template-health',
    forKeys: { example: reportExample },
    summary:
      'Templates with their status and quality at the platform and what became of their messages, those in trouble first',
    input,
    output: z.object({
      ...counted,
      total: z.number(),
      items: z.array(
        z.object({
          ...named,
          isDeleted: z.boolean(),
          /** Of ours: draft, pending, approved, rejected; null for a deleted one. */
          status: z.string().nullable(),
          /** As the platform says it, such as PAUSED; null where it said nothing. */
          platformStatus: z.string().nullable(),
          quality: z.string().nullable(),
          ...counts,
          ...refused,
        }),
      ),
    }),
  }),
  getAutomation: endpoint({
    ...reportAccess,
    path: '/analytics/automation',
    forKeys: { example: reportExample },
    summary:
      'Conversations that the bot solved alone, and how runs of workflows ended; narrowed by the sender alone',
    input,
    output: z.object({
      ...counted,
      bot: z.object({
        conversations: z.number(),
        /** Of these, without a handover to a member. */
        solved: z.number(),
        /** Why the others were handed over, the most frequent reason first. */
        handoffs: z.array(z.object({ reason: z.string(), conversations: z.number() })),
      }),
      /** Runs that ended in the period, the workflow with the most first; at most 200 workflows. */
      workflows: z.array(
        z.object({
          id: z.uuid(),
          name: z.string(),
          completed: z.number(),
          failed: z.number(),
          cancelled: z.number(),
          /** Different contacts. */
          contacts: z.number(),
        }),
      ),
    }),
  }),
};
