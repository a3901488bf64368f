import { reportFilterKinds } from '@app/domain/analytics/report-filter';
import { volumeBuckets } from '@app/domain/analytics/report-period';
import { z } from 'zod';
import { endpoint } from '../endpoint.ts';
import {
  counted,
  counts,
  filters,
  isPeriod,
  period,
  refused,
  reportAccess,
  reportExample,
  wrongPeriod,
} from './report-input.ts';
import { contactTimeContract } from './contact-time-contract.ts';
import { resultsContract } from './results-contract.ts';

const promise = reportAccess;
const example = reportExample;
const input = z.object(period).refine(isPeriod, wrongPeriod);

/** Percent for counts and percentage points for rates, against as many days before; null with nothing to compare with. */
const figure = z.object({ value: z.number(), change: z.number().nullable() });
/** In percent; null where there is nothing that it could be a part of. */
const rate = z.object({ value: z.number().nullable(), change: z.number().nullable() });
const named = z.object({ id: z.uuid(), name: z.string() });

/** Of conversations whose contact was asked how the help was. */
const rated = { asked: z.number(), good: z.number(), okay: z.number(), bad: z.number() };
/** Of conversations that somebody opened: means in milliseconds from then on, null where there was none. */
const rounds = {
  responses: z.number(),
  responseMs: z.number().nullable(),
  /** First responses after their target. */
  late: z.number(),
  resolutions: z.number(),
  resolutionMs: z.number().nullable(),
};

export const analyticsContract = {
  ...contactTimeContract,
  ...resultsContract,
  getSummary: endpoint({
    ...promise,
    path: '/analytics/summary',
    forKeys: { example },
    summary: 'Messages, delivery, read and response rate of a period, each with its change',
    input,
    output: z.object({
      ...counted,
      /**
       * What it is compared with: as many days right before. Of a period that is not over, only as much of them as has passed of it: until a time (HH:MM)
       * of the last day.
       */
      before: z.object({ ...counted, until: z.string().nullable() }),
      messages: figure,
      /** Delivered of sent and refused, in percent. Messages that a member sent in an app of the platform are left out: it reports no delivery of them. */
      deliveryRate: rate,
      /** Read of delivered. */
      readRate: rate,
      /** Contacts who replied within 24 hours, of delivered. */
      responseRate: rate,
      counts: z.object({ ...counts, ...refused, received: z.number() }),
      /** False while what was stored before there were figures is still being counted. */
      isComplete: z.boolean(),
    }),
  }),
  getVolume: endpoint({
    ...promise,
    path: '/analytics/volume',
    forKeys: { example },
    summary: 'Messages sent, delivered and read by day, week or month',
    input: z
      .object({ ...period, bucket: z.enum(['auto', ...volumeBuckets]).default('auto') })
      .refine(isPeriod, wrongPeriod),
    output: z.object({
      ...counted,
      bucket: z.enum(volumeBuckets),
      /** Oldest first, all of the period; `day` is the first day of the bucket. */
      points: z.array(z.object({ day: z.string(), ...counts })),
    }),
  }),
  getStatuses: endpoint({
    ...promise,
    path: '/analytics/statuses',
    forKeys: { example },
    summary: 'How far messages came: read, delivered and not read, sent and not delivered, failed',
    input,
    output: z.object({
      ...counted,
      read: z.number(),
      delivered: z.number(),
      sent: z.number(),
      failed: z.number(),
    }),
  }),
  getCampaigns: endpoint({
    ...promise,
    path: '/analytics/campaigns',
    forKeys: { example },
    summary: 'Figures of each campaign of a period, those that sent most first',
    input: z
      .object({ ...period, limit: z.coerce.number().int().min(1).max(1_000).default(100) })
      .refine(isPeriod, wrongPeriod),
    output: z.object({
      ...counted,
      /** How many there are; `items` may hold fewer. */
      total: z.number(),
      items: z.array(
        z.object({ id: z.uuid(), name: z.string().nullable(), isDeleted: z.boolean(), ...counts }),
      ),
    }),
  }),
  getTemplates: endpoint({
    ...promise,
    path: '/analytics/templates',
    forKeys: { example },
    summary: 'Templates of a period with the best read rates first',
    input: z
      .object({ ...period, limit: z.coerce.number().int().min(1).max(1_000).default(5) })
      .refine(isPeriod, wrongPeriod),
    output: z.object({
      ...counted,
      total: z.number(),
      items: z.array(
        z.object({
          id: z.uuid(),
          name: z.string().nullable(),
          isDeleted: z.boolean(),
          ...counts,
          /** Null where none was delivered. */
          readRate: z.number().nullable(),
        }),
      ),
    }),
  }),
  getBestTime: endpoint({
    ...promise,
    path: '/analytics/best-time',
    forKeys: { example },
    summary: 'By hour of the day how many messages were sent, read and replied to, and when most are read',
    input,
    output: z.object({
      ...counted,
      /** From midnight on, 24 of them, in the time zone that was asked for. */
      hours: z.array(z.object({ hour: z.number(), ...counts })),
      /** From the first hour up to the other, which may be past midnight; null where there is too little to say. */
      peak: z.object({ from: z.number(), to: z.number() }).nullable(),
    }),
  }),
  getFailures: endpoint({
    ...promise,
    path: '/analytics/failures',
    forKeys: { example },
    summary: 'Why messages of a period failed, the most frequent reason first, as far as they are stored',
    input,
    output: z.object({
      ...counted,
      /** `code` is of the platform or of ours; null where nobody said why. */
      items: z.array(z.object({ code: z.string().nullable(), count: z.number() })),
    }),
  }),
  getInbox: endpoint({
    ...promise,
    path: '/analytics/inbox',
    forKeys: { example },
    summary:
      'First responses and resolutions of the inbox, by member, team and hour of the day; narrowed by sender, member and team alone',
    input,
    output: z.object({
      ...counted,
      ...rounds,
      /** Conversations that wait for an answer now. */
      waiting: z.number(),
      /** `name` is null for who is gone. */
      agents: z.array(z.object({ id: z.uuid(), name: z.string().nullable(), ...rounds })),
      teams: z.array(z.object({ id: z.uuid(), name: z.string().nullable(), ...rounds })),
      /** How contacts rated resolved conversations of which they were asked in the period, at all, by member and by team. */
      satisfaction: z.object({
        ...rated,
        agents: z.array(z.object({ id: z.uuid(), name: z.string().nullable(), ...rated })),
        teams: z.array(z.object({ id: z.uuid(), name: z.string().nullable(), ...rated })),
      }),
      /** From midnight on, 24 of them. */
      hours: z.array(z.object({ hour: z.number(), received: z.number(), ...rounds })),
    }),
  }),
  getAudience: endpoint({
    ...promise,
    path: '/analytics/audience',
    forKeys: { example },
    summary: 'New contacts, opt-ins and opt-outs over time, and where they came from; of the whole workspace',
    input: z
      .object({ ...period, bucket: z.enum(['auto', ...volumeBuckets]).default('auto') })
      .refine(isPeriod, wrongPeriod),
    output: z.object({
      ...counted,
      bucket: z.enum(volumeBuckets),
      points: z.array(
        z.object({ day: z.string(), added: z.number(), optIns: z.number(), optOuts: z.number() }),
      ),
      /** Of new contacts: form, api, automation, bot, integration, import, conversation. Of consent: keyword, platform, hosted_form, bot, integration, staff, import. */
      sources: z.array(
        z.object({ kind: z.enum(['new', 'opt_in', 'opt_out']), source: z.string(), contacts: z.number() }),
      ),
    }),
  }),
  getChoices: endpoint({
    method: 'GET',
    access: 'analytics:read',
    path: '/analytics/choices',
    forKeys: true,
    summary:
      'What figures can be narrowed to: tags, segments, countries of contacts, senders, members and teams',
    input: z.object({}),
    output: z.object({
      tags: z.array(z.string()),
      segments: z.array(named),
      /** Kinds of the channels that there are; `id` is what `channel` asks for. */
      channels: z.array(z.object({ id: z.string(), name: z.string() })),
      /** ISO 3166. */
      countries: z.array(z.string()),
      senders: z.array(named),
      agents: z.array(named),
      teams: z.array(named),
    }),
  }),
  getFilters: endpoint({
    method: 'GET',
    access: 'analytics:read',
    path: '/analytics/filters',
    summary: 'What figures are narrowed to by name, and which of it exists no more',
    input: z.object(filters),
    output: z.object({
      items: z.array(
        z.object({
          kind: z.enum(reportFilterKinds),
          /** As it was asked for. */
          value: z.string(),
          /** Null for what has none any more. */
          name: z.string().nullable(),
          isGone: z.boolean(),
        }),
      ),
    }),
  }),
};
