import { abDeciders, abLimits, abMetrics } from '@app/domain/campaigns/ab-test/ab-test';
import { z } from 'zod';
import { CONTACT_LIST_BODY, endpoint, id, instant, readsOnly } from '../endpoint.ts';
import { chosenAudience } from '../sending/chosen-audience.ts';
import { chosenNumber } from '../sending/chosen-number.ts';
import { campaignMessage, variables } from '../sending/message-choice.ts';

const share = z.int().min(1).max(99);

const rule = {
  metric: z.enum(abMetrics),
  /** In percent: what the metric is expected to be. */
  expectedRate: z.number().min(0.1).max(99.9),
  /** In percentage points: what is worth finding. */
  smallestDifference: z.number().min(0.1).max(50),
  /** Within so many hours of the delivery it counts. */
  windowHours: z.int().min(abLimits.window.least).max(abLimits.window.most).default(abLimits.window.usual),
  /** Of everybody who may get the campaign, in percent: they get nothing. */
  holdoutPercent: z.int().min(0).max(abLimits.holdoutPercent).default(0),
  decides: z.enum(abDeciders).default('automatic'),
};

type Shared = { share: number; variants: readonly { share: number }[] };
const areWhole = ({ share: first, variants }: Shared) =>
  variants.reduce((sum, variant) => sum + variant.share, first) === 100;
const isWithinWindow = ({ metric, windowHours }: { metric: string; windowHours: number }) =>
  metric !== 'reply' || windowHours <= abLimits.window.mostReply;

const sharesSum = { message: 'The shares of all variants sum up to 100.', path: ['share'] };
const replyWindow = { message: 'A reply counts within 24 hours.', path: ['windowHours'] };

/** The rule of a test, stated before the start, with its variants. The first variant is the message of the campaign itself. */
export const campaignAbTest = z
  .strictObject({
    ...rule,
    expectedRate: rule.expectedRate
      .optional()
      .describe('Left out, that of the campaigns of the last 90 days.'),
    /** Of the message of the campaign itself, in percent of those who take part. */
    share,
    variants: z
      .array(z.strictObject({ message: campaignMessage, variables: variables.default({}), share }))
      .min(1)
      .max(abLimits.variants - 1),
  })
  .refine(areWhole, sharesSum)
  .refine(isWithinWindow, replyWindow);

/** The same as it is stored: with what each message was called when it was chosen. */
export const storedAbTest = z.object({
  ...rule,
  share,
  variants: z.array(z.object({ message: campaignMessage, name: z.string().nullable(), variables, share })),
});

const plan = z.object({
  /** So many delivered messages of each variant before a winner may be named. */
  sample: z.number(),
  testSize: z.number(),
  holdout: z.number(),
  remaining: z.number(),
  /** The audience does not reach the sample: no winner will be named. */
  isTooSmall: z.boolean(),
  /** In percentage points: the smallest difference that this audience can show. */
  detectable: z.number().nullable(),
});

/** People of one variant. `base` were delivered to, and `hits` did within the window what the rule asks for. */
const figures = z.object({
  recipients: z.number(),
  sent: z.number(),
  delivered: z.number(),
  read: z.number(),
  replied: z.number(),
  failed: z.number(),
  base: z.number(),
  hits: z.number(),
  /** The interval of 95 % around `hits ÷ base`, as shares; null without anybody. */
  interval: z.object({ low: z.number(), high: z.number() }).nullable(),
});

/** A group and how many of it wrote to us within the window after the start. */
const group = z.object({
  contacts: z.number(),
  wrote: z.number(),
  interval: z.object({ low: z.number(), high: z.number() }).nullable(),
});

const one = z.object({ campaignId: id });

export const abTestsContract = {
  planTest: endpoint({
    method: 'POST',
    path: '/campaigns/test-plan',
    access: 'campaigns:read',
    forKeys: true,
    repeat: readsOnly,
    summary:
      'How many contacts an A/B test needs before a winner may be named, and whether the audience has them',
    input: z
      .strictObject({
        message: campaignMessage,
        audience: chosenAudience,
        channelId: chosenNumber,
        metric: rule.metric,
        /** Left out, that of the last 90 days. */
        expectedRate: rule.expectedRate.optional(),
        smallestDifference: rule.smallestDifference,
        holdoutPercent: rule.holdoutPercent,
        shares: z.array(share).min(2).max(abLimits.variants),
      })
      .refine(({ shares }) => shares.reduce((sum, one) => sum + one, 0) === 100, {
        ...sharesSum,
        path: ['shares'],
      }),
    largestBody: CONTACT_LIST_BODY,
    output: plan.extend({
      receiving: z.number(),
      /** In percent; what was used, given or learnt. */
      expectedRate: z.number(),
      /** Whether campaigns of the last 90 days said it; else it is a guess of ours. */
      isLearnt: z.boolean(),
    }),
    errors: ['template_not_found', 'content_not_found', 'channel_not_found'],
  }),
  getTest: endpoint({
    method: 'GET',
    path: '/campaigns/{campaignId}/test',
    access: 'campaigns:read',
    forKeys: true,
    summary:
      'How the variants of an A/B test do, whether a winner is known, and what those did who were held out',
    input: one,
    output: z.object({
      /** Planned before the start; testing while the test is under way; over when all its people had their time. */
      state: z.enum(['planned', 'testing', 'over']),
      /** Null before the start. */
      plan: plan.nullable(),
      /** Null while messages of the test are still on their way. */
      endsAt: instant.nullable(),
      verdict: z
        .object({
          at: instant,
          outcome: z.enum(['winner', 'too_few', 'no_difference']),
          /** From 0; of a winner alone. */
          variant: z.number().nullable(),
        })
        .nullable(),
      /** What the remaining contacts get, and who decided it. */
      chosen: z.object({ at: instant, variant: z.number(), by: z.enum(['rule', 'person']) }).nullable(),
      /** How many contacts wait for the winner. */
      waiting: z.number(),
      variants: z.array(figures),
      /** Those who got the winner behind the test; null without any. */
      rest: figures.nullable(),
      /** Null without a holdout group. */
      holdout: z.object({ heldOut: group, reached: group }).nullable(),
    }),
    errors: ['campaign_not_found', 'campaign_without_test'],
  }),
  chooseVariant: endpoint({
    method: 'POST',
    path: '/campaigns/{campaignId}/test/choice',
    access: ['campaigns:update', 'messages:create'],
    forKeys: true,
    repeat: 'keyed',
    summary: 'Sends one variant to all remaining contacts, once the test is over; the first choice stands',
    input: one.extend({
      variant: z
        .int()
        .min(0)
        .max(abLimits.variants - 1),
    }),
    output: z.object({ variant: z.number() }),
    errors: [
      'campaign_not_found',
      'campaign_without_test',
      'campaign_act_refused',
      'campaign_test_running',
      'campaign_test_decided',
    ],
  }),
};
