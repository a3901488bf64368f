import { attentionKinds, attentionLimits } from '@app/domain/dashboard/attention';
import { startSteps } from '@app/domain/dashboard/getting-started';
import { z } from 'zod';
import { campaign } from '../campaigns/campaign-values.ts';
import { endpoint } from '../endpoint.ts';

const figure = z.object({
  value: z.number(),
  /** Change against as much of last month, in percent; null when there is nothing to compare with. */
  change: z.number().nullable(),
});

export const serviceHealth = z.object({
  state: z.enum(['operational', 'degraded', 'down', 'not_connected']),
  /** One plain sentence when it is not operational. */
  detail: z.string().nullable(),
});

/** What waits for somebody, of one kind. */
const attention = z.object({
  kind: z.enum(attentionKinds),
  /** How many; from `attentionLimits.counted` on no more are counted. */
  total: z.number(),
  /** The first of them by name; none of what is only counted, as chats are. */
  named: z
    .array(
      z.object({
        id: z.string(),
        name: z.string(),
        /** Why: the code of a pause, a stop or a trouble; null where the kind says all. */
        code: z.string().nullable(),
        /** The name that the sentence of the code has, such as that of a segment. */
        about: z.string().nullable(),
        /** Messages that failed and may still succeed; null where nothing is counted. */
        failed: z.number().nullable(),
      }),
    )
    .max(attentionLimits.named),
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
      /** Of this month so far, as the rates are. */
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
    summary: 'Health of messaging API, sign-in, live updates, storage and queue',
    input: z.object({}),
    output: z.object({
      messagingApi: serviceHealth,
      authentication: serviceHealth,
      realtime: serviceHealth,
      /** Whether the disks have room and the database takes writes. */
      storage: z.enum(['operational', 'full', 'read_only']),
      queue: serviceHealth.extend({ waiting: z.number() }),
    }),
  }),
  getAttention: endpoint({
    method: 'GET',
    path: '/dashboard/attention',
    access: 'signed-in',
    summary: 'What waits for somebody now, the most urgent first, of that which the caller may put right',
    input: z.object({}),
    output: z.object({ items: z.array(attention) }),
  }),
  getGettingStarted: endpoint({
    method: 'GET',
    path: '/dashboard/getting-started',
    access: 'signed-in',
    summary:
      'First steps that the caller may take, and which are done: to the first campaign, or through the sample',
    input: z.object({}),
    output: z.object({
      /** None once the first campaign was sent, or the caller can do no more for it. */
      steps: z.array(z.object({ step: z.enum(startSteps), isDone: z.boolean() })),
      /** Where the number is connected: a sandbox reaches nobody. */
      connection: z.enum(['none', 'sandbox', 'platform']),
      /** The address of the sandbox's phones, in the sample alone. */
      phones: z.url().nullable(),
      /** The caller wants to see it no more in this workspace. */
      isHidden: z.boolean(),
    }),
  }),
};
