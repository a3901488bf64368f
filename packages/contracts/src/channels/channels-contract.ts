import { z } from 'zod';
import { endpoint, id, instant } from '../endpoint.ts';

const channelId = id;

/** What everybody may know of a channel of some kind; no secret, no account id. */
export const channelStatus = z.object({
  id: channelId,
  kind: z.string(),
  /** What leaves through no chosen number leaves through this one. */
  isSender: z.boolean(),
  /** The same where its kind is chosen, and no number of it. */
  isDefault: z.boolean(),
  /** `sandbox`: the local stand-in of the platform, where a template's status is chosen freely. */
  connection: z.enum(['none', 'sandbox', 'platform']),
  /** How people know the number or agent. */
  displayName: z.string().nullable(),
  /** Why nothing is sent although it is connected; null while it may send. */
  stopped: z
    .object({
      code: z.string().nullable(),
      reason: z.string(),
      /** `campaigns`: what the business begins itself; people who wrote get their answers. */
      blocks: z.enum(['everything', 'campaigns']),
    })
    .nullable(),
  messagesPerSecond: z.number(),
  lastSyncAt: instant.nullable(),
  capabilities: z.object({
    /** `none`: no platform reviews templates, they leave as ordinary messages. */
    templates: z.enum(['reviewed', 'none']),
    /** Hours after somebody's last message in which anything may be written to them; null without such an end. */
    freeTextHours: z.number().nullable(),
    longestText: z.number(),
    /** Phones show `*bold*` and its like as styles. Where they do not, the reader sees the signs. */
    textStyles: z.boolean(),
    /** Forms of messages that this kind adds: `content` of a message, and where it says so of a template. */
    contents: z.array(z.object({ kind: z.string(), contentType: z.string(), inTemplates: z.boolean() })),
    /** By kind of file; what is not here cannot be sent. */
    media: z.record(
      z.string(),
      z.object({
        mimeTypes: z.array(z.string()).readonly(),
        maxBytes: z.number(),
        longestCaption: z.number(),
      }),
    ),
    /** How many buttons a message may have, and their longest words; null where it has none. */
    replyButtons: z
      .object({ most: z.number(), longestTitle: z.number(), longestBody: z.number() })
      .nullable(),
    /** Somebody who hides their number is written to by the id that the platform has for them. */
    userIds: z.boolean(),
    /** A message can have a time limit and be withdrawn, so that another may follow it. */
    withdraws: z.boolean(),
    /** A message may quote an earlier one. */
    quotes: z.boolean(),
  }),
});

export const channelsContract = {
  list: endpoint({
    method: 'GET',
    path: '/channels',
    access: 'signed-in',
    forKeys: true,
    summary: 'The numbers and agents that the workspace sends through, the oldest first, without secrets',
    input: z.object({}),
    output: z.object({ items: z.array(channelStatus), nextCursor: z.null() }),
  }),
  resume: endpoint({
    method: 'POST',
    path: '/channels/{channelId}/resume',
    access: 'settings:update',
    repeat: 'keyed',
    summary: 'Lets a stopped number or agent send again, after its trouble was cleared',
    input: z.object({ channelId }),
    output: channelStatus,
    errors: ['channel_not_found', 'channel_not_connected'],
  }),
};
