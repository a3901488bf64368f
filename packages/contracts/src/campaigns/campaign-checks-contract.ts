import { z } from 'zod';
import { CONTACT_LIST_BODY, endpoint, id, instant, readsOnly } from '../endpoint.ts';
import { audience, chosenAudience } from '../sending/chosen-audience.ts';
import { chosenNumber } from '../sending/chosen-number.ts';
import { chosenQuietHours } from '../sending/chosen-quiet-hours.ts';
import { campaignMessage, variables } from '../sending/message-choice.ts';
import { preflight } from '../sending/preflight.ts';
import { channelContent } from './campaign-values.ts';

/** Why a stored content cannot be sent. */
export const contentErrors = [
  ...(['content_not_found', 'content_not_active', 'content_elsewhere'] as const),
  ...(['link_target_missing', 'content_file_gone'] as const),
] as const;

/** What is asked before a campaign is saved or started. */
export const campaignChecksContract = {
  preflight: endpoint({
    method: 'POST',
    path: '/campaigns/preflight',
    access: 'campaigns:read',
    forKeys: true,
    repeat: readsOnly,
    summary: 'Who would get a message, who is left out and why, cost and time',
    input: z.strictObject({
      message: campaignMessage,
      variables: variables.default({}),
      audience: chosenAudience,
      channelId: chosenNumber,
      quietHours: chosenQuietHours,
      /** Null for now. */
      startsAt: instant.nullable().default(null),
    }),
    largestBody: CONTACT_LIST_BODY,
    output: preflight,
    errors: ['template_not_found', 'content_not_found', 'channel_not_found', 'custom_field_unknown'],
  }),
  listContents: endpoint({
    method: 'GET',
    path: '/campaigns/contents',
    access: 'campaigns:read',
    forKeys: true,
    summary:
      'Stored contents of channel kinds that a campaign can carry: those that are active, newest first',
    input: z.object({
      search: z.string().max(200).optional(),
      /** Only what this number or agent can send. */
      channelId: id.optional(),
      /** This one alone, in any state. */
      contentId: id.optional(),
    }),
    output: z.object({ items: z.array(channelContent) }),
  }),
  countReachable: endpoint({
    method: 'POST',
    path: '/campaigns/reachable',
    access: 'campaigns:read',
    forKeys: true,
    repeat: readsOnly,
    summary:
      'How many of an audience a number or agent reaches, as far as its platform can say before a start',
    input: z.strictObject({ audience: chosenAudience, channelId: id }),
    largestBody: CONTACT_LIST_BODY,
    output: z.object({
      /** Contacts with a number whom the platform was asked about: all, or 10,000 of a larger audience. Null where it cannot be asked. */
      asked: z.number().nullable(),
      reachable: z.number(),
    }),
    errors: ['channel_not_found', 'platform_unreachable'],
  }),
  countAudience: endpoint({
    method: 'POST',
    path: '/campaigns/audience-size',
    access: ['campaigns:read', 'contacts:read'],
    forKeys: {
      example: { audience: { filter: { status: 'active' } } },
    },
    repeat: readsOnly,
    summary: 'How many contacts an audience names, each once',
    input: z.strictObject({ audience: chosenAudience }),
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
};
