import { resultsFormats } from '@app/domain/campaigns/results-format';
import { operation } from '../operations/operations-contract.ts';
import { campaignStatuses } from '@app/domain/campaigns/campaign-status';
import { recipientOutcomes } from '@app/domain/campaigns/recipient-outcome';
import { z } from 'zod';
import { CONTACT_LIST_BODY, endpoint, id, instant, page, pageInput, versioned } from '../endpoint.ts';
import { audience, chosenAudience } from '../sending/chosen-audience.ts';
import { chosenNumber } from '../sending/chosen-number.ts';
import {
  allowMissingValues,
  campaignMessage,
  messageOrContent,
  variables,
} from '../sending/message-choice.ts';
import { preflight } from '../sending/preflight.ts';
import { takeBackSeconds } from '../sending/take-back-seconds.ts';
import { chosenQuietHours } from '../sending/chosen-quiet-hours.ts';
import { abTestsContract, campaignAbTest } from './ab-tests-contract.ts';
import { campaignChecksContract, contentErrors } from './campaign-checks-contract.ts';
import {
  campaign,
  campaignDetails,
  campaignFallback,
  campaignFigures,
  recipient,
  undeliveredReason,
} from './campaign-values.ts';

const draft = {
  name: z.string().trim().min(1).max(200),
  message: campaignMessage,
  variables: variables.default({}),
  allowMissingValues,
  audience: chosenAudience,
  status: z.enum(['draft', 'scheduled']).default('draft'),
  scheduledAt: instant.nullable().default(null),
  quietHours: chosenQuietHours,
  channelId: chosenNumber,
  fallback: campaignFallback
    .nullable()
    .optional()
    .describe('Left out, a new campaign has none, and a stored one keeps its own.'),
  countsLinks: z
    .boolean()
    .optional()
    .describe(
      'Left out, a new campaign counts its links where the workspace does, and a stored one stays as it is.',
    ),
  bestTime: z
    .boolean()
    .optional()
    .describe(
      'Within 24 hours of the start, each contact gets it in the hour in which they read most. Left out, a new campaign goes to all at once, and a stored one stays as it is.',
    ),
  abTest: campaignAbTest
    .nullable()
    .optional()
    .describe('Left out, a new campaign has none, and a stored one keeps its own.'),
};
const keptHours = draft.quietHours.describe('Left out, they stay as they are; null, none.');
const one = z.object({ campaignId: id });

const savingErrors = [
  'template_not_found',
  'template_not_approved',
  ...contentErrors,
  'campaign_schedule_past',
  'campaign_schedule_missing',
  'campaign_audience_empty',
  'campaign_segment_deleted',
  'channel_not_found',
  'custom_field_unknown',
  'placeholder_without_value',
  'fallback_not_possible',
  'campaign_variants_differ',
  'campaign_best_time_with_test',
] as const;

/** A campaign that is resumed before its start begins to send then. */
const sendingErrors = [
  'campaign_not_found',
  'campaign_act_refused',
  'campaign_audience_empty',
  'campaign_segment_deleted',
  'channel_not_connected',
  'chosen_number_off',
  'template_not_approved',
  ...contentErrors,
  'campaign_variants_differ',
] as const;

export const campaignsContract = {
  list: endpoint({
    method: 'GET',
    path: '/campaigns',
    access: 'campaigns:read',
    forKeys: {
      example: { limit: 2 },
    },
    summary: 'Campaigns, newest first',
    input: pageInput.extend({
      search: z.string().max(200).optional(),
      status: z.enum(campaignStatuses).optional(),
      /** Only those that leave through a number or agent of this kind, such as `rcs`. */
      channelKind: z.string().max(32).optional(),
    }),
    output: page(campaign).extend({ matching: z.number() }),
  }),
  summarize: endpoint({
    method: 'GET',
    path: '/campaigns/summary',
    access: 'campaigns:read',
    forKeys: true,
    summary: 'Figures of the summary cards',
    input: z.object({ channelKind: z.string().max(32).optional() }),
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
    forKeys: true,
    summary: 'One campaign with its live counts',
    input: one,
    output: campaignDetails,
    errors: ['campaign_not_found'],
  }),
  create: endpoint({
    method: 'POST',
    path: '/campaigns',
    access: 'campaigns:create',
    forKeys: {
      example: {
        name: 'Spring',
        message: { customMessage: 'Hello {{name}}, our shop is open again.' },
        audience: { filter: { tags: ['newsletter'] } },
      },
    },
    repeat: 'keyed',
    work: 'starting',
    summary: 'Creates a draft or scheduled campaign',
    input: z.strictObject(draft),
    largestBody: CONTACT_LIST_BODY,
    output: campaignDetails,
    errors: savingErrors,
  }),
  update: endpoint({
    method: 'PUT',
    path: '/campaigns/{campaignId}',
    access: 'campaigns:update',
    forKeys: true,
    repeat: versioned,
    work: 'starting',
    summary: 'Replaces a campaign; once sending began only its name changes',
    /** The audience of a retry may be named to say that it stays. */
    input: z.strictObject({ campaignId: id, version: z.number(), ...draft, audience, quietHours: keptHours }),
    largestBody: CONTACT_LIST_BODY,
    output: campaignDetails,
    errors: [...savingErrors, 'campaign_not_found', 'campaign_changed', 'campaign_already_started'],
  }),
  remove: endpoint({
    method: 'DELETE',
    path: '/campaigns/{campaignId}',
    access: 'campaigns:delete',
    forKeys: true,
    repeat: 'keyed',
    summary: 'Deletes a campaign; one that is sending stops first',
    input: one,
    output: z.object({}),
    errors: ['campaign_not_found'],
  }),
  ...campaignChecksContract,
  ...abTestsContract,
  start: endpoint({
    method: 'POST',
    path: '/campaigns/{campaignId}/start',
    access: ['campaigns:update', 'messages:create'],
    forKeys: true,
    repeat: 'keyed',
    work: 'starting',
    summary: 'Freezes the audience and begins to send; a second start changes nothing',
    input: one.extend({
      takeBackSeconds,
      allowMissingValues,
      /** What was seen when it was started: a request that comes after a change, such as its taking back, starts nothing. */
      version: z.number().int().min(1).max(2_000_000_000).optional(),
    }),
    output: campaignDetails,
    errors: [...sendingErrors, 'campaign_changed', 'placeholder_without_value'],
  }),
  takeBack: endpoint({
    method: 'POST',
    path: '/campaigns/{campaignId}/take-back',
    // Besides, who did not start it needs what starting asks for: see take-back-start.ts.
    access: 'messages:create',
    forKeys: true,
    repeat: 'keyed',
    summary: 'Takes back a held start, one’s own or as who may start: the campaign is what it was before',
    input: one,
    output: campaignDetails,
    errors: ['campaign_not_found', 'campaign_act_refused', 'campaign_already_sending'],
  }),
  pause: endpoint({
    method: 'POST',
    path: '/campaigns/{campaignId}/pause',
    access: 'campaigns:update',
    forKeys: true,
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
    forKeys: true,
    repeat: 'keyed',
    work: 'starting',
    summary: 'Goes on exactly where it stopped',
    input: one,
    output: campaignDetails,
    errors: sendingErrors,
  }),
  cancel: endpoint({
    method: 'POST',
    path: '/campaigns/{campaignId}/cancel',
    access: 'campaigns:update',
    forKeys: true,
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
    forKeys: true,
    summary:
      'Whom sending again to the failed would reach now, at what cost, and whether a retry is under way',
    input: one,
    // The campaign that sends again at this moment; nobody is sent to by two at once.
    output: preflight.extend({ runningId: id.nullable() }),
    errors: ['campaign_not_found', 'campaign_act_refused'],
  }),
  preflightRest: endpoint({
    method: 'GET',
    path: '/campaigns/{campaignId}/rest',
    access: 'campaigns:read',
    forKeys: true,
    summary:
      'How many a campaign that has begun would still send to, at what cost and until when: those who wait, or those of whom nobody knows',
    input: one.extend({ whom: z.enum(['waiting', 'unknown']).default('waiting') }),
    output: preflight
      .pick({
        ...{ receiving: true, estimatedCost: true, priceCurrency: true, budgetLeft: true },
        ...{ estimatedSeconds: true, finishesAt: true },
      })
      /** Its number is not connected: nothing leaves until it is. */
      .extend({ obstacle: z.enum(['number_off']).nullable() }),
    errors: ['campaign_not_found', 'campaign_act_refused'],
  }),
  retryFailed: endpoint({
    method: 'POST',
    path: '/campaigns/{campaignId}/retry-failed',
    access: ['campaigns:create', 'messages:create'],
    forKeys: true,
    repeat: 'keyed',
    work: 'starting',
    summary: 'Sends again to the recipients whose message failed and may succeed, as a campaign of its own',
    input: one.extend({ allowMissingValues }),
    output: campaignDetails,
    errors: [
      'campaign_not_found',
      'campaign_act_refused',
      'campaign_retry_running',
      'campaign_audience_empty',
      'channel_not_connected',
      'chosen_number_off',
      'template_not_approved',
      ...contentErrors,
      'campaign_variants_differ',
    ],
  }),
  sendTest: endpoint({
    method: 'POST',
    path: '/campaigns/test-message',
    access: ['campaigns:create', 'messages:create'],
    forKeys: true,
    repeat: 'keyed-outside',
    summary: 'Sends the message once to a number of one’s own',
    input: z.strictObject({
      message: messageOrContent,
      variables: variables.default({}),
      phone: z.string().trim().min(1).max(40),
      channelId: chosenNumber,
    }),
    output: z.object({ phone: z.string() }),
    errors: [
      'contact_phone_invalid',
      'template_not_found',
      ...contentErrors,
      'template_not_approved',
      'channel_not_connected',
      'channel_not_found',
      'chosen_number_off',
      'test_message_refused',
      'message_kind_unsupported',
      'message_content_invalid',
      'daily_limit_reached',
      'budget_reached',
      'outcome_unknown',
      'platform_unreachable',
      'custom_field_unknown',
    ],
  }),
  listRecipients: endpoint({
    method: 'GET',
    path: '/campaigns/{campaignId}/recipients',
    access: ['campaigns:read', 'contacts:read'],
    forKeys: true,
    summary:
      'Each recipient with outcome and error in plain words, and the figures of the campaign at the same moment',
    input: pageInput.extend({
      campaignId: id,
      outcome: z.enum(recipientOutcomes).optional(),
      /** Whether the reasons come along, of that moment too. */
      reasons: z
        .enum(['yes', 'no'])
        .default('no')
        .transform((word) => word === 'yes'),
    }),
    output: page(recipient)
      .extend(campaignFigures.shape)
      .extend({ reasons: z.array(undeliveredReason).optional() }),
    errors: ['campaign_not_found'],
  }),
  countReasons: endpoint({
    method: 'GET',
    path: '/campaigns/{campaignId}/reasons',
    access: 'campaigns:read',
    forKeys: true,
    summary: 'Why people did not get it, counted, and whether sending again can succeed',
    input: one,
    output: campaignFigures.extend({ reasons: z.array(undeliveredReason) }),
    errors: ['campaign_not_found'],
  }),
  exportResults: endpoint({
    method: 'POST',
    path: '/campaigns/{campaignId}/results-exports',
    access: ['campaigns:read', 'contacts:read', 'contacts:export'],
    repeat: 'keyed',
    work: 'long',
    summary:
      'Writes each recipient, or those of one outcome, with outcome and error into a file, as an operation',
    input: z.object({
      campaignId: id,
      outcome: z.enum(recipientOutcomes).optional(),
      format: z.enum(resultsFormats).default('csv'),
    }),
    output: operation,
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
