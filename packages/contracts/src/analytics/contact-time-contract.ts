import { isReportZone } from '@app/domain/analytics/report-filter';
import { z } from 'zod';
import { endpoint, id } from '../endpoint.ts';

export const contactTimeContract = {
  getContactBestTime: endpoint({
    method: 'GET',
    path: '/contacts/{contactId}/best-time',
    access: ['contacts:read', 'messages:read'],
    summary:
      'When a contact reads, learnt from their reads and replies of half a year, with those of everybody as the prior',
    input: z.object({
      contactId: id,
      zone: z.string().max(64).refine(isReportZone, 'no time zone').default('UTC'),
    }),
    output: z.object({
      /** From midnight on, 24 of them, together 1: how likely a message is read in that hour. */
      shares: z.array(z.number()),
      best: z.number().nullable(),
      /** Reads and replies of the contact. */
      events: z.number(),
      /** How much of it is what the contact did (1), and how much what everybody does (0). */
      weight: z.number(),
    }),
    errors: ['contact_not_found'],
  }),
};
