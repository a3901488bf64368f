import { campaignStatuses } from '@app/domain/campaigns/campaign-status';
import { isTimeZone } from '@app/domain/campaigns/quiet-hours';
import { z } from 'zod';
import { segmentRules } from '../contacts/segments-contract.ts';
import {
  CONTACT_LIST_BODY,
  endpoint,
  id,
  instant,
  page,
  pageInput,
  readsOnly,
  versioned,
} from '../endpoint.ts';

const contactIds = z.array(id).max(100_000).readonly();

const audienceFilter = z.strictObject({
  search: z.string().max(200).optional(),
  tags: z.array(z.string().max(100)).max(100).readonly().optional(),
  status: z.enum(['active', 'blocked']).optional(),
  /** Rules of one's own, in the form that segments have. */
  rules: segmentRules.optional(),
});

/** A saved segment stands alone: whoever belongs to it when sending starts gets the campaign. */
const plannedFilter = z.union([z.strictObject({ segmentId: id.toLowerCase() }), audienceFilter]);

export const audience = z.union([
  z.strictObject({ contactIds }),
  z.strictObject({ filter: plannedFilter, excludedIds: contactIds.optional() }),
  z.strictObject({
    anyOf: z.array(plannedFilter).min(1).max(20).readonly(),
    contactIds: contactIds.optional(),
    excludedIds: contactIds.optional(),
  }),
  z.strictObject({ failedOf: id, retriedBy: z.array(id).max(1000).readonly().optional() }),
]);

/** Stands in for people without a value. */
const fallback = z.string().max(1024).optional();

/**
 * What fills a placeholder of the message: a field of the contact or the business, a custom field by its id, or one text
 * for everybody. A placeholder that is missing here is filled from the custom field whose key it is.
 */
export const variableSource = z.union([
  z.strictObject({ field: z.enum(['name', 'phone', 'email', 'business']), fallback }),
  z.strictObject({ customField: id, fallback }),
  z.strictObject({ text: z.string().max(1024) }),
]);

/** A template, or a text of one's own; a text clears the template and the other way round. */
export const messageChoice = z.union([
  z.strictObject({ templateId: id }),
  z.strictObject({ customMessage: z.string().trim().min(1).max(4096) }),
]);

export const variables = z.record(z.string().max(100), variableSource);

export const campaignCounts = z.object({
  total: z.number(),
  pending: z.number(),
  sent: z.number(),
  delivered: z.number(),
  read: z.number(),
  failed: z.number(),
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
  variables,
  audienceSize: z.number(),
  status: z.enum(campaignStatuses),
  /** Why it paused by itself, in plain words; null when somebody paused it or it is not paused. */
  pauseReason: z.string().nullable(),
  scheduledAt: instant.nullable(),
  startedAt: instant.nullable(),
  completedAt: instant.nullable(),
  counts: campaignCounts,
  createdAt: instant,
  version: z.number(),
});

const timeOfDay = z.string().regex(/^([01]\d|2[0-3]):[0-5]\d$/);

/** Hours in which nothing is sent, on the clocks of a zone; they may go over midnight. */
export const quietHours = z.strictObject({
  from: timeOfDay,
  to: timeOfDay,
  timeZone: z.string().max(64).refine(isTimeZone, 'This is no time zone.'),
});

/** A segment of the audience: as it is now, and once sending began as it was then. */
export const campaignSegment = z.object({
  id,
  name: z.string(),
  rules: segmentRules,
  /** Deleted before sending began: the campaign cannot start with it. */
  isDeleted: z.boolean(),
});

/** With the audience itself, which a list leaves out: it may name a hundred thousand contacts. */
export const campaignDetails = campaign.extend({
  audience,
  segments: z.array(campaignSegment),
  quietHours: quietHours.nullable(),
  /** US dollars, as it was when the campaign was saved or started. */
  pricePerMessage: z.number(),
  /** US dollars for everybody of the audience, at the price when it was saved or started. */
  plannedCost: z.number(),
  /** US dollars for the messages that were delivered so far: the platform charges for those. */
  actualCost: z.number(),
});

export const recipientOutcomes = [
  'pending',
  'sending',
  'waiting',
  'sent',
  'delivered',
  'read',
  'failed',
  'cancelled',
  'unknown',
] as const;

export const recipient = z.object({
  seq: z.number(),
  contactId: id.nullable(),
  name: z.string(),
  phone: z.string(),
  outcome: z.enum(recipientOutcomes),
  /** The platform's code or our own reason for leaving the person out. */
  errorCode: z.string().nullable(),
  /** What happened and what to do next, in plain words. */
  explanation: z.string().nullable(),
  at: instant.nullable(),
});

/** Who will get a message, who is left out and why, what it costs and how long it takes. */
export const preflight = z.object({
  chosen: z.number(),
  receiving: z.number(),
  blocked: z.number(),
  optedOut: z.number(),
  withoutNumber: z.number(),
  windowClosed: z.number(),
  held: z.number(),
  doubled: z.number(),
  /** US dollars. */
  estimatedCost: z.number(),
  /** At the current rate of the number. */
  estimatedSeconds: z.number(),
  messagesPerSecond: z.number(),
  /** Set when nothing can be sent at all now: not connected, channel stopped, template not approved, segment deleted. */
  obstacle: z
    .enum(['not_connected', 'channel_stopped', 'template_not_approved', 'segment_deleted'])
    .nullable(),
  /** Segments of the audience that were deleted since they were chosen; nobody is counted for them. */
  deletedSegmentIds: z.array(id),
});

const draft = {
  name: z.string().trim().min(1).max(200),
  message: messageChoice,
  variables: variables.default({}),
  audience,
  status: z.enum(['draft', 'scheduled']).default('draft'),
  scheduledAt: instant.nullable().default(null),
  quietHours: quietHours.nullable().default(null),
};
const one = z.object({ campaignId: id });

/** A campaign that is resumed before its start begins to send then. */
const sendingRefusals = [
  'campaign_not_found',
  'campaign_act_refused',
  'campaign_audience_empty',
  'campaign_segment_deleted',
  'channel_not_connected',
  'template_not_approved',
] as const;

export const campaignsContract = {
  list: endpoint({
    method: 'GET',
    path: '/campaigns',
    access: 'campaigns:read',
    summary: 'Campaigns, newest first',
    input: pageInput.extend({
      search: z.string().max(200).optional(),
      status: z.enum(campaignStatuses).optional(),
    }),
    output: page(campaign).extend({ matching: z.number() }),
  }),
  summarize: endpoint({
    method: 'GET',
    path: '/campaigns/summary',
    access: 'campaigns:read',
    summary: 'Figures of the summary cards',
    input: z.object({}),
    output: z.object({
      total: z.number(),
      running: z.number(),
      completed: z.number(),
      successRate: z.number(),
    }),
  }),
  get: endpoint({
    method: 'GET',
    path: '/campaigns/{campaignId}',
    access: 'campaigns:read',
    summary: 'One campaign with its live counts',
    input: one,
    output: campaignDetails,
    errors: ['campaign_not_found'],
  }),
  create: endpoint({
    method: 'POST',
    path: '/campaigns',
    access: 'campaigns:create',
    repeat: 'keyed',
    work: 'long',
    summary: 'Creates a draft or scheduled campaign',
    input: z.strictObject(draft),
    largestBody: CONTACT_LIST_BODY,
    output: campaignDetails,
    errors: [
      'template_not_found',
      'template_not_approved',
      'campaign_schedule_past',
      'campaign_schedule_missing',
      'campaign_audience_empty',
      'campaign_segment_deleted',
      'custom_field_unknown',
    ],
  }),
  update: endpoint({
    method: 'PUT',
    path: '/campaigns/{campaignId}',
    access: 'campaigns:update',
    repeat: versioned,
    work: 'long',
    summary: 'Replaces a campaign; once sending began only its name changes',
    input: z.strictObject({ campaignId: id, version: z.number(), ...draft }),
    largestBody: CONTACT_LIST_BODY,
    output: campaignDetails,
    errors: [
      'campaign_not_found',
      'campaign_changed',
      'campaign_already_started',
      'template_not_found',
      'template_not_approved',
      'campaign_schedule_past',
      'campaign_schedule_missing',
      'campaign_audience_empty',
      'campaign_segment_deleted',
      'custom_field_unknown',
    ],
  }),
  remove: endpoint({
    method: 'DELETE',
    path: '/campaigns/{campaignId}',
    access: 'campaigns:delete',
    repeat: 'keyed',
    summary: 'Deletes a campaign; one that is sending stops first',
    input: one,
    output: z.object({}),
    errors: ['campaign_not_found'],
  }),
  preflight: endpoint({
    method: 'POST',
    path: '/campaigns/preflight',
    access: 'campaigns:read',
    repeat: readsOnly,
    summary: 'Who would get a message, who is left out and why, cost and time',
    input: z.strictObject({ message: messageChoice, audience }),
    largestBody: CONTACT_LIST_BODY,
    output: preflight,
    errors: ['template_not_found'],
  }),
  countAudience: endpoint({
    method: 'POST',
    path: '/campaigns/audience-size',
    access: ['campaigns:read', 'contacts:read'],
    repeat: readsOnly,
    summary: 'How many contacts an audience names, each once',
    input: z.strictObject({ audience }),
    largestBody: CONTACT_LIST_BODY,
    output: z.object({ chosen: z.number() }),
  }),
  findInAudience: endpoint({
    method: 'POST',
    path: '/campaigns/audience-members',
    access: ['campaigns:read', 'contacts:read'],
    repeat: readsOnly,
    summary: 'Which of these contacts an audience names now',
    input: z.strictObject({ audience, contactIds: z.array(id).max(200).readonly() }),
    largestBody: CONTACT_LIST_BODY,
    output: z.object({ contactIds: z.array(id) }),
  }),
  start: endpoint({
    method: 'POST',
    path: '/campaigns/{campaignId}/start',
    access: ['campaigns:update', 'messages:create'],
    repeat: 'keyed',
    work: 'long',
    summary: 'Freezes the audience and begins to send; a second start changes nothing',
    input: one,
    output: campaignDetails,
    errors: sendingRefusals,
  }),
  pause: endpoint({
    method: 'POST',
    path: '/campaigns/{campaignId}/pause',
    access: 'campaigns:update',
    repeat: 'keyed',
    summary: 'Stops sending within a second',
    input: one,
    output: campaignDetails,
    errors: ['campaign_not_found', 'campaign_act_refused'],
  }),
  resume: endpoint({
    method: 'POST',
    path: '/campaigns/{campaignId}/resume',
    access: ['campaigns:update', 'messages:create'],
    repeat: 'keyed',
    work: 'long',
    summary: 'Goes on exactly where it stopped',
    input: one,
    output: campaignDetails,
    errors: sendingRefusals,
  }),
  cancel: endpoint({
    method: 'POST',
    path: '/campaigns/{campaignId}/cancel',
    access: 'campaigns:update',
    repeat: 'keyed',
    summary: 'Ends a campaign; whoever was not reached yet gets nothing',
    input: one,
    output: campaignDetails,
    errors: ['campaign_not_found', 'campaign_act_refused'],
  }),
  preflightRetry: endpoint({
    method: 'GET',
    path: '/campaigns/{campaignId}/retry-failed',
    access: 'campaigns:read',
    summary:
      'Whom sending again to the failed would reach now, at what cost, and whether a retry is under way',
    input: one,
    // The campaign that sends again at this moment; nobody is sent to by two at once.
    output: preflight.extend({ runningId: id.nullable() }),
    errors: ['campaign_not_found', 'campaign_act_refused'],
  }),
  retryFailed: endpoint({
    method: 'POST',
    path: '/campaigns/{campaignId}/retry-failed',
    access: ['campaigns:create', 'messages:create'],
    repeat: 'keyed',
    work: 'long',
    summary: 'Sends again to the recipients whose message failed, as a campaign of its own',
    input: one,
    output: campaignDetails,
    errors: [
      'campaign_not_found',
      'campaign_act_refused',
      'campaign_retry_running',
      'campaign_audience_empty',
      'channel_not_connected',
      'template_not_approved',
    ],
  }),
  sendTest: endpoint({
    method: 'POST',
    path: '/campaigns/test-message',
    access: ['campaigns:create', 'messages:create'],
    repeat: 'keyed-outside',
    summary: 'Sends the message once to a number of one’s own',
    input: z.strictObject({
      message: messageChoice,
      variables: variables.default({}),
      phone: z.string().trim().min(1).max(40),
    }),
    output: z.object({ phone: z.string() }),
    errors: [
      'contact_phone_invalid',
      'template_not_found',
      'template_not_approved',
      'channel_not_connected',
      'test_message_refused',
      'daily_limit_reached',
      'outcome_unknown',
      'platform_unreachable',
      'custom_field_unknown',
    ],
  }),
  listRecipients: endpoint({
    method: 'GET',
    path: '/campaigns/{campaignId}/recipients',
    access: ['campaigns:read', 'contacts:read'],
    summary: 'Each recipient with outcome and error in plain words',
    input: pageInput.extend({ campaignId: id, outcome: z.enum(recipientOutcomes).optional() }),
    output: page(recipient),
    errors: ['campaign_not_found'],
  }),
  resolveUnknown: endpoint({
    method: 'POST',
    path: '/campaigns/{campaignId}/resolve-unknown',
    access: ['campaigns:update', 'messages:create'],
    repeat: 'keyed',
    work: 'long',
    summary: 'Decides for the recipients of whom nobody knows whether they got it',
    input: z.strictObject({ campaignId: id, decision: z.enum(['send_again', 'mark_sent']) }),
    output: z.object({ resolved: z.number() }),
    errors: ['campaign_not_found', 'campaign_act_refused'],
  }),
};
