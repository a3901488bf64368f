import { z } from 'zod';
import { id } from '../endpoint.ts';

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
  estimatedCost: z.number(),
  priceCurrency: z.string(),
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
