import { z } from 'zod';
import { campaign } from '../campaigns/campaign-values.ts';
import { endpoint } from '../endpoint.ts';

const figure = z.object({
  value: z.number(),
  /** Change against last month in percent; null when there is nothing to compare with. */
  change: z.number().nullable(),
});

export const serviceHealth = z.object({
  state: z.enum(['operational', 'degraded', 'down', 'not_connected']),
  /** One plain sentence when it is not operational. */
  detail: z.string().nullable(),
});

export const dashboardContract = {
  getOverview: endpoint({
    method: 'GET',
    path: '/dashboard',
    access: 'signed-in',
    summary: 'Cards, Message Analytics, Campaign Status and Recent Campaigns from real data',
    input: z.object({ timeZone: z.string().max(64).default('UTC') }),
    output: z.object({
      totalContacts: figure,
      messagesSent: figure,
      /** Delivered of sent, in percent. */
      deliveryRate: figure,
      /** Read of delivered, in percent. */
      readRate: figure,
      /** The last seven days, oldest first; `day` is YYYY-MM-DD in the asked time zone. */
      week: z.array(z.object({ day: z.string(), sent: z.number(), delivered: z.number(), read: z.number() })),
      campaignStatus: z.object({
        completed: z.number(),
        running: z.number(),
        scheduled: z.number(),
        draft: z.number(),
        paused: z.number(),
        cancelled: z.number(),
      }),
      recentCampaigns: z.array(campaign).max(5),
    }),
  }),
  getHealth: endpoint({
    method: 'GET',
    path: '/health',
    access: 'signed-in',
    summary: 'Health of messaging API, sign-in, live updates and queue',
    input: z.object({}),
    output: z.object({
      messagingApi: serviceHealth,
      authentication: serviceHealth,
      realtime: serviceHealth,
      queue: serviceHealth.extend({ waiting: z.number() }),
    }),
  }),
};
