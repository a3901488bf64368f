import { recipientOutcomes } from '@app/domain/campaigns/recipient-outcome';
import { campaignStatuses } from '@app/domain/campaigns/campaign-status';
import { z } from 'zod';
import { id, instant } from '../endpoint.ts';
import { storedAbTest } from './ab-tests-contract.ts';
import { segmentRules } from '../segments/segments-contract.ts';
import { audience } from '../sending/chosen-audience.ts';
import { kindContent } from '../sending/kind-content.ts';
import { variables } from '../sending/message-choice.ts';
import { quietHours } from '../sending/quiet-hours.ts';

/** Each chosen contact counts once: total = sent + cancelled + failed + unknown + pending. */
const campaignCounts = z.object({
  total: z.number(),
  pending: z.number(),
  /** Those delivered and read included. */
  sent: z.number(),
  delivered: z.number(),
  read: z.number(),
  failed: z.number(),
  /** Left out: excluded when sending began, or before their turn came. */
  cancelled: z.number(),
  unknown: z.number(),
});

export const campaign = z.object({
  id,
  name: z.string(),
  kind: z.enum(['campaign', 'bulk']),
  /** Null for a message of one's own and when the template was deleted. */
  templateId: id.nullable(),
  templateName: z.string().nullable(),
  customMessage: z.string().nullable(),
  /** A stored content of its channel kind; null for a template or a text. */
  contentId: id.nullable(),
  contentName: z.string().nullable(),
  /** Whoever speaks another language that the template is approved in gets that one. */
  inContactLanguage: z.boolean(),
  variables,
  /** Who has no value for a placeholder gets it with the placeholder as it is written. */
  allowMissingValues: z.boolean(),
  /** The number that it leaves through; null before its start when nobody chose one. */
  channelId: id.nullable(),
  audienceSize: z.number(),
  status: z.enum(campaignStatuses),
  /** Why it paused by itself, in English for people who call by hand; null when somebody paused it or it is not paused. */
  pauseReason: z.string().nullable(),
  /** The same as a code, ours or the platform's, and the name that its sentence has; of a template that cannot be sent its `whyNotSendable`, or `elsewhere`. */
  pauseCode: z.string().nullable(),
  pauseName: z.string().nullable(),
  scheduledAt: instant.nullable(),
  startedAt: instant.nullable(),
  completedAt: instant.nullable(),
  /** Until when nothing leaves and its start can be taken back; null when it is not held. */
  heldUntil: instant.nullable(),
  /** How much of that was left when this was answered: count from there, and no clock of yours needs to be right. */
  heldForMs: z.number().nullable(),
  counts: campaignCounts,
  createdAt: instant,
  version: z.number(),
});

/** A content of a channel kind that is stored under a name, such as an RCS message. */
export const channelContent = z.object({
  id,
  kind: z.string(),
  name: z.string(),
  /** Its words in one line. */
  line: z.string(),
  isActive: z.boolean(),
  /** Contacts who opted out do not get it. */
  isMarketing: z.boolean(),
  /** As it leaves; null of one that is not complete. */
  content: kindContent.nullable(),
});

/** A segment of the audience: as it is now, and once sending began as it was then. */
const campaignSegment = z.object({
  id,
  name: z.string(),
  rules: segmentRules,
  /** Deleted before sending began: the campaign cannot start with it. */
  isDeleted: z.boolean(),
});

/** A template that follows through another number where the message did not arrive within a time limit; never both to one person. */
export const campaignFallback = z.strictObject({
  channelId: id,
  templateId: id,
  variables: variables.default({}),
  /** The time limit of the first message: from ten seconds to 15 days. */
  afterSeconds: z.int().min(10).max(1_296_000),
});

/**
 * What became of the recipients whom the first message did not reach. Each of them is in one of `waiting`, `sent`, `failed`, `arrived`, `leftOut` and
 * `unknown`, from the moment in which the first message failed.
 */
const fallbackCounts = z.object({
  /** It is being found out whether the first message can still arrive, or their turn has not come. */
  waiting: z.number(),
  /** They got the second message, or it is on its way. */
  sent: z.number(),
  /** Of `sent`. */
  delivered: z.number(),
  /** Of `delivered`. */
  read: z.number(),
  /** The second message did not arrive either. */
  failed: z.number(),
  /** The first message arrived after all, and the second was not sent. */
  arrived: z.number(),
  /** They may not get the second message, such as for an opt-out. */
  leftOut: z.number(),
  /** Nobody knows whether the first message arrives, so the second was not sent; or what became of the second. */
  unknown: z.number(),
});

/** With the audience itself, which a list leaves out: it may name a hundred thousand contacts. */
export const campaignDetails = campaign.extend({
  audience,
  segments: z.array(campaignSegment),
  /** In which languages it was sent once sending began, that of the template first; null where it is one for all. */
  languages: z.array(z.string()).nullable(),
  quietHours: quietHours.nullable(),
  fallback: campaignFallback.nullable(),
  /** Its links lead through the product and are counted, where the workspace counts any. */
  countsLinks: z.boolean(),
  /** Null without a fallback, and before sending begins. */
  fallbackCounts: fallbackCounts.nullable(),
  /** Each contact gets it in the hour in which they read most. */
  bestTime: z.boolean(),
  /** How many leave in which hour from its beginning on, since it was started; null where all leave at once. */
  hours: z.array(z.object({ at: instant, count: z.number() })).nullable(),
  /** Null without an A/B test. */
  abTest: storedAbTest.nullable(),
  /** What the second messages that were delivered cost at the prices of now, in `currency`; null as above. */
  fallbackCost: z.object({ amount: z.number(), currency: z.string() }).nullable(),
  /** On average, as it was when the campaign was saved or started. */
  pricePerMessage: z.number(),
  priceCurrency: z.string(),
  /** For everybody of the audience, at the price when it was saved or started. */
  plannedCost: z.number(),
  /** For the messages that were delivered so far: the platform charges for those. */
  actualCost: z.number(),
});

/** What goes on with it, at the moment of what comes along. */
export const campaignFigures = z.object({ status: z.enum(campaignStatuses), counts: campaignCounts });

/** Why some did not get it. */
export const undeliveredReason = z.object({
  outcome: z.enum(['failed', 'cancelled']),
  errorCode: z.string().nullable(),
  explanation: z.string().nullable(),
  count: z.number(),
  /** Sending to them again can succeed; a retry leaves out all others. */
  canSucceed: z.boolean(),
});

export const fallbackStates = [
  ...(['waiting', 'queued', 'sent', 'delivered', 'read', 'failed'] as const),
  ...(['arrived', 'left_out', 'unknown'] as const),
] as const;

export const recipient = z.object({
  seq: z.number(),
  contactId: id.nullable(),
  name: z.string(),
  phone: z.string(),
  outcome: z.enum(recipientOutcomes),
  /** The platform's code or our own reason for leaving the person out. */
  errorCode: z.string().nullable(),
  /** What happened and what to do next, in English for people who call by hand and for files. */
  explanation: z.string().nullable(),
  at: instant.nullable(),
  /** What followed because the first message did not arrive; null where nothing did, and without a fallback. */
  fallback: z
    .object({
      /** `arrived`: the first message did after all. `left_out`: they may not get the second one; `code` says why. */
      state: z.enum(fallbackStates),
      code: z.string().nullable(),
      at: instant,
    })
    .nullable(),
  /** Their last click on a link of the campaign. */
  clickedAt: instant.nullable(),
  /** Their last conversion that belongs to it, within the attribution window. */
  convertedAt: instant.nullable(),
});
