import { webhookCallStates } from '@app/domain/webhooks/webhook-call';
import { webhookTopics } from '@app/domain/webhooks/webhook-topic';
import { z } from 'zod';
import { endpoint, id, instant } from '../endpoint.ts';

const webhookCall = z.object({
  id,
  kind: z.string(),
  at: instant,
  state: z.enum(webhookCallStates),
  status: z.number(),
  milliseconds: z.number(),
  bytes: z.number(),
  /** The form of the body without what people wrote or are called; null where nobody proved who calls, and of a long one. */
  outline: z.string().nullable(),
  /** What it told of, and how many times; empty where the outline is null. */
  about: z.array(z.object({ topic: z.enum(webhookTopics), n: z.number() })),
  /** Errors that it told of and that belong to no message: the code of the platform and its title. */
  problems: z.array(z.object({ code: z.string(), title: z.string() })),
  /** How the body of our answer began; null where it was not noted. */
  answer: z.string().nullable(),
  /** The numbers that it was about, as far as it proved that. */
  channelIds: z.array(id),
});

export const webhookCallsContract = {
  list: endpoint({
    method: 'GET',
    path: '/webhook-calls',
    access: 'settings:read',
    summary:
      'The last calls of the platform to our address that were taken, and the last that were refused: the newest first',
    input: z.object({}),
    output: z.object({
      items: z.array(webhookCall),
      /** When a signed one came last. */
      lastReceivedAt: instant.nullable(),
      /** There is a connected number, and nothing came for a day. */
      isSilent: z.boolean(),
    }),
  }),
};
