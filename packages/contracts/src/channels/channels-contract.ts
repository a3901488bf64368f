import { z } from 'zod';
import { endpoint, instant } from '../endpoint.ts';

/** What everybody may know of the number that messages leave from; no secret, no account id. */
export const channelStatus = z.object({
  /** `sandbox`: the local stand-in of the platform, where a template's status is chosen freely. */
  connection: z.enum(['none', 'sandbox', 'platform']),
  displayPhoneNumber: z.string().nullable(),
  /** Why nothing is sent although the number is connected; null while it may send. */
  stopped: z.object({ code: z.number().nullable(), reason: z.string() }).nullable(),
  messagesPerSecond: z.number().nullable(),
  lastSyncAt: instant.nullable(),
});

export const channelsContract = {
  getStatus: endpoint({
    method: 'GET',
    path: '/channels/whatsapp',
    access: 'signed-in',
    summary: 'State of the connection to the messaging platform, without secrets',
    input: z.object({}),
    output: channelStatus,
  }),
  resume: endpoint({
    method: 'POST',
    path: '/channels/whatsapp/resume',
    access: 'settings:update',
    repeat: 'keyed',
    summary: 'Lets a stopped number send again, after its trouble was cleared',
    input: z.object({}),
    output: channelStatus,
    errors: ['channel_not_connected'],
  }),
};
